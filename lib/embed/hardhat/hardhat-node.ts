/** Makes the provider of Hardhat's network from a node in the same process. The plugins load it with the first request. */

import { shown } from '../../config/console-lines.ts'
import type { ConsoleOutput } from '../../config/request-log.ts'
import type { OptionsInput } from '../../config/options.ts'
import { createNode } from '../dev-node.ts'
import { firstRequests, nodeOptions } from './hardhat-network.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import { HardhatProvider } from './hardhat-provider.ts'
import type { HardhatErrors } from './hardhat-provider.ts'

/** The Hardhat project that uses the node. */
export interface HardhatProject {
  readonly errors: HardhatErrors
  /** Options of the node that win over those of the network. */
  readonly options: OptionsInput
}

/** Starts a node that behaves as the network, and returns its provider. */
export async function createHardhatProvider(
  network: HardhatNetwork,
  { errors, options }: HardhatProject,
): Promise<HardhatProvider> {
  const node = await createNode(
    { ...nodeOptions(network), ...options },
    {
      onRequest: ({ console: outputs = [] }) => print(outputs.filter(({ kind }) => kind !== 'estimate')),
      onBlock: ({ console: outputs }) => print(outputs),
    },
  )
  const addresses = node.accounts.map(({ address }) => address)
  for (const [method, ...params] of firstRequests(network, addresses)) {
    await node.provider.request({ method, params })
  }
  return new HardhatProvider(node.provider, { errors, throwOnCallFailures: network.throwOnCallFailures })
}

function print(outputs: readonly ConsoleOutput[]): void {
  for (const { lines } of outputs) for (const line of lines) console.log(shown(line))
}
