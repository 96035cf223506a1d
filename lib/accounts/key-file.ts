/** Reads and writes the text of a keystore file (Web3 Secret Storage, version 3), compatible with geth and ethers. */

import { createCipheriv, createDecipheriv, pbkdf2, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { scrypt as scryptInJavascript } from 'ethereum-cryptography/scrypt.js'
import * as z from 'zod'
import { refuseOption, NodeError } from '../base/errors.ts'
import { asAddress, fromHex, isHexData, toHex, equalBytes, plainView, type Address } from '../base/hex.ts'
import { timeText, type Host } from '../base/host.ts'
import { jsonValue } from '../base/json-text.ts'
import { describeIssue } from '../config/issues.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { curve } from '../crypto/secp256k1.ts'

export type KeyFile = z.output<typeof keyFile>

/** Reads a keystore file. @throws NodeError 'invalidOption' with a message that names the invalid member */
export function readKeyFile(text: string): KeyFile {
  const parsed = keyFile.safeParse(lowerCaseKeys(jsonValue(text)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  refuseOption('DN-KEYS', issue === undefined ? 'invalid' : describeIssue(issue))
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

/** Converts member names to lower case: ethers writes `Crypto`, and geth ignores the case (encoding/json). */
function lowerCaseKeys(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toLowerCase(), lowerCaseKeys(member, depth + 1)]),
  )
}

/** Cost of scrypt: `n` blocks of `128 * r` bytes of memory, `p` times. */
export interface ScryptCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/** Costs of new keys: a few milliseconds for tests, or the cost that wallets use. */
export const SCRYPT_COSTS: Readonly<Record<'light' | 'standard', ScryptCost>> = {
  // geth's light mode with one pass instead of six: test suites make many accounts.
  light: { n: 4096, r: 8, p: 1 },
  // geth keystore/passphrase.go, StandardScryptN.
  standard: { n: 262_144, r: 8, p: 1 },
}

/** The two key derivations of Web3 Secret Storage, with their parameters. */
type KeyDerivation =
  | (ScryptCost & { readonly kdf: 'scrypt'; readonly dklen: number; readonly salt: Uint8Array })
  /** HMAC-SHA-256, `c` times. */
  | { readonly kdf: 'pbkdf2'; readonly c: number; readonly dklen: number; readonly salt: Uint8Array }

export interface EncryptedKey {
  readonly id: string
  readonly derivation: KeyDerivation
  readonly iv: Uint8Array
  /** 32 bytes. */
  readonly ciphertext: Uint8Array
  /** 32 bytes. */
  readonly mac: Uint8Array
}

const CIPHER = 'aes-128-ctr'

/** Length of a derived key in bytes: 16 for the cipher, 16 for the MAC. */
const DERIVED_LENGTH = 32

/** Encrypts a private key (Web3 Secret Storage, version 3), or a fixed value for an account without one. */
export async function encryptKey(
  privateKey: Uint8Array,
  passphrase: string,
  { random, cost }: { readonly random: Host['random']; readonly cost: ScryptCost },
): Promise<EncryptedKey> {
  const derivation = { kdf: 'scrypt', ...cost, dklen: DERIVED_LENGTH, salt: random(32) } as const
  const iv = random(16)
  const derived = await deriveFromPassphrase(derivation, passphrase)
  const cipher = createCipheriv(CIPHER, derived.subarray(0, 16), iv)
  const ciphertext = new Uint8Array(cipher.update(privateKey))
  return { id: uuid(random(16)), derivation, iv, ciphertext, mac: macOf(derived, ciphertext) }
}

/** Decrypts a private key; returns undefined if the passphrase is wrong. */
export async function decryptKey(
  encrypted: EncryptedKey,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  // geth uses the passphrase unchanged, ethers its NFKC form. The file may come from either.
  for (const spelling of new Set([passphrase, passphrase.normalize('NFKC')])) {
    const derived = await deriveFromPassphrase(encrypted.derivation, spelling)
    if (!equalBytes(macOf(derived, encrypted.ciphertext), encrypted.mac)) continue
    const decipher = createDecipheriv(CIPHER, derived.subarray(0, 16), encrypted.iv)
    return new Uint8Array(decipher.update(encrypted.ciphertext))
  }
  return undefined
}

/** The value that is encrypted in place of a missing key: zero, which is not a valid private key. */
export const NO_KEY = new Uint8Array(32)

/** The key of an account; absent if it has none. @throws NodeError 'wrongPassphrase'; 'unknownAccount' for another's key */
export async function openKey(
  address: Address,
  encrypted: EncryptedKey,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  const privateKey = await decryptKey(encrypted, passphrase)
  // The first phrase is geth's (keystore/keystore.go, ErrDecrypt).
  if (privateKey === undefined) {
    throw new NodeError(
      'wrongPassphrase',
      `could not decrypt key with given passphrase: not that of ${address}`,
    )
  }
  if (privateKey.every((byte) => byte === 0)) return undefined
  const derived = curve.isPrivateKey(privateKey) ? addressOfPrivateKey(privateKey) : 'no account'
  if (derived === address) return privateKey
  throw new NodeError(
    'unknownAccount',
    `unknown account ${address}: its keystore file holds the key of ${derived}`,
  )
}

/** Returns the key. @throws NodeError 'unknownAccount' if it is undefined */
export function requireKey(address: Address, privateKey: Uint8Array | undefined): Uint8Array {
  if (privateKey !== undefined) return privateKey
  throw new NodeError('unknownAccount', `account ${address} has no key: it can send, and cannot sign`)
}

const macOf = (derived: Uint8Array, ciphertext: Uint8Array): Uint8Array =>
  keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]))

/** Random bytes as a UUID of version 4 (RFC 9562, section 5.4). */
function uuid(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString('hex')
  // The variant is binary 10 and two random bits.
  const variant = '89ab'.charAt(Number(`0x${digits.charAt(16)}`) & 3)
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-4$3-${variant}$4-`)
}

const runPbkdf2 = promisify(pbkdf2)

const runScrypt = promisify<Uint8Array, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

/** Derives `dklen` bytes from a passphrase without blocking the event loop. */
export async function deriveFromPassphrase(
  derivation: KeyDerivation,
  passphrase: string,
): Promise<Uint8Array> {
  const secret = new TextEncoder().encode(passphrase)
  const { salt, dklen } = derivation
  if (derivation.kdf === 'pbkdf2') {
    return plainView(await runPbkdf2(secret, salt, derivation.c, dklen, 'sha256'))
  }
  const { n, r, p } = derivation
  // OpenSSL requires n < 2^(16r) (RFC 7914, section 6). Keystore files with r = 1 and a larger n exist.
  if (n >= 2 ** (16 * r)) return scryptInJavascript(secret, salt, n, p, r, dklen)
  // Twice the size of the blocks: OpenSSL counts its own buffers too.
  return plainView(await runScrypt(secret, salt, dklen, { N: n, r, p, maxmem: 256 * r * (n + p) }))
}
