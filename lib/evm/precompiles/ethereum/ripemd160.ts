/** RIPEMD-160 of the input, in a word (Yellow Paper, appendix E). */

import { padTo32 } from '../../../base/hex.ts'
import { ripemd160 as hash } from '../../../crypto/ripemd160.ts'
import type { Precompile } from '../precompile.ts'
import { precompileAddress, wordCount } from '../words.ts'

export const ripemd160: Precompile = {
  address: precompileAddress(3),
  name: 'ripemd160',
  gas: ({ input }) => 600 + 120 * wordCount(input),
  run: ({ input }) => padTo32(hash(input)),
}
