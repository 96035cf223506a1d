/** Schemas of keys, passphrases, signatures, unlock durations and typed data. */

import * as z from 'zod'
import { isJsonObject, jsonValue } from '../base/json-text.ts'
import { fromHex } from '../base/hex.ts'
import { dataText, transactionObject } from './results.ts'
import { data } from './wire.ts'
import type { TypedData, TypedMember } from '../accounts/signed-data.ts'

/** Any text, which may be empty. */
export const passphrase: z.ZodType<string> = z.string('expected a passphrase (text)')

/** Any text, which may be empty. */
export const seed: z.ZodType<string> = z.string('expected a seed (text)')

/** Order of the group of secp256k1 (SEC 2, section 2.4.1). A private key is from 1 to one below it. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** 32 bytes, with or without prefix (node-rpc 3.11). */
export const privateKey: z.ZodType<Uint8Array> = z
  .string('expected a private key')
  .refine((text) => /^(0x)?[0-9a-fA-F]{64}$/.test(text), {
    error: 'expected a private key (32 bytes as hex)',
    abort: true,
  })
  .transform((text) => (text.startsWith('0x') ? text : `0x${text}`))
  .refine(
    (text) => BigInt(text) > 0n && BigInt(text) < ORDER,
    'expected a private key above zero and below the order of secp256k1',
  )
  .transform(fromHex)

/** r, s and v: 65 bytes. */
export const signature: z.ZodType<Uint8Array> = data.refine(
  (bytes) => bytes.length === 65,
  'expected a signature (65 bytes)',
)

const DURATION =
  'expected a number of seconds, 0 for no end, or milliseconds as a hex string such as "0x1d4c0", up to 2^53 milliseconds'

/** A JSON number is seconds for geth and its clients; 0 means no end (geth, internal/ethapi). */
const inSeconds = z
  .number()
  .refine((span) => Number.isSafeInteger(span) && span >= 0 && Number.isSafeInteger(span * 1000))
  .transform((span) => (span === 0 ? Infinity : span * 1000))

/** A hex string is milliseconds for the reference (node-rpc 3.6). */
const inMilliseconds = z
  .string()
  .refine((text) => /^0x[0-9a-fA-F]{1,14}$/.test(text) && Number.isSafeInteger(Number(text)))
  .transform(Number)

/**
 * How long an account stays unlocked, in milliseconds; absent for the default.
 * The JSON type sets the unit: a number is seconds (geth, Ganache, web3.js), a hex string is milliseconds (the reference).
 */
export const unlockDuration: z.ZodType<number | undefined> = z.preprocess(
  // node-rpc 3.6: empty and null mean the default.
  (value) => (value === '' || value === null ? undefined : value),
  z.union([inSeconds, inMilliseconds], DURATION).optional(),
)

/** A signed transaction that was not sent: its bytes and its members. */
export const signedTransactionObject = z.strictObject({ raw: dataText, tx: transactionObject })

/** An object whose members are checked later, according to their types. */
const members = (what: string) => z.custom<TypedData['message']>(isJsonObject, `expected an object: ${what}`)

const struct = z.array(
  z.object(
    { name: z.string('expected a name'), type: z.string('expected a type') },
    'expected a member {name, type}',
  ),
  'expected the members of a struct as an array of {name, type}',
)

/** Not z.record(), which omits a key `__proto__`. */
const types = members('structs by name').transform((given, context) => {
  const structs = new Map<string, readonly TypedMember[]>()
  for (const [name, value] of Object.entries(given)) {
    const parsed = struct.safeParse(value)
    if (parsed.success) structs.set(name, parsed.data)
    for (const { message, path } of parsed.error?.issues ?? []) {
      context.addIssue({ code: 'custom', message, path: [name, ...path] })
    }
  }
  return structs
})

/** Typed data. Hashing checks that values fit their types. Unknown members are ignored. */
export const typedData: z.ZodType<TypedData> = z.preprocess(
  // Text that is not JSON stays text, which the schema refuses.
  (value) => (typeof value === 'string' ? (jsonValue(value) ?? value) : value),
  z.object(
    {
      types,
      primaryType: z.string('expected the name of a struct'),
      domain: members('the domain'),
      message: members('the message'),
    },
    'expected typed data (EIP-712) as an object or as its JSON text',
  ),
)
