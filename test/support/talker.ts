/** A node with the contract of fixtures/contracts/Talker.sol, and the log of its requests. */

import { encodeFunctionData } from 'viem'
import type { Hex } from '../../lib/base/hex.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import type { Node } from '../../lib/node/node.ts'
import { loadContracts } from './contracts.ts'
import { ManualHost, call, dispatcherOf, freshNode } from './node.ts'
import { COW } from './signing.ts'

/** A node, the contract on it, and requests to it. */
export interface TalkingNode {
  readonly node: Node
  readonly host: ManualHost
  readonly talker: Hex
  /** A request that calls or sends the function. */
  readonly request: (functionName: string, args?: readonly unknown[]) => object
  /** Log of a request. */
  readonly logged: (
    method: string,
    params?: readonly unknown[],
    dialect?: Dialect,
  ) => Promise<RequestLogEntry>
}

/** Deploys the contract. */
export async function talkingNode(options: OptionsInput = {}): Promise<TalkingNode> {
  const host = new ManualHost()
  const node = await freshNode(options, host)
  const { abi, bytecode } = (await loadContracts()).Talker
  const [from = COW] = (await call(node, 'eth_accounts')) as string[]
  const deployed = await call(node, 'eth_sendTransaction', [{ from, gas: 3_000_000, data: bytecode }])
  const { contractAddress: talker } = await call(node, 'eth_getTransactionReceipt', [deployed])
  const request = (functionName: string, args: readonly unknown[] = []) => ({
    from,
    to: talker,
    gas: '0x2dc6c0',
    data: encodeFunctionData({ abi, functionName, args }),
  })
  const logged = async (
    method: string,
    params: readonly unknown[] = [],
    dialect: Dialect = node.options.dialect ?? 'node33',
  ): Promise<RequestLogEntry> => {
    const entries: RequestLogEntry[] = []
    const dispatcher = dispatcherOf(node, { onRequest: (entry) => entries.push(entry) })
    await dispatcher.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), dialect)
    return entries[0]!
  }
  return { node, host, talker, request, logged }
}
