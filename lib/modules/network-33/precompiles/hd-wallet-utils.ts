/** The precompile with functions for wallets of the auxiliary chain (IP-106). */

import { toHex } from '../../../base/hex.ts'
import { arrayOf, bytes, int256, string } from '../../../abi/codec.ts'
import { toBase58Check as writeBase58Check } from '../../../crypto/base58.ts'
import { parseExtendedKey, publicKeyOf, type ExtendedKey } from '../../../crypto/hd-key.ts'
import { hash160 } from '../../../crypto/ripemd160.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import { PrecompileFailure, precompileAddress } from '../../../evm/precompile.ts'
import { multisig } from '../bridge/federation.ts'
import { precompileMethod, precompileWithMethods } from './methods.ts'

const HASH_BYTES = 20

/** Encodes the version byte, the hash and a checksum in base 58. */
const toBase58Check = precompileMethod({
  name: 'toBase58Check',
  inputs: [bytes, int256],
  output: string,
  gas: () => 13_000,
  run: ([hash, version]) => {
    if (hash.length !== HASH_BYTES) {
      throw new PrecompileFailure(`hash ${toHex(hash)} has ${hash.length} bytes, expected ${HASH_BYTES}`)
    }
    if (version < 0n || version > 255n) {
      throw new PrecompileFailure(`version ${version} is not between 0 and 255`)
    }
    return writeBase58Check(Uint8Array.of(Number(version), ...hash))
  },
})

/** Maximum number of derivations from the master key (BIP-32, "Serialization format"). */
const MAX_DEPTH = 255

/** Derives the key of a path: child numbers below 2^31, separated by slashes (BIP-32). */
const deriveExtendedPublicKey = precompileMethod({
  name: 'deriveExtendedPublicKey',
  inputs: [string, string],
  output: string,
  gas: () => 107_000,
  run: ([text, path]) => {
    let key = extendedPublicKey(text)
    for (const number of levelsOf(path)) {
      if (key.depth === MAX_DEPTH)
        throw new PrecompileFailure(`a key of depth ${key.depth} has no child ${number}`)
      key = key.deriveChild(number)
    }
    return key.publicExtendedKey
  },
})

/** Returns the compressed public key: 33 bytes. */
const extractPublicKey = precompileMethod({
  name: 'extractPublicKeyFromExtendedPublicKey',
  inputs: [string],
  output: bytes,
  gas: () => 11_300,
  run: ([text]) => publicKeyOf(extendedPublicKey(text)),
})

const MIN_KEYS = 2

/** Maximum number of keys: with more, the script exceeds the 520 bytes that can be pushed. */
const MAX_KEYS = 15

/** Hash of the script (BIP-16) that requires signatures of some of the keys. The keys may be in any order. */
const getMultisigScriptHash = precompileMethod({
  name: 'getMultisigScriptHash',
  inputs: [int256, arrayOf(bytes)],
  output: bytes,
  gas: ([, keys]) => 20_000 + 700 * Math.max(keys.length - MIN_KEYS, 0),
  run: ([signatures, keys]) => {
    checkCounts(signatures, keys.length)
    const sorted = keys.map(compressed).sort((left, right) => Buffer.compare(left, right))
    return hash160(Uint8Array.from(multisig(sorted, Number(signatures))))
  },
})

export const hdWalletUtilsMethods = [
  toBase58Check,
  deriveExtendedPublicKey,
  extractPublicKey,
  getMultisigScriptHash,
]

export const hdWalletUtils = precompileWithMethods(
  { address: precompileAddress(0x01000009), name: 'hdWalletUtils' },
  hdWalletUtilsMethods,
)

/** Maximum characters of a text in an error. */
const MAX_SHOWN = 120

/** @throws PrecompileFailure */
function extendedPublicKey(text: string): ExtendedKey {
  const key = parseExtendedKey(text)
  if (key === undefined)
    throw new PrecompileFailure(`'${text.slice(0, MAX_SHOWN)}' is not an extended public key`)
  return key
}

const MAX_LEVELS = 10

/** Highest child number that is not hardened: a public key has no hardened children (BIP-32). */
const MAX_CHILD_NUMBER = 2 ** 31 - 1

/** @throws PrecompileFailure */
function levelsOf(path: string): readonly number[] {
  const levels = path.split('/')
  if (levels.length > MAX_LEVELS) {
    throw new PrecompileFailure(`a path of ${levels.length} levels, expected at most ${MAX_LEVELS}`)
  }
  return levels.map((level) => {
    if (/^\d+$/.test(level) && Number(level) <= MAX_CHILD_NUMBER) return Number(level)
    throw new PrecompileFailure(`'${level}' in the path '${path}' is not a number below 2^31`)
  })
}

/** @throws PrecompileFailure */
function checkCounts(signatures: bigint, keys: number): void {
  if (signatures <= 0n) throw new PrecompileFailure(`${signatures} signatures, expected at least 1`)
  if (keys < MIN_KEYS || keys > MAX_KEYS) {
    throw new PrecompileFailure(`${keys} public keys, expected from ${MIN_KEYS} to ${MAX_KEYS}`)
  }
  if (signatures > BigInt(keys))
    throw new PrecompileFailure(`${signatures} signatures of ${keys} public keys`)
}

/** @throws PrecompileFailure */
function compressed(key: Uint8Array): Uint8Array {
  const point = curve.decodePoint(key)
  if (point === undefined) throw new PrecompileFailure(`${toHex(key)} is not a public key`)
  return curve.encodePoint(point)
}
