/** Random programs of requests that change a node, and everything that can be asked of it. */

import fc from 'fast-check'
import { NodeError } from '../../lib/base/errors.ts'
import { fromHex, toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node.ts'
import type { Method } from '../../lib/rpc/method.ts'
import { allMethods } from '../../lib/rpc/methods/all.ts'
import { moduleOf } from '../../lib/rpc/registry.ts'
import { auxBlockFor, partsOf } from './aux-blocks.ts'
import { CONTRACTS, creationCode, words } from './bytecode.ts'
import { call, elapse } from './node.ts'
import type { ManualOutside } from './node.ts'

/** A request, or time that passes. `spice` chooses among what is there when it is made. */
export interface RpcStep {
  readonly method: string
  readonly spice: readonly number[]
}

/** What a step is made for. */
interface Place {
  readonly node: Node
  /** Snapshots before this one are not reverted to. */
  readonly base: bigint
  readonly spice: readonly number[]
}

const pick = <T>(from: readonly T[], n: number): T => from[n % from.length]!
const small = (n: number): string => toQuantity(n % 5)

/** A contract of the ones that were mined, or an address without code. */
function contractOf({ node, spice: [, , n] }: Place): string {
  const created = [...Array(Number(node.chain.head.block.header.number)).keys()].flatMap((height) =>
    node.chain.at(BigInt(height + 1))!.block.receipts.flatMap(({ outcome }) => outcome.contractAddress ?? []),
  )
  return pick([...created, `0x${'cc'.repeat(20)}`], n!)
}

function transactionOf(place: Place) {
  const { node, spice } = place
  const [kind, sender, , amount, price, ahead] = spice as [number, number, number, number, number, number]
  const from = pick(node.funded.slice(0, 3), sender).address
  const next = node.mempool.nextNonce(from, node.chain.head.state.nonce(from))
  // Mostly the next nonce; sometimes one that waits is replaced, sometimes a gap is left.
  const nonce = next + (ahead % 6 === 0 ? 2n : ahead % 6 === 1 && next > 0n ? -1n : 0n)
  const fields = {
    from,
    nonce: toQuantity(nonce),
    gasPrice: toQuantity(2_000_000_000n + BigInt(price)),
    gas: '0x30d40',
  }
  const code = pick([CONTRACTS.store, CONTRACTS.environment, CONTRACTS.destroy, CONTRACTS.revert], amount)
  return pick(
    [
      { ...fields, to: pick(node.funded, amount).address, value: toQuantity(amount) },
      { ...fields, to: contractOf(place), data: words([BigInt(amount % 4), BigInt(price % 3)]) },
      { ...fields, data: toHex(creationCode(code)) },
    ],
    kind,
  )
}

function signedOf(place: Place): string {
  const { from, to, value, data, nonce, gasPrice, gas } = {
    to: undefined,
    value: '0x0',
    data: '0x',
    ...transactionOf(place),
  }
  const { privateKey } = place.node.funded.find(({ address }) => address === from)!
  const price = BigInt(gasPrice)
  const fields = {
    ...{ type: 0, nonce: BigInt(nonce), gasLimit: BigInt(gas), value: BigInt(value), data: fromHex(data) },
    ...{ to: to as typeof from | undefined, maxFeePerGas: price, maxPriorityFeePerGas: price },
  }
  return toHex(place.node.codec.sign(fields, privateKey, from).encoded)
}

const nothing = () => []
const toWord = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`

/** Some work that was handed out, mostly the last, or none. */
function someWork({ node, spice }: Place): string {
  const work = node.world.peek().get('work') as { candidates: readonly { hash: string }[] }
  const { candidates } = work
  const chosen = spice[5]! % 2 === 0 ? candidates[0] : candidates[spice[4]! % candidates.length]
  return chosen?.hash ?? toWord(0)
}

/** A block of the auxiliary chain for it. */
const solutionOf = (place: Place): Uint8Array => auxBlockFor(someWork(place), place.spice[0])

const filterId = ({ spice: [n] }: Place) => [toQuantity((n! % 8) + 1)]

/** Params of methods that write, by name; the others are called as in their example. */
const MAKERS: Readonly<Record<string, (place: Place) => readonly unknown[]>> = {
  eth_sendTransaction: (place: Place) => [transactionOf(place)],
  eth_sendRawTransaction: (place: Place) => [signedOf(place)],
  evm_snapshot: nothing,
  // Never the one that the program goes back to.
  node_dropSnapshot: ({ base, spice: [n] }: Place) => [toQuantity(base + 1n + BigInt(n! % 4))],
  evm_revert: ({ base, spice: [n] }: Place) => [toQuantity(base + BigInt(n! % 4))],
  evm_mine: ({ spice: [n] }: Place) => (n! % 2 === 0 ? [] : [{ blocks: small(n!) }]),
  hardhat_mine: ({ spice: [n, gap] }: Place) => [small(n!), small(gap!)],
  evm_startMining: nothing,
  evm_stopMining: nothing,
  evm_increaseTime: ({ spice: [n] }: Place) => [toQuantity(n!)],
  evm_setNextBlockTimestamp: ({ node, spice: [n] }: Place) => [
    toQuantity(node.chain.head.block.header.timestamp + BigInt(n!)),
  ],
  eth_newFilter: ({ spice: [n] }: Place) => [n! % 2 === 0 ? {} : { fromBlock: small(n!) }],
  eth_newBlockFilter: nothing,
  eth_newPendingTransactionFilter: nothing,
  eth_getFilterChanges: filterId,
  eth_getFilterLogs: filterId,
  eth_uninstallFilter: filterId,
  eth_getWork: nothing,
  eth_submitWork: (place: Place) => {
    const [n] = place.spice
    return [toWord(n!).slice(0, 18), someWork(place), toWord(n!)]
  },
  eth_submitHashrate: ({ spice: [n] }: Place) => [toWord(n!), toWord(n! % 3)],
  mnr_getWork: nothing,
  mnr_submitAuxBlock: (place: Place) => [toHex(solutionOf(place)).slice(2)],
  mnr_submitAuxBlockTransactions: (place: Place) => {
    const { header, coinbase, id } = partsOf(solutionOf(place))
    return ['', header, coinbase, id]
  },
  mnr_submitAuxBlockPartialMerkle: (place: Place) => {
    const { header, coinbase, id } = partsOf(solutionOf(place))
    return ['', header, coinbase, id, '1']
  },
  sco_banAddress: ({ spice: [n] }: Place) => [`10.0.0.${n! % 4}`],
  sco_unbanAddress: ({ spice: [n] }: Place) => [`10.0.0.${n! % 4}`],
}

/** Modules that write what a revert keeps: keys and the opinion of peers are no chain state. */
const KEPT = ['personal', 'sco']

/** Methods that drop all snapshots. */
const RESETS = ['evm_reset', 'hardhat_reset']

/** Every method that changes the chain, but for those. */
const WRITERS = allMethods.methods.filter(
  ({ name, access }) => access === 'write' && !RESETS.includes(name) && !KEPT.includes(moduleOf(name)),
)

function paramsOf({ name, example }: Method, place: Place): readonly unknown[] {
  const make = MAKERS[name]
  return make === undefined ? example.params : make(place)
}

/** Any step; transactions come most often. */
export const anyRpcStep: fc.Arbitrary<RpcStep> = fc.record({
  method: fc.oneof(
    { arbitrary: fc.constantFrom('time', ...WRITERS.map(({ name }) => name)), weight: 1 },
    {
      arbitrary: fc.constantFrom('eth_sendTransaction', 'eth_sendRawTransaction'),
      weight: 1,
    },
  ),
  spice: fc.array(fc.nat(1_000), { minLength: 6, maxLength: 6 }),
})

/** Does the step; what the node refuses is a step too. */
export async function doStep(
  { node, outside, base }: { readonly node: Node; readonly outside: ManualOutside; readonly base: bigint },
  { method, spice }: RpcStep,
): Promise<void> {
  const writer = WRITERS.find(({ name }) => name === method)
  // Else time passes.
  if (writer === undefined) return elapse(node, outside, spice[0]! * 10)
  try {
    await call(node, method, paramsOf(writer, { node, base, spice }))
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
  }
}

/** Requests that change nothing: as many ways to look at a node as there are. */
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
    ['eth_estimateGas', [transfer]],
    ['eth_call', [{ ...transfer, to: contracts[0] }, 'pending']],
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
