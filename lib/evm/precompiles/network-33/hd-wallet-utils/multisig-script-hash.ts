/** Computes the hash of a multisig script (IP-106, BIP-16). */

import { toHex } from '../../../../base/hex.ts'
import { hash160 } from '../../../../crypto/ripemd160.ts'
import { curve } from '../../../../crypto/secp256k1.ts'
import { arrayOf, bytes, int256 } from '../../../../abi/types.ts'
import { precompileMethod } from '../methods.ts'
import { PrecompileFailure } from '../../precompile.ts'

const MIN_KEYS = 2

/** Maximum number of keys: with more, the script exceeds the 520 bytes that can be pushed. */
const MAX_KEYS = 15

/** Instructions of a script: the push of a number (plus the number), the push of a key, and the check. */
const PUSH_NUMBER = 0x50
const PUSH_KEY = 0x21
const CHECK_MULTISIG = 0xae

/** Hash of the script that requires a number of the keys to sign; the order of the keys in the call does not matter. */
export const getMultisigScriptHash = precompileMethod({
  name: 'getMultisigScriptHash',
  inputs: [int256, arrayOf(bytes)],
  output: bytes,
  gas: ([, keys]) => 20_000 + 700 * Math.max(keys.length - MIN_KEYS, 0),
  run: ([signatures, keys]) => {
    checkCounts(signatures, keys.length)
    const sorted = keys.map(compressed).sort((left, right) => Buffer.compare(left, right))
    const pushes = sorted.flatMap((key) => [PUSH_KEY, ...key])
    const [threshold, total] = [PUSH_NUMBER + Number(signatures), PUSH_NUMBER + keys.length]
    return hash160(Uint8Array.of(threshold, ...pushes, total, CHECK_MULTISIG))
  },
})

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
