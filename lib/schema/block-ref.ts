/** References to a block: tag, number, hash or an EIP-1898 object. */

import * as z from 'zod'
import type { BlockRef } from '../chain/miner/block-resolver.ts'
import { hash, quantity, text } from './wire.ts'

/** Block tags. `safe` and `finalized` are the head, because no beacon chain finalizes blocks. */
export const TAGS = ['latest', 'earliest', 'pending', 'safe', 'finalized'] as const
type BlockTag = (typeof TAGS)[number]

const BLOCK = `a block: a number, a hash, one of ${TAGS.join(', ')}, {blockHash, requireCanonical} or {blockNumber}`
const EXPECTED = `expected ${BLOCK}`

const isTag = (value: unknown): value is BlockTag => TAGS.some((tag) => tag === value)

const number: z.ZodType<BlockRef> = quantity.transform((value) => ({ number: value }))
const tag: z.ZodType<BlockRef> = text(BLOCK, (value) => {
  const lower = value.toLowerCase()
  return isTag(lower) ? { tag: lower } : undefined
})
/** The hash of a block, canonical or a side block. */
export const blockHashRef: z.ZodType<BlockRef> = hash.transform((value) => ({
  hash: value,
  requireCanonical: false,
}))

// The reference node expects requireCanonical as text, EIP-1898 as a boolean. Both are accepted.
const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')],
  'expected true or false',
)
const object: z.ZodType<BlockRef> = z.union([
  z
    .strictObject({ blockHash: hash, requireCanonical: flag.optional() })
    .transform(({ blockHash, requireCanonical = false }) => ({ hash: blockHash, requireCanonical })),
  z.strictObject({ blockNumber: quantity }).transform(({ blockNumber }) => ({ number: blockNumber })),
])

/** A number, a hash or a tag, but not an EIP-1898 object. */
export const simpleBlockRef: z.ZodType<BlockRef> = z.union(
  [tag, blockHashRef, number],
  'expected a block number, hash or tag',
)

/** Any reference to a block. */
export const blockRef: z.ZodType<BlockRef> = z.union([tag, blockHashRef, number, object], EXPECTED)
