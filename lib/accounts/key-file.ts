/** Reads and writes the text of a keystore file (Web3 Secret Storage, version 3), compatible with geth and ethers. */

import * as z from 'zod'
import { refuseOption } from '../base/errors.ts'
import { asAddress, fromHex, isHexData, toHex, type Address } from '../base/hex.ts'
import { timeText } from '../base/host.ts'
import { jsonValue } from '../base/json-text.ts'
import { describeIssue } from '../config/issues.ts'
import type { EncryptedKey } from './encrypted-key.ts'

/** The contents of a keystore file. */
export type KeyFile = z.output<typeof keyFile>

/**
 * Reads a keystore file.
 * @throws NodeError 'invalidOption' with a message that names the invalid member
 */
export function readKeyFile(text: string): KeyFile {
  const parsed = keyFile.safeParse(lowerCaseKeys(jsonValue(text)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  refuseOption(issue === undefined ? 'invalid' : describeIssue(issue))
}

/** Writes a keystore file, with the members in geth's order. */
export function writeKeyFile(address: Address, encrypted: EncryptedKey): string {
  const { ciphertext, iv, derivation, mac, id } = encrypted
  const { kdf, ...params } = derivation
  const crypto = {
    cipher: 'aes-128-ctr',
    ciphertext: unprefixedHex(ciphertext),
    cipherparams: { iv: unprefixedHex(iv) },
    kdf,
    kdfparams: {
      ...params,
      ...(kdf === 'pbkdf2' ? { prf: 'hmac-sha256' } : {}),
      salt: unprefixedHex(derivation.salt),
    },
    mac: unprefixedHex(mac),
  }
  return JSON.stringify({ address: address.slice(2), crypto, id, version: 3 })
}

/** File name in geth's form: `UTC--2023-11-14T22-13-20.000000000Z--` and the address. */
export function keyFileName(address: Address, createdAtMs: number): string {
  const moment = timeText(createdAtMs).replaceAll(':', '-').replace('Z', '000000Z')
  return `UTC--${moment}--${address.slice(2)}`
}

const unprefixedHex = (bytes: Uint8Array): string => toHex(bytes).slice(2)

/** Schema of `length` bytes as hex digits, with or without 0x; of any number of bytes if `length` is undefined. */
function bytesOf(length: number | undefined, what: string) {
  const error = `expected ${what} as hex digits`
  return z
    .string({ error })
    .transform((text) => (text.startsWith('0x') ? text : `0x${text}`))
    .refine((text) => isHexData(text) && (length ?? fromHex(text).length) === fromHex(text).length, { error })
    .transform(fromHex)
}

function count(max: number) {
  const error = `expected a whole number from 1 to ${max}`
  return z.int({ error }).min(1, { error }).max(max, { error })
}

/** Maximum memory of scrypt in bytes: four times that of files that wallets write. */
const MAX_MEMORY = 2 ** 30
/** Maximum work of scrypt: sixteen times that of files that wallets write, so that no file takes minutes. */
const MAX_WORK = 2 ** 25

const dklen = count(1024).refine((length) => length >= 32, { error: 'expected at least 32 bytes' })
const salt = bytesOf(undefined, 'a salt')

const scryptParams = z
  .object({ n: count(2 ** 31 - 1), r: count(2 ** 16), p: count(2 ** 16), dklen, salt })
  .refine(({ n }) => n > 1 && Number.isInteger(Math.log2(n)), { error: 'n: expected a power of two' })
  .refine(({ n, r, p }) => 128 * n * r <= MAX_MEMORY && n * r * p <= MAX_WORK, {
    error: `n, r and p: expected at most ${MAX_MEMORY} bytes of memory and ${MAX_WORK} blocks of work`,
  })
  .transform((params) => ({ kdf: 'scrypt' as const, ...params }))

const pbkdf2Params = z
  .object({
    c: count(100_000_000),
    prf: z.literal('hmac-sha256', { error: 'expected hmac-sha256' }),
    dklen,
    salt,
  })
  .transform(({ prf: _, ...params }) => ({ kdf: 'pbkdf2' as const, ...params }))

const commonMembers = {
  cipher: z.literal('aes-128-ctr', { error: 'expected aes-128-ctr' }),
  cipherparams: z.object({ iv: bytesOf(16, '16 bytes') }),
  ciphertext: bytesOf(32, '32 bytes'),
  mac: bytesOf(32, '32 bytes'),
}

const crypto = z.discriminatedUnion(
  'kdf',
  [
    z.object({ ...commonMembers, kdf: z.literal('scrypt'), kdfparams: scryptParams }),
    z.object({ ...commonMembers, kdf: z.literal('pbkdf2'), kdfparams: pbkdf2Params }),
  ],
  { error: 'expected an object with kdf scrypt or pbkdf2' },
)

const keyFile = z
  .object(
    {
      address: bytesOf(20, 'an address').optional(),
      crypto,
      id: z.string().default(''),
      version: z.literal(3, { error: 'expected version 3' }),
    },
    { error: 'expected a JSON object' },
  )
  .transform(({ address, crypto: { cipherparams, ciphertext, kdfparams, mac }, id }) => ({
    /** Absent in files of programs that do not write it. */
    address: address === undefined ? undefined : asAddress(toHex(address)),
    encrypted: { id, derivation: kdfparams, iv: cipherparams.iv, ciphertext, mac } satisfies EncryptedKey,
  }))

/** Maximum depth of members whose names are converted. Keystore files are less deep. */
const MAX_DEPTH = 8

/** Converts names of members to lower case: ethers writes `Crypto`, and geth ignores the case (encoding/json). */
function lowerCaseKeys(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toLowerCase(), lowerCaseKeys(member, depth + 1)]),
  )
}
