/** Blocks, transactions, logs and the pool in the forms of the reference node (node-rpc 4 and 5.13). */

import { NodeError } from '../../../base/errors.ts'
import { toQuantity } from '../../../base/hex.ts'
import { isJsonObject } from '../../../base/json-text.ts'
import { converted } from '../../../base/routine.ts'
import { TextStream } from '../../../base/text-stream.ts'
import { isPending, splitPool } from '../../../chain/mempool/pending.ts'
import type { FaithfulChain } from './scope.ts'
import { hash } from '../../../schema/wire.ts'
import { renderPending } from '../../../rpc/render/block.ts'
import { answering, plain, type FaithfulCall } from './results.ts'
import { refused, serverError } from './values.ts'

/** A list with its items changed, or an object with its members changed. */
function eachPart(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}

/** Members that the reference lacks: of transactions and logs, and the module of this node's own methods. */
const EXTRA = new Set(['blockTimestamp', 'chainId', 'removed', '_id', 'dev'])

export function withoutExtras(value: unknown): unknown {
  if (!isJsonObject(value)) return eachPart(value, withoutExtras)
  const own = Object.entries(value).filter(([name]) => !EXTRA.has(name))
  return eachPart(Object.fromEntries(own), withoutExtras)
}

/** The error for a block that does not exist, with a text about what was asked for. */
const notFound = (text: string): NodeError => new NodeError('unknownBlock', `Block ${text} not found`)

/** The answer of most methods: the result without extra members, which streams do not have. Errors name a block as the client did. */
export const usual = (call: FaithfulCall, node: FaithfulChain): unknown =>
  converted(namingBlock(call, node), (result) =>
    result instanceof TextStream ? result : withoutExtras(plain(result)),
  )

const namingBlock = answering(['unknownBlock'], (error, { given }) => {
  const block = given.at(-1)
  if (typeof block === 'string') return notFound(block)
  return isJsonObject(block) && 'blockHash' in block
    ? notFound(`with hash ${String(block['blockHash'])}`)
    : error
})

/** For reads by block hash. Errors show the hash without a prefix. */
export const ofHash = answering(['unknownBlock'], (_, { params: [hash] }) =>
  notFound(`with hash ${String(hash).slice(2)}`),
)

/** A block. What the pending block lacks is null; its transactions have the place they would get. */
export const block = ({ run, params: [tag] }: FaithfulCall, node: FaithfulChain): unknown =>
  converted(run(), (result) => {
    const shown = withoutExtras(plain(result))
    if (tag !== 'pending' || !isJsonObject(shown)) return shown
    const place = placeIn(node)
    const transactions = [shown['transactions']]
      .flat()
      .map((one, index) => (isJsonObject(one) ? { ...one, ...place(toQuantity(index)) } : one))
    const nonce = '0x0000000000000000'
    return { ...shown, number: null, nonce, miner: null, totalDifficulty: '0x0', transactions }
  })

function placeIn({ blockResolver }: FaithfulChain) {
  const { hash: blockHash, header } = blockResolver.at({ tag: 'pending' }).block
  const blockNumber = toQuantity(header.number)
  return (transactionIndex: unknown) => ({ blockHash, blockNumber, transactionIndex })
}

/** A transaction that waits for another one is not found. */
export const transaction = (call: FaithfulCall, node: FaithfulChain): unknown => {
  const wanted = hash.parse(call.params[0])
  const isQueued = node.mempool.get(wanted) !== undefined && !isPending(node, wanted)
  return isQueued ? null : usual(call, node)
}

/** Number of transactions of the pending block, without the one that pays out the fees. */
export const pendingCount = (call: FaithfulCall, node: FaithfulChain): unknown =>
  call.params[0] === 'pending' ? toQuantity(pooledIn(node).length) : usual(call, node)

const pooledIn = ({ mempool, chain }: FaithfulChain) =>
  [...splitPool(mempool, chain.head.state).pending.values()].flat()

/** A transaction of a block. For the pending block it is a pooled one, with the place it would get. */
export function transactionAt(call: FaithfulCall, node: FaithfulChain): unknown {
  const [tag, index] = call.params
  if (tag !== 'pending') return usual(call, node)
  const pooled = pooledIn(node)[Number(index)]
  if (pooled === undefined) return null
  return withoutExtras({ ...renderPending(pooled.transaction, node.consensus), ...placeIn(node)(index) })
}

/** Code; null for a block number that does not exist. */
export const code = answering(
  ['unknownBlock'],
  (error, { given }) => (typeof given[1] === 'string' ? null : error),
  namingBlock,
)

/** Params that cannot be read are an error of the node. */
export const readable = answering(['invalidParams'], serverError)

/** A submission. A refusal has no reason. */
export const submission = answering(
  ['submissionRefused'],
  ({ message }) => new NodeError('submissionRefused', message.replace(/( at height \d+): .*/, '$1')),
  readable,
)

const unknownMethod = (): NodeError => new NodeError('methodNotFound', 'method not found')

/** Subscriptions that the reference does not know count as unknown methods. */
export const subscription = answering(['invalidParams', 'needsSocket'], unknownMethod, ({ params, run }) => {
  if (params[0] === 'chainReverted' || params[1] === true) throw unknownMethod()
  return run()
})

/** Without quotas no account has one. */
export const quota = ({ run }: FaithfulCall, { quotas }: FaithfulChain): unknown =>
  quotas === undefined ? null : run()

/** A missing result is an error of the node. */
export const orServerError = ({ run }: FaithfulCall): unknown =>
  converted(run(), (result) => {
    if (result === null) throw serverError()
    return result
  })

/** A result, or an error for wrong params without their place and value. */
export const briefly = answering(['invalidParams'], ({ message }) =>
  refused(message.replace(/^params\[\d\] \(\w+\): (.*), got .*$/, '$1')),
)

/** Pooled transactions without signatures, with their amounts as bytes. */
export const pool = ({ run }: FaithfulCall): unknown =>
  converted(run(), (content) => withPooled(plain(content)))

const withPooled = (value: unknown): unknown =>
  isJsonObject(value) && 'hash' in value ? pooled(value) : eachPart(value, withPooled)

/** Members in the reference's order. */
const POOLED = 'blockHash blockNumber transactionIndex from gas gasPrice hash input nonce to value'.split(' ')

function pooled(transaction: Readonly<Record<string, unknown>>): unknown {
  const { to, gasPrice, value } = transaction
  const amounts = { gasPrice: asBytes(gasPrice), value: asBytes(value) }
  const shown: Record<string, unknown> = { ...transaction, to: to ?? '0x00', ...amounts }
  return Object.fromEntries(POOLED.map((name) => [name, shown[name]]))
}

/** A number of bytes: an even number of digits. */
const asBytes = (quantity: unknown): string => String(quantity).replace(/^0x(?=(..)*.$)/, '0x0')
