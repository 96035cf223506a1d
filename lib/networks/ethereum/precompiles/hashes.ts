/** Precompiles that hash: SHA-256, RIPEMD-160, the identity and the compression function of BLAKE2b (EIP-152). */

import { padTo32 } from '../../../base/hex.ts'
import { compress } from '../../../crypto/blake2b.ts'
import { ripemd160 as hash160Bits } from '../../../crypto/ripemd160.ts'
import { sha256 as hash256Bits } from '../../../crypto/sha256.ts'
import { precompileAddress, wordCount, PrecompileFailure, type Precompile } from '../../../evm/precompile.ts'

export const sha256: Precompile = {
  address: precompileAddress(2),
  name: 'sha256',
  gas: ({ input }) => 60 + 12 * wordCount(input),
  run: ({ input }) => hash256Bits(input),
}

export const ripemd160: Precompile = {
  address: precompileAddress(3),
  name: 'ripemd160',
  gas: ({ input }) => 600 + 120 * wordCount(input),
  run: ({ input }) => padTo32(hash160Bits(input)),
}

export const identity: Precompile = {
  address: precompileAddress(4),
  name: 'identity',
  gas: ({ input }) => 15 + 3 * wordCount(input),
  run: ({ input }) => input,
}

/** Rounds, state, message, offset and the flag of the last block. */
const INPUT_BYTES = 213

const STATE = 4
const MESSAGE = 68
const OFFSET = 196
const FLAG = 212

export const blake2f: Precompile = {
  address: precompileAddress(9),
  name: 'blake2f',
  maxInput: INPUT_BYTES,
  gas: ({ input }) => (input.length === INPUT_BYTES ? roundsOf(input) : 0),
  run: ({ input }) => {
    if (input.length !== INPUT_BYTES) {
      throw new PrecompileFailure(`input of ${input.length} bytes, expected ${INPUT_BYTES}`)
    }
    const flag = input[FLAG]
    if (flag !== 0 && flag !== 1)
      throw new PrecompileFailure(`flag of the last block is ${flag}, expected 0 or 1`)
    return compress({
      rounds: roundsOf(input),
      state: input.subarray(STATE, MESSAGE),
      message: input.subarray(MESSAGE, OFFSET),
      offset: input.subarray(OFFSET, FLAG),
      isLast: flag === 1,
    })
  },
}

const roundsOf = ({ buffer, byteOffset }: Uint8Array): number => new DataView(buffer, byteOffset).getUint32(0)
