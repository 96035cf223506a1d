/** The compression function of BLAKE2b (EIP-152). */

import { compress } from '../../../crypto/blake2b.ts'
import { PrecompileFailure, precompileAddress, type Precompile } from '../../../evm/precompile.ts'

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
