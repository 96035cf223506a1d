/** Returns its input (Yellow Paper, appendix E). */

import type { Precompile } from '../precompile.ts'
import { precompileAddress, wordCount } from '../words.ts'

export const identity: Precompile = {
  address: precompileAddress(4),
  name: 'identity',
  gas: ({ input }) => 15 + 3 * wordCount(input),
  run: ({ input }) => input,
}
