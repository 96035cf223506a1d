/** Nodes with --faithful, and their answers as clients get them. */

import type { OptionsInput } from '../../lib/modules/options.ts'
import { NodeError } from '../../lib/base/errors.ts'
import type { Reader } from '../../lib/modules/network-33/faithful/values.ts'
import { ManualHost, dispatcherOf, freshNode } from './node.ts'

/** A node without a quota, unless the options have one. `ask` returns the result, or the error object. */
export async function faithfulNode(options: OptionsInput = {}) {
  const host = new ManualHost()
  const node = await freshNode({ faithful: true, gasQuota: false, ...options }, host)
  const dispatcher = dispatcherOf(node)
  const post = (body: string) => dispatcher.answer(body, 'node33')
  const ask = async (method: string, ...params: readonly unknown[]): Promise<any> => {
    const answer = JSON.parse((await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))!)
    return 'error' in answer ? answer.error : answer.result
  }
  const accounts = node.funded.map(({ address }) => address)
  const [owner, other] = [accounts[0]!, accounts[1]!]
  const send = (fields: object) => ask('eth_sendTransaction', { from: owner, gas: '0x100000', ...fields })
  const deploy = async (data: string): Promise<string> =>
    (await ask('eth_getTransactionReceipt', await send({ data }))).contractAddress
  return { node, host, post, ask, send, deploy, owner, other }
}

/** What a reader makes of a value, or the text with which it refuses it. */
export function read(reader: Reader, value: unknown): unknown {
  try {
    return reader(value)
  } catch (error) {
    if (error instanceof NodeError) return `! ${error.message}`
    throw error
  }
}
