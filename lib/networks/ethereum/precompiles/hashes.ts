/** The hash functions SHA-256 and RIPEMD-160, and the identity (Yellow Paper, appendix E). */

import { padTo32 } from '../../../base/hex.ts'
import { ripemd160 as hash160Bits } from '../../../crypto/ripemd160.ts'
import { sha256 as hash256Bits } from '../../../crypto/sha256.ts'
import { precompileAddress, wordCount, type Precompile } from '../../../evm/precompile.ts'

export const sha256: Precompile = {
  address: precompileAddress(2),
  name: 'sha256',
  gas: ({ input }) => 60 + 12 * wordCount(input),
  run: ({ input }) => hash256Bits(input),
}

/** The hash in a word. */
export const ripemd160: Precompile = {
  address: precompileAddress(3),
  name: 'ripemd160',
  gas: ({ input }) => 600 + 120 * wordCount(input),
  run: ({ input }) => padTo32(hash160Bits(input)),
}

/** Returns its input. */
export const identity: Precompile = {
  address: precompileAddress(4),
  name: 'identity',
  gas: ({ input }) => 15 + 3 * wordCount(input),
  run: ({ input }) => input,
}
