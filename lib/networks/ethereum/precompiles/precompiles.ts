/** The precompiles of Ethereum (Yellow Paper, appendix E; each precompile cites its EIP). */

import { EMPTY_BYTES, bigIntToBytes32, toHash, type Address } from '../../../base/hex.ts'
import type { ActiveEips } from '../../../config/active-eips.ts'
import { blsPrecompiles } from './bls12-381.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from './bn254.ts'
import { ecrecover } from './ecrecover.ts'
import { ethereumModexp } from './modexp.ts'
import { PrecompileFailure, WORD, precompileAddress, type Precompile } from '../../../evm/precompile.ts'
import { blake2f, identity, ripemd160, sha256 } from './hashes.ts'
import { isSignedBy } from '../../../crypto/p256.ts'
import { KZG_MODULUS, isKzgProven } from '../../../crypto/kzg.ts'
import { versionedHash } from '../../../evm/sidecar.ts'

/** Length in bytes of versioned hash, point, value, commitment and proof. */
const KZG_BYTES = 192

/** Field elements in a blob. */
const BLOB_LENGTH = 4096n

/** Verifies a KZG proof of a value of a blob's polynomial (EIP-4844). Returns two constants if it is valid. */
export const pointEvaluation: Precompile = {
  address: precompileAddress(0x0a),
  name: 'pointEvaluation',
  gas: () => 50_000,
  run: ({ input }) => {
    if (input.length !== KZG_BYTES) throw new PrecompileFailure('invalid input length')
    const commitment = input.subarray(96, 144)
    if (toHash(input.subarray(0, 32)) !== versionedHash(commitment)) {
      throw new PrecompileFailure('kzg commitment does not match versioned hash')
    }
    const claim = { commitment, place: input.subarray(32, 64), value: input.subarray(64, 96) }
    if (!isKzgProven({ ...claim, proof: input.subarray(144) }))
      throw new PrecompileFailure('kzg proof invalid')
    return Uint8Array.from([...bigIntToBytes32(BLOB_LENGTH), ...bigIntToBytes32(KZG_MODULUS)])
  },
}

/** Length in bytes of hash, r, s and the two coordinates of the key. */
const P256_BYTES = 5 * WORD

/** Verifies a signature on the curve P-256 (EIP-7951). Returns a word that is one, or no bytes if it is invalid. */
export const p256Verify: Precompile = {
  address: precompileAddress(0x100),
  name: 'p256Verify',
  gas: () => 6900,
  run: ({ input }) => {
    if (input.length !== P256_BYTES) return EMPTY_BYTES
    const words = (from: number, to: number) => input.subarray(from * WORD, to * WORD)
    const isValid = isSignedBy(words(0, 1), words(1, 3), words(3, 5))
    return isValid ? bigIntToBytes32(1n) : EMPTY_BYTES
  },
}

/** ecrecover with v as a whole word instead of its last byte. */
const strictEcrecover: Precompile = {
  ...ecrecover,
  run: (call) => {
    // The bytes of v before the last one.
    const padding = call.input.subarray(32, 63)
    return padding.every((byte) => byte === 0) ? ecrecover.run(call) : EMPTY_BYTES
  },
}

export function ethereumPrecompiles({ precompiles, rules }: ActiveEips): ReadonlyMap<Address, Precompile> {
  const contracts: readonly Precompile[] = [
    strictEcrecover,
    sha256,
    ripemd160,
    identity,
    ethereumModexp(rules),
    bn254Add,
    bn254Multiply,
    bn254Pairing,
    blake2f,
    ...OPTIONAL.filter(({ name }) => precompiles.has(name)),
  ]
  // Without the maximum length, because only network 33 truncates input. On Ethereum too much input may be an error.
  return new Map(contracts.map(({ address, name, gas, run }) => [address, { address, name, gas, run }]))
}

/** Precompiles that EIPs added (config/eips.ts). */
const OPTIONAL: readonly Precompile[] = [pointEvaluation, ...blsPrecompiles, p256Verify]
