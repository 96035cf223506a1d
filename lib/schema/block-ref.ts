/** References to a block: tag, number, hash or an EIP-1898 object. */

import * as z from 'zod'
import { asHash } from '../base/hex.ts'
import type { BlockRef } from '../miner/views.ts'
import { hash, quantity } from './wire.ts'

/** Block tags. `safe` and `finalized` are the head, because no beacon chain finalizes blocks. */
export const TAGS = ['latest', 'earliest', 'pending', 'safe', 'finalized'] as const
type BlockTag = (typeof TAGS)[number]

const EXPECTED = `expected a block: a number, a hash, one of ${TAGS.join(', ')}, or {blockHash} or {blockNumber}`

const isTag = (value: unknown): value is BlockTag => TAGS.some((tag) => tag === value)
const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)

const number: z.ZodType<BlockRef> = quantity.transform((value) => ({ number: value }))
const tag: z.ZodType<BlockRef> = z
  .string()
  .transform((value) => value.toLowerCase())
  .refine(isTag, { error: EXPECTED })
  .transform((value) => ({ tag: value }))
const byHash: z.ZodType<BlockRef> = z
  .string()
  .refine(isHash, { error: EXPECTED })
  .transform((value) => ({ hash: asHash(value), requireCanonical: false }))

// The reference node expects requireCanonical as text, EIP-1898 as a boolean. Both are accepted.
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], {
  error: 'expected true or false',
})
const object: z.ZodType<BlockRef> = z
  .strictObject({
    blockHash: hash.optional(),
    blockNumber: quantity.optional(),
    requireCanonical: flag.optional(),
  })
  .transform((value, context): BlockRef => {
    if (value.blockHash !== undefined) {
      return { hash: value.blockHash, requireCanonical: value.requireCanonical ?? false }
    }
    if (value.blockNumber !== undefined) return { number: value.blockNumber }
    context.addIssue(EXPECTED)
    return z.NEVER
  })

/** A number, a hash or a tag, but not an EIP-1898 object. */
export const blockNumber: z.ZodType<BlockRef> = z.union([tag, byHash, number], {
  error: 'expected a block number, hash or tag',
})

/** Any reference to a block. */
export const blockRef: z.ZodType<BlockRef> = z.union([tag, byHash, number, object], { error: EXPECTED })
