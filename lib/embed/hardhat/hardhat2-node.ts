/** The node of a Hardhat 2 process, and of the workers of a parallel run. hardhat2.ts loads it with the first request. */

import { hardhatProvider, startHardhatNode, type HardhatProject } from './hardhat-node.ts'
import { hardhatOptions, type HardhatNetwork } from './hardhat-network.ts'
import { attachToProcess, withArtifacts, workerId } from './hardhat-process.ts'
import type { PluginOptions, TestTasks } from './hardhat-process.ts'
import type { HardhatProvider } from './hardhat-provider.ts'

export interface Hardhat2Chain extends TestTasks {
  readonly provider: HardhatProvider
}

/** Starts the node of this process. */
export async function startHardhat2(
  network: HardhatNetwork,
  { hold, explorer, ...options }: PluginOptions,
  { artifacts, ...project }: HardhatProject & { readonly artifacts: string },
): Promise<Hardhat2Chain> {
  const found = await withArtifacts(options, artifacts, process.env)
  const asked = hardhatOptions(network, found, process.env)
  const started = await startHardhatNode(asked, workerId() !== undefined)
  const provider = await hardhatProvider(started.embedded.provider, network, { ...started, ...project })
  return { provider, ...(await attachToProcess(started.node, started.hooks, { explorer, hold })) }
}
