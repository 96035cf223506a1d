/** Blocks, transactions, logs and the pool in the forms of the reference node (node-rpc 4 and 5.13). */

import { NodeError } from '../../base/errors.ts'
import { toQuantity } from '../../base/hex.ts'
import { isJsonObject } from '../../base/json-text.ts'
import { converted, recovered } from '../../base/routine.ts'
import { isPending, splitPool } from '../../chain/mempool/pending.ts'
import type { Node } from '../../node/node.ts'
import { hash } from '../../schema/wire.ts'
import { renderPending } from '../render/transaction.ts'
import { plain, type FaithfulCall } from './results.ts'
import { serverError } from './values.ts'

/** Changes each object in a result, also within lists. */
function eachObject(value: unknown, change: (one: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change))
  return isJsonObject(value) ? change({ ...value }) : value
}

/** Members that the reference does not have. */
const EXTRA = new Set(['blockTimestamp', 'chainId', 'removed', '_id'])

/** Removes the extra members of transactions, receipts, logs and the lists in them. */
export function withoutExtras(value: unknown): unknown {
  return eachObject(value, (one) =>
    Object.fromEntries(
      Object.entries(one).flatMap(([name, member]) =>
        EXTRA.has(name) ? [] : [[name, typeof member === 'object' ? withoutExtras(member) : member]],
      ),
    ),
  )
}

/** A result with transactions, receipts or logs. */
export const shaped = ({ run }: FaithfulCall): unknown =>
  converted(run(), (result) => withoutExtras(plain(result)))

/** A block. What the pending block lacks is null, and its transactions have the place that they would get. */
export const block = ({ run, params: [tag] }: FaithfulCall, { blockResolver }: Node): unknown =>
  converted(run(), (result) => {
    const shown = withoutExtras(plain(result))
    if (tag !== 'pending' || !isJsonObject(shown)) return shown
    const { block: pending } = blockResolver.at({ tag })
    const place = { blockHash: pending.hash, blockNumber: toQuantity(pending.header.number) }
    let position = 0
    const placed = (one: Record<string, unknown>) => ({
      ...one,
      ...place,
      transactionIndex: toQuantity(position++),
    })
    const transactions = eachObject(shown['transactions'], placed)
    const nonce = '0x0000000000000000'
    return { ...shown, number: null, nonce, miner: null, totalDifficulty: '0x0', transactions }
  })

/** A transaction that waits for another one is not found. */
export const transaction = (call: FaithfulCall, node: Node): unknown => {
  const wanted = hash.parse(call.params[0])
  const isQueued = node.mempool.get(wanted) !== undefined && !isPending(node, wanted)
  return isQueued ? null : shaped(call)
}

/** A result, or the error for a block that does not exist with a text about what was asked for. */
const naming = ({ run }: FaithfulCall, textOf: () => string | undefined): unknown =>
  recovered(run, (error) => {
    const text = error instanceof NodeError && error.kind === 'unknownBlock' ? textOf() : undefined
    throw text === undefined ? error : new NodeError('unknownBlock', `Block ${text} not found`)
  })

/** What is read at a block, which errors name as the client did. */
export const ofBlock = (call: FaithfulCall): unknown =>
  naming(call, () => {
    const block = call.given.at(-1)
    if (typeof block === 'string') return block
    return isJsonObject(block) && 'blockHash' in block ? `with hash ${String(block['blockHash'])}` : undefined
  })

/** What is read at the hash of a block, which errors name without a prefix. */
export const ofHash = (call: FaithfulCall): unknown =>
  naming(call, () => `with hash ${String(call.params[0]).slice(2)}`)

/** Number of transactions of the pending block, without the one that pays out the fees. */
export const pendingCount = (call: FaithfulCall, { mempool, chain }: Node): unknown => {
  if (call.params[0] !== 'pending') return ofBlock(call)
  const { pending } = splitPool(mempool, chain.head.state)
  return toQuantity([...pending.values()].flat().length)
}

/** Code; null at a number that no block has. */
export const code = (call: FaithfulCall): unknown =>
  recovered(
    () => ofBlock(call),
    (error) => {
      const isUnknown = error instanceof NodeError && error.kind === 'unknownBlock'
      if (isUnknown && typeof call.given[1] === 'string') return null
      throw error
    },
  )

/** A submission; bytes that cannot be read are an error of the node. */
export const readable = ({ run }: FaithfulCall): unknown =>
  recovered(run, (error) => {
    throw error instanceof NodeError && error.kind === 'invalidParams' ? serverError() : error
  })

/** Without a quota no account has one. */
export const quota = ({ run }: FaithfulCall, { quotas }: Node): unknown =>
  quotas === undefined ? null : run()

/** What is not there is an error of the node. */
export const orServerError = ({ run }: FaithfulCall): unknown =>
  converted(run(), (result) => {
    if (result === null) throw serverError()
    return result
  })

/** A number of bytes: an even number of digits. */
const asBytes = (quantity: unknown): string => {
  const digits = String(quantity).slice(2)
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

/** A transaction of a block. At the pending block it is one of the pool, with the place that it would get. */
export const transactionAt = (
  call: FaithfulCall,
  { mempool, chain, blockResolver, consensus }: Node,
): unknown => {
  const [tag, index] = call.params
  if (tag !== 'pending') return shaped(call)
  const pooled = [...splitPool(mempool, chain.head.state).pending.values()].flat()[Number(index)]
  if (pooled === undefined) return null
  const { block: pending } = blockResolver.at({ tag })
  const place = { blockHash: pending.hash, blockNumber: toQuantity(pending.header.number) }
  return withoutExtras({ ...renderPending(pooled.transaction, consensus), ...place, transactionIndex: index })
}

/** A result, or the error for params without the place and the value. */
export const briefly = ({ run }: FaithfulCall): unknown =>
  recovered(run, (error) => {
    if (!(error instanceof NodeError) || error.kind !== 'invalidParams') throw error
    throw new NodeError('invalidParams', error.message.replace(/^params\[\d\] \(\w+\): (.*), got .*$/, '$1'))
  })

/** Pooled transactions with their amounts as bytes, and without a signature. */
export const pool = ({ run }: FaithfulCall): unknown =>
  converted(run(), (content) =>
    eachObject(plain(content), (part) =>
      eachValue(part, (senders) => eachValue(senders, (nonces) => eachValue(nonces, pooled))),
    ),
  )

const eachValue = (value: unknown, change: (member: unknown) => unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
    : change(value)

const pooled = (list: unknown): unknown =>
  eachObject(
    list,
    ({ blockHash, blockNumber, transactionIndex, from, gas, gasPrice, hash: own, ...rest }) => ({
      blockHash,
      blockNumber,
      transactionIndex,
      from,
      gas,
      gasPrice: asBytes(gasPrice),
      hash: own,
      input: rest['input'],
      nonce: rest['nonce'],
      to: rest['to'] ?? '0x00',
      value: asBytes(rest['value']),
    }),
  )

/** Modules of the reference: those of this node alone are not listed. */
export const modules = ({ run }: FaithfulCall): unknown =>
  converted(run(), (result) => eachObject(result, ({ dev: _, ...names }) => names))
