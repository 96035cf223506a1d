/** `npx hardhat node` of Hardhat 3 for a network of type `dev-node`: runs this node, with its explorer, on a port. */

import { helped } from '../../base/errors.ts'
import type { OptionsInput } from '../../modules/options.ts'
import { serveNode } from '../../server/start.ts'
import { networkOf, ownOptions, type DevNodeNetwork, type HardhatRuntime } from './hardhat3-config.ts'
import { plainNetwork, withKeys } from './hardhat3-network.ts'
import { hardhatOptions } from './hardhat-network.ts'
import { configureNetwork, startHardhatNode } from './hardhat-node.ts'
import { withArtifacts } from './hardhat-process.ts'

/** Arguments of the task. Omitted numbers are -1. */
interface NodeArguments {
  readonly hostname?: string
  readonly port: number
  readonly chainId: number
  readonly fork?: string
  readonly forkBlockNumber: number
}

/** Runs the task. For other networks Hardhat's own task runs. @throws NodeError 'invalidOption', 'addressInUse' */
export async function runNode(
  given: NodeArguments,
  runtime: HardhatRuntime,
  runSuper: (given: NodeArguments) => Promise<unknown>,
): Promise<unknown> {
  const { network } = networkOf(runtime, 'node')
  return network === undefined ? runSuper(given) : helped(serve(given, network))
}

async function serve(given: NodeArguments, network: DevNodeNetwork): Promise<undefined> {
  const settings = withKeys(await plainNetwork(network))
  const found = await withArtifacts(
    { ...ownOptions(network), ...optionsOf(given) },
    network.artifactsFolder,
    process.env,
  )
  const { node, embedded, hooks, history } = await startHardhatNode(
    hardhatOptions(settings, found, process.env),
  )
  await configureNetwork(embedded.provider, settings, embedded.accounts)
  const server = await serveNode(node, hooks, history)
  console.log(`Started HTTP and WebSocket JSON-RPC server at ${server.url}/`)
  if (server.explorer !== undefined) console.log(`Explorer: ${server.explorer}`)
  console.log('\nAccounts')
  for (const { address, privateKey } of server.accounts) console.log(`${address}  ${privateKey}`)
  const ended = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve)
  })
  await ended
  await server.close()
  return undefined
}

/** Options that the arguments set. */
function optionsOf({ hostname, port, chainId, fork, forkBlockNumber }: NodeArguments): OptionsInput {
  return {
    port,
    ...(hostname === undefined ? {} : { host: hostname }),
    ...(chainId < 0 ? {} : { chainId, networkId: chainId }),
    ...(fork === undefined ? {} : { forkUrl: fork }),
    ...(forkBlockNumber < 0 ? {} : { forkBlockNumber }),
  }
}
