/** Precompiles that calculate with points of BN254 (EIP-196, EIP-197), at the prices of EIP-1108. */

import { bigIntToBytes32 } from '../../../base/hex.ts'
import { bn254, multiplyPoint } from '../../../crypto/bn254.ts'
import { PointError } from '../../../crypto/pairing-curve.ts'
import { PrecompileFailure, WORD, bytesAt, precompileAddress } from '../../../evm/precompile.ts'
import type { Precompile } from '../../../evm/precompile.ts'

/** Length in bytes of two points, of a point and a number, and of a point in each group. */
const ADD_BYTES = 4 * WORD
const MULTIPLY_BYTES = 3 * WORD
const PAIR_BYTES = 6 * WORD

export const bn254Add: Precompile = {
  address: precompileAddress(6),
  name: 'bn254Add',
  maxInput: ADD_BYTES,
  gas: () => 150,
  run: ({ input }) => failOnInvalidPoint(() => bn254().add('g1', bytesAt(input, 0, ADD_BYTES))),
}

export const bn254Multiply: Precompile = {
  address: precompileAddress(7),
  name: 'bn254Multiply',
  maxInput: MULTIPLY_BYTES,
  gas: () => 6000,
  run: ({ input }) => failOnInvalidPoint(() => multiplyPoint(bytesAt(input, 0, MULTIPLY_BYTES))),
}

/** Returns a word: one if the product of the pairings is one, otherwise zero. */
export const bn254Pairing: Precompile = {
  address: precompileAddress(8),
  name: 'bn254Pairing',
  gas: ({ input }) => 45_000 + 34_000 * Math.floor(input.length / PAIR_BYTES),
  run: ({ input }) => {
    if (input.length % PAIR_BYTES !== 0) {
      throw new PrecompileFailure(`input of ${input.length} bytes, expected pairs of ${PAIR_BYTES}`)
    }
    return failOnInvalidPoint(() => bigIntToBytes32(bn254().isPairingOne(input) ? 1n : 0n))
  },
}

function failOnInvalidPoint(calculate: () => Uint8Array): Uint8Array {
  try {
    return calculate()
  } catch (cause) {
    if (!(cause instanceof PointError)) throw cause
    throw new PrecompileFailure('the coordinates are not a point of BN254', { cause })
  }
}
