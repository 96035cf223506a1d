/** Schemas of basic values on the wire. Each parses untrusted JSON; its error message contains the expected form. */

import * as z from 'zod'
import type { Phrases } from '../config/phrases.ts'
import { asAddress, asHash, readHex, toWord, type Address, type Hash } from '../base/hex.ts'
import { LAST_TIME, MAX_UINT64, MAX_UINT256 } from '../base/limits.ts'

/** What an issue tells other dialects: Hardhat's name of the type, or the texts for a rule that values break. */
export const issueDetails = z.object({
  hardhatType: z.string().optional(),
  phrases: z.custom<Phrases>().optional(),
  /** Whether the last part of the path is wrong itself, not the value there. */
  isKey: z.boolean().optional(),
})

/** A schema of text that `parse` reads; without a result the error is `expected <expected>`. */
export function text<T>(expected: string, parse: (value: string) => T | undefined, hardhatType?: string) {
  const message = `expected ${expected}`
  return z.string({ error: message }).transform((value, context) => {
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message, params: { hardhatType } })
    return z.NEVER
  })
}

/** DATA of 20 bytes; any letter case, the checksum is not verified. */
export const address: z.ZodType<Address> = text(
  'a 20-byte address',
  (value) => (/^0x[0-9a-fA-F]{40}$/.test(value) ? asAddress(value) : undefined),
  'ADDRESS',
)

/** DATA of 32 bytes. */
export const hash: z.ZodType<Hash> = text('a 32-byte hash', (value) =>
  /^0x[0-9a-fA-F]{64}$/.test(value) ? asHash(value) : undefined,
)

/** DATA of any length. */
export const data: z.ZodType<Uint8Array> = text('hex data (0x and an even number of digits)', readHex, 'DATA')

/** A number as hex, as decimal text or as a JSON integer, as the reference reads them (node-rpc 3.3). */
function integer(expected: string, max: bigint, pattern = NUMBER): z.ZodType<bigint> {
  const message = `expected ${expected}`
  return z.union([z.string(), z.number()], { error: message }).transform((value, context) => {
    const parsed = isInteger(value, pattern) ? BigInt(value) : undefined
    if (parsed !== undefined && parsed <= max) return parsed
    context.addIssue({ code: 'custom', message, params: { hardhatType: 'QUANTITY' } })
    return z.NEVER
  })
}

const NUMBER = /^(0x[0-9a-fA-F]{1,80}|[0-9]{1,80})$/

function isInteger(value: string | number, pattern: RegExp): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0
  return pattern.test(value)
}

/** QUANTITY of up to 256 bits. */
export const quantity: z.ZodType<bigint> = integer('a quantity (a hex string such as "0x1f")', MAX_UINT256)

/** QUANTITY of up to 64 bits: gas, nonces, times. */
export const quantity64: z.ZodType<bigint> = integer('a quantity of up to 64 bits', MAX_UINT64)

/** Also reads `0x` as zero: helpers that strip zeros send it, and other development nodes accept it. */
export const strippable = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (value === '0x' ? '0x0' : value), schema)

/** A time in seconds since the epoch, or a duration. */
export const seconds: z.ZodType<bigint> = integer('a number of seconds up to the year 9999', LAST_TIME)

/** A count or an index, small enough to be a JavaScript number. */
export const index: z.ZodType<number> = integer(
  'an index up to 0x7fffffff (a hex string such as "0x0")',
  2n ** 31n - 1n,
).transform(Number)

/** Hex of up to 32 bytes, also with leading zeros, or a decimal number. */
const UP_TO_32_BYTES = /^(0x[0-9a-fA-F]{1,64}|[0-9]{1,80})$/

/** A storage position: a quantity or up to 32 bytes (geth, internal/ethapi/api.go, decodeStorageKey). */
export const slot: z.ZodType<Hash> = integer(
  'a storage position of up to 32 bytes',
  MAX_UINT256,
  UP_TO_32_BYTES,
).transform(toWord)

/** A JSON integer of at least zero. */
export const natural = z.int('expected an integer').nonnegative('expected an integer that is not negative')

/** A JSON integer in a range. */
export function wholeNumber(least: number, most: number) {
  const expected = `expected a whole number from ${least} to ${most}`
  return z.int(expected).min(least, expected).max(most, expected)
}

export const boolean: z.ZodType<boolean> = z.boolean('expected true or false')

export const oneOf = <const Texts extends readonly string[]>(texts: Texts) =>
  z.enum(texts, `expected one of ${texts.join(', ')}`)

/** An optional param; null means absent. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => value ?? undefined, schema.optional())

/** An optional param with a default, given as on the wire; null means absent. */
export const optionalWith = <T extends z.ZodType>(schema: T, wireDefault: string | boolean | number) =>
  z.preprocess((value) => value ?? wireDefault, schema)

/** An object whose keys the client chooses, as a map. A key `__proto__`, which zod omits, is refused as invalid. */
export function map<Key, T extends z.ZodType>(
  key: z.ZodType<Key>,
  value: T,
  errors: { readonly map: string; readonly key: string },
) {
  return record(value, errors.map).transform((entries, context) => {
    const parsed = new Map<Key, z.output<T>>()
    for (const [name, member] of Object.entries(entries)) {
      const known = key.safeParse(name)
      if (!known.success) {
        context.addIssue({ code: 'custom', message: errors.key, path: [name], params: { isKey: true } })
        return z.NEVER
      }
      parsed.set(known.data, member)
    }
    return parsed
  })
}

function record<T extends z.ZodType>(value: T, error: string) {
  return z
    .custom<Record<string, unknown>>((value) => isObject(value) && !Object.hasOwn(value, '__proto__'), error)
    .pipe(z.record(z.string(), value, { error }))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
