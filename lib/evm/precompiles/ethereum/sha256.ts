/** SHA-256 of the input (Yellow Paper, appendix E). */

import { sha256 as hash } from '../../../crypto/sha256.ts'
import type { Precompile } from '../precompile.ts'
import { precompileAddress, wordCount } from '../words.ts'

export const sha256: Precompile = {
  address: precompileAddress(2),
  name: 'sha256',
  gas: ({ input }) => 60 + 12 * wordCount(input),
  run: ({ input }) => hash(input),
}
