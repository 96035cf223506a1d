/** The signer of a hash (Yellow Paper, appendix E; node-chain 10.1). */

import { NodeError } from '../../base/errors.ts'
import { EMPTY_BYTES, fromHex, padTo32 } from '../../base/hex.ts'
import { recoverAddress } from '../../crypto/address.ts'
import { asRecovery } from '../../crypto/curve.ts'
import type { NativeContract } from './native-contract.ts'
import { WORD, bytesAt, nativeAddress } from './words.ts'

const INPUT_BYTES = 4 * WORD

/** Of the four words, up to here the input has to reach: the signature's s may lack bytes, but not all. */
const LEAST_INPUT = 3 * WORD + 1

/** Place of the byte of v that counts; those before it may be anything, other than on Ethereum. */
const V_BYTE = 2 * WORD - 1

/** Hash, v, r and s: the address in a word, or nothing where there is none. */
export const ecrecover: NativeContract = {
  address: nativeAddress(1),
  name: 'ecrecover',
  maxInput: INPUT_BYTES,
  gas: () => 3000,
  run: ({ input }) => {
    const v = input[V_BYTE]
    if (input.length < LEAST_INPUT || (v !== 27 && v !== 28)) return EMPTY_BYTES
    const word = (index: number) => bytesAt(input, index * WORD, WORD)
    try {
      const signature = { r: word(2), s: word(3), recovery: asRecovery(v - 27) }
      return padTo32(fromHex(recoverAddress(word(0), signature)))
    } catch (error) {
      if (error instanceof NodeError) return EMPTY_BYTES
      throw error
    }
  },
}
