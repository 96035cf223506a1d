/**
 * Which sender's transactions come first in a block at equal prices. On the reference node Java's HashMap of senders decides it, and
 * then its PriorityQueue (node-chain 7.6): addresses and hashes, not arrival.
 */

import { fromHex, type Address, type Hash } from '../../../base/hex.ts'
import type { ArrivedTransaction } from '../../../networks/consensus/admission.ts'

/** The queues of the senders as the reference node's map of senders has them. */
export function inSenderMapOrder<T extends ArrivedTransaction>(
  queues: readonly (readonly T[])[],
): readonly (readonly T[])[] {
  const arrived = queues.flat().sort((left, right) => left.arrival - right.arrival)
  const pooled = inMapOrder(arrived, ({ transaction }) => hashCode(transaction.hash))
  // A sender is inserted with the first of its transactions in the map of the pool.
  const senders = new Set(pooled.map(({ transaction }) => transaction.sender))
  const bySender = new Map(queues.map((queue) => [queue[0]?.transaction.sender, queue]))
  return inMapOrder([...senders], addressCode).map((sender) => bySender.get(sender) ?? [])
}

/** Hash code of a transaction there: the last four bytes of its hash. */
const hashCode = (hash: Hash): number => Number(`0x${hash.slice(-8)}`)

/** Hash code of an address there: Java's `Arrays.hashCode(byte[])`. */
const addressCode = (address: Address): number =>
  new Int8Array(fromHex(address)).reduce((code, byte) => Math.imul(31, code) + byte, 1)

/**
 * The order of keys in Java's HashMap: by bucket, then by insertion. It has the buckets of a map that never was larger: a pool that
 * once held more transactions may have more.
 */
function inMapOrder<Key>(keys: readonly Key[], codeOf: (key: Key) => number): readonly Key[] {
  let buckets = 16
  while (keys.length > buckets * 0.75) buckets *= 2
  const bucketOf = (code: number): number => (code ^ (code >>> 16)) & (buckets - 1)
  const placed = keys.map((key) => ({ key, bucket: bucketOf(codeOf(key)) }))
  return placed.sort((left, right) => left.bucket - right.bucket).map(({ key }) => key)
}
