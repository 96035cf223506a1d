/** Generates random sequences of writing requests, and all reading requests of a node. */

import fc from 'fast-check'
import { NodeError } from '../../lib/base/errors.ts'
import { toQuantity } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node.ts'
import { allMethods } from '../../lib/rpc/methods/all.ts'
import { words } from './bytecode.ts'
import { call, elapse } from './node.ts'
import type { ManualHost } from './node.ts'
import { KEPT_WRITES, paramsFor } from './write-params.ts'

/** A request, or a pause. `choices` select among the contents of the node when it is made. */
export interface RpcStep {
  readonly method: string
  readonly choices: readonly number[]
}

/** Methods that drop all snapshots. */
const RESETS = ['evm_reset', 'hardhat_reset']

/** Every method that changes the chain, without the resets. */
const WRITERS = allMethods.methods.filter(
  ({ name, access }) => access === 'write' && !RESETS.includes(name) && !KEPT_WRITES.includes(name),
)

/** Any step; transactions are the most frequent. */
export const anyRpcStep: fc.Arbitrary<RpcStep> = fc.record({
  method: fc.oneof(
    { arbitrary: fc.constantFrom('time', ...WRITERS.map(({ name }) => name)), weight: 1 },
    {
      arbitrary: fc.constantFrom('eth_sendTransaction', 'eth_sendRawTransaction'),
      weight: 1,
    },
  ),
  choices: fc.array(fc.nat(1_000), { minLength: 6, maxLength: 6 }),
})

/** Runs the step; a rejected request is a step too. */
export async function doStep(
  { node, host, base }: { readonly node: Node; readonly host: ManualHost; readonly base: bigint },
  { method, choices }: RpcStep,
): Promise<void> {
  const writer = WRITERS.find(({ name }) => name === method)
  // No writer: the method is 'time'.
  if (writer === undefined) return elapse(node, host, choices[0]! * 10)
  try {
    await call(node, method, await paramsFor(method, { node, base, choices }))
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
  }
}

/** Reading requests of a node. */
export function readRequests(node: Node): readonly (readonly [method: string, params: readonly unknown[]])[] {
  const accounts = [...node.funded.slice(0, 4).map(({ address }) => address), node.network.coinbase]
  const contracts = [...node.chain.head.state.accounts()]
    .filter(([, { code }]) => code.length > 0)
    .map(([address]) => address)
    .slice(0, 3)
  const head = node.chain.head.block
  const heights = ['earliest', 'latest', 'pending', toQuantity(head.header.number), '0x2']
  const mined = head.receipts.map(({ transaction }) => transaction.hash).slice(0, 2)
  const waiting = [...node.mempool.all()].map(({ transaction }) => transaction.hash).slice(0, 3)
  const transfer = { from: accounts[0], to: accounts[1], value: '0x1' }
  const tags = ['latest', 'pending']
  return [
    ...['eth_blockNumber', 'eth_gasPrice', 'eth_mining', 'eth_pendingTransactions'].map(
      (method) => [method, []] as const,
    ),
    ...accounts.flatMap((address) =>
      tags.flatMap((tag) => [
        ['eth_getBalance', [address, tag]] as const,
        ['eth_getTransactionCount', [address, tag]] as const,
      ]),
    ),
    ...contracts.flatMap((address) => [
      ['eth_getCode', [address, 'latest']] as const,
      ['eth_getStorageAt', [address, '0x1', 'latest']] as const,
      ['eth_getStorageAt', [address, '0x1', 'pending']] as const,
      ['eth_getProof', [address, ['0x0', '0x1'], 'latest']] as const,
      ['eth_call', [{ to: address, data: words([1n, 1n]) }, 'latest']] as const,
    ]),
    ...heights.flatMap((height) => [
      ['eth_getBlockByNumber', [height, true]] as const,
      ['eth_getTransactionByBlockNumberAndIndex', [height, '0x0']] as const,
    ]),
    ['eth_getBlockTransactionCountByNumber', ['pending']],
    ['eth_getBlockByHash', [head.hash, false]],
    ['eth_getBlockTransactionCountByHash', [head.hash]],
    ['eth_getTransactionByBlockHashAndIndex', [head.hash, '0x0']],
    ...[...mined, ...waiting].flatMap((hash) => [
      ['eth_getTransactionByHash', [hash]] as const,
      ['eth_getTransactionReceipt', [hash]] as const,
    ]),
    ['eth_getLogs', [{ fromBlock: 'earliest' }]],
    ['eth_getLogs', [{ fromBlock: 'pending' }]],
    ['eth_estimateGas', [transfer]],
    ['eth_call', [{ ...transfer, to: contracts[0] }, 'pending']],
  ]
}

/** Requests about the keys of a node. */
export function keyRequests({ keystore }: Node): ReturnType<typeof readRequests> {
  return [
    ['eth_accounts', []],
    ...keystore.addresses.map((address) => ['eth_sign', [address, '0x01']] as const),
  ]
}

/** Answers of the requests; an error is an answer too. */
export async function answersOf(
  node: Node,
  requests: ReturnType<typeof readRequests>,
): Promise<readonly string[]> {
  const answers: string[] = []
  for (const [method, params] of requests) {
    const answer = await call(node, method, params).catch((error: unknown) => String(error))
    answers.push(`${method} ${JSON.stringify(params)}: ${JSON.stringify(answer)}`)
  }
  return answers
}
