/** Addresses among the words of the oracle. */

import { bigIntToBytes32, toAddress } from '../../../lib/base/hex.ts'
import type { Address } from '../../../lib/base/hex.ts'

/** The address in the last 20 bytes of a word. */
export const addressOfWord = (word: bigint): Address => toAddress(bigIntToBytes32(word).subarray(12))
