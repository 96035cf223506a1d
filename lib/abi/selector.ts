/** Computes selectors, which identify functions and errors. */

import { toHex, type Hex } from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** Length of a selector in bytes. */
export const SELECTOR_LENGTH = 4

/** Characters of a selector as hex, with prefix. */
export const SELECTOR_CHARACTERS = 2 + 2 * SELECTOR_LENGTH

/** The first four bytes of the hash of a signature such as `transfer(address,uint256)`. */
export const selectorOf = (signature: string): Hex =>
  toHex(keccak256(new TextEncoder().encode(signature)).subarray(0, SELECTOR_LENGTH))
