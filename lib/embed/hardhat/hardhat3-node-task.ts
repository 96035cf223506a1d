/** `npx hardhat node` of Hardhat 3 for a network of the type `dev-node`: this node, with its explorer, on a port. */

import type { OptionsInput } from '../../config/options.ts'
import { startServer } from '../../server/start.ts'
import { isDevNode } from './hardhat3-config.ts'
import { hardhatNetwork } from './hardhat3-network.ts'
import { firstRequests, nodeOptions } from './hardhat-network.ts'

/** Arguments of the task. Numbers that are not given are -1. */
interface NodeArguments {
  readonly hostname?: string
  readonly port: number
  readonly chainId: number
  readonly fork?: string
  readonly forkBlockNumber: number
}

/** The members of Hardhat's runtime environment that the task uses. */
interface RuntimeEnvironment {
  readonly config: { readonly networks: Readonly<Record<string, { readonly type: string }>> }
  readonly globalOptions: { readonly network?: string }
}

/** Runs the task, which for other networks is that of Hardhat. @throws NodeError 'invalidOption', 'addressInUse' */
export async function runNode(
  given: NodeArguments,
  { config, globalOptions }: RuntimeEnvironment,
  runSuper: (given: NodeArguments) => Promise<unknown>,
): Promise<unknown> {
  const network = config.networks[globalOptions.network ?? 'node']
  if (network === undefined || !isDevNode(network)) return runSuper(given)
  const settings = await hardhatNetwork(network)
  const options = { ...nodeOptions(settings), ...network.devNode, ...optionsOf(given) }
  const server = await startServer(options, { onConsole: (text) => console.log(text) })
  const addresses = server.accounts.map(({ address }) => address)
  for (const request of firstRequests(settings, addresses)) await send(server.url, request)
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

async function send(url: string, [method, ...params]: readonly [string, ...unknown[]]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
