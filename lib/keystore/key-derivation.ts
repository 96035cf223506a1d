/** Derives an encryption key from a passphrase. encrypted-key.ts encrypts with it. */

import { pbkdf2, scrypt } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { scrypt as scryptInJavascript } from 'ethereum-cryptography/scrypt.js'

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
export type KeyDerivation =
  | (ScryptCost & { readonly kdf: 'scrypt'; readonly dklen: number; readonly salt: Uint8Array })
  /** HMAC-SHA-256, `c` times. */
  | { readonly kdf: 'pbkdf2'; readonly c: number; readonly dklen: number; readonly salt: Uint8Array }

const runPbkdf2 = promisify(pbkdf2)

/** Derives `dklen` bytes from a passphrase without blocking the event loop. */
export async function deriveFromPassphrase(
  derivation: KeyDerivation,
  passphrase: string,
): Promise<Uint8Array> {
  const secret = new TextEncoder().encode(passphrase)
  const { salt, dklen } = derivation
  if (derivation.kdf === 'pbkdf2') {
    return plainBytes(await runPbkdf2(secret, salt, derivation.c, dklen, 'sha256'))
  }
  const { n, r, p } = derivation
  // OpenSSL requires n < 2^(16r) (RFC 7914, section 6). Keystore files with r = 1 and a larger n exist.
  if (n >= 2 ** (16 * r)) return scryptInJavascript(secret, salt, n, p, r, dklen)
  // Twice the size of the blocks: OpenSSL counts its own buffers too.
  return runScrypt(secret, derivation, { N: n, r, p, maxmem: 256 * r * (n + p) })
}

/** Not `promisify`: its type lacks the form with options. */
function runScrypt(
  secret: Uint8Array,
  { salt, dklen }: KeyDerivation,
  options: ScryptOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, dklen, options, (error, derived) =>
      error === null ? resolve(plainBytes(derived)) : reject(error),
    )
  })
}

/** A plain view: Buffer's own slice and toString differ from Uint8Array's. */
function plainBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
