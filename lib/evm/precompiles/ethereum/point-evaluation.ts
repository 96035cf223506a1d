/** Verifies a KZG proof of a value of a blob's polynomial (EIP-4844). */

import { bigIntToBytes32, toHash } from '../../../base/hex.ts'
import { KZG_MODULUS, isKzgProven } from '../../../crypto/kzg.ts'
import { versionedHash } from '../../sidecar.ts'
import type { Precompile } from '../precompile.ts'
import { PrecompileFailure } from '../precompile.ts'
import { precompileAddress } from '../words.ts'

/** Length in bytes of versioned hash, point, value, commitment and proof. */
const INPUT_BYTES = 192

/** Field elements in a blob. */
const BLOB_LENGTH = 4096n

/** The precompile. It returns two constants if the proof is valid. */
export const pointEvaluation: Precompile = {
  address: precompileAddress(0x0a),
  name: 'pointEvaluation',
  gas: () => 50_000,
  run: ({ input }) => {
    if (input.length !== INPUT_BYTES) throw new PrecompileFailure('invalid input length')
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
