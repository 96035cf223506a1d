/** A remote node with transactions of every kind, and nodes that continue its chain. */

import { encodeFunctionData } from 'viem'
import type { Hex } from '../../lib/base/hex.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { loadContracts } from './contracts.ts'
import { withFaultProxy } from './fault-proxy.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { freshNode, call } from './node.ts'
import { ask, rpc, withServer } from './server.ts'
import { EVERYTHING, GAS, HEIR } from './tracing.ts'

/** A remote: a server with blocks. */
export interface RemoteChain {
  readonly port: number
  /** The response of the remote, as it answers a client. */
  readonly ask: (method: string, params?: readonly unknown[]) => Promise<any>
  /** Contract of fixtures/contracts/Tracer.sol. */
  readonly tracer: Hex
  readonly accounts: readonly Hex[]
  /** Number of the newest block. */
  readonly height: number
}

/** Runs a test with a remote of a network, whose blocks have transactions of every kind. */
export async function withRemoteChain(
  options: OptionsInput,
  run: (remote: RemoteChain) => Promise<void>,
): Promise<void> {
  await withServer({ returnHashOnRevert: true, ...options }, async ({ port }) => {
    const respond = async (method: string, params: readonly unknown[] = []) =>
      JSON.parse((await ask({ port }, { body: rpc(method, params) })).text)
    const result = async (method: string, params: readonly unknown[] = []) => {
      const response = await respond(method, params)
      if (response.error !== undefined) throw new Error(`${method}: ${JSON.stringify(response.error)}`)
      return response.result
    }
    const accounts: Hex[] = await result('eth_accounts')
    const tracer = await fill(result, accounts, options.network !== 'network-33')
    const height = Number(await result('eth_blockNumber'))
    await run({ port, ask: respond, tracer, accounts, height })
  })
}

type Ask = (method: string, params?: readonly unknown[]) => Promise<any>

/** Call data for the contract. */
export async function dataOf(functionName: string, args: readonly unknown[]): Promise<Hex> {
  const { abi } = (await loadContracts()).Tracer
  return encodeFunctionData({ abi, functionName, args })
}

/** Sends calls of every function of the contract, and typed transactions; returns the address of the contract. */
async function fill(ask: Ask, accounts: readonly Hex[], isTyped: boolean): Promise<Hex> {
  const [from, other] = accounts
  const { bytecode } = (await loadContracts()).Tracer
  const send = (transaction: object) => ask('eth_sendTransaction', [{ from, gas: GAS, ...transaction }])
  const deployed = await send({ data: bytecode, value: '0x64' })
  const { contractAddress: to } = await ask('eth_getTransactionReceipt', [deployed])
  const lasting = EVERYTHING.filter(([functionName]) => functionName !== 'endChild')
  for (const [functionName, args, value] of lasting)
    await send({ to, data: await dataOf(functionName, args), value })
  await ask('evm_setAutomine', [false])
  await send({ to: other, value: 5 })
  await send({ to, data: await dataOf('nest', [5n]), value: 4 })
  await ask('eth_sendTransaction', [{ from: other, to: from, value: 1, gas: 21_000 }])
  await ask('evm_mine')
  await ask('evm_setAutomine', [true])
  if (isTyped) {
    const accessList = [{ address: to, storageKeys: [`0x${'00'.repeat(32)}`] }]
    await send({ to: HEIR, value: 1, type: '0x1', gasPrice: 2_000_000_000, accessList })
    await send({ to, type: '0x2', data: await dataOf('fill', [9n, 2n]) })
  }
  await ask('hardhat_mine', [3])
  return to
}

/** A fork of a remote, behind a proxy that counts the requests. */
export interface ForkedNode {
  readonly node: Node
  readonly proxy: FaultProxy
  /** Methods that the remote was asked since the last call. */
  readonly asked: () => readonly string[]
}

/** Runs a test with a node that continues the chain of a remote. */
export async function withFork(
  { port }: Pick<RemoteChain, 'port'>,
  options: OptionsInput,
  run: (fork: ForkedNode) => Promise<void>,
): Promise<void> {
  await withFaultProxy(
    () => 'pass',
    async (proxy) => {
      const node = await freshNode({ forkUrl: proxy.httpUrl, noForkCache: true, ...options })
      let seen = 0
      const asked = () => {
        const methods = proxy.received.flatMap(({ requests }) => requests.map(({ method }) => method))
        const added = methods.slice(seen)
        seen = methods.length
        return added
      }
      try {
        asked()
        await run({ node, proxy, asked })
      } finally {
        await node.close()
      }
    },
    { targetPort: port },
  )
}

/** The response of a node in process: its result, or its error without a code. */
export async function respond(node: Node, method: string, params: readonly unknown[]): Promise<any> {
  try {
    return { result: await call(node, method, params) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
