/** What a mining mode forbids. Which modes there are is config/mining-mode.ts. */

import { NodeError } from '../base/errors.ts'
import type { MiningMode } from '../config/mining-mode.ts'

/**
 * Refuses to make a block in a mode in which only others make them.
 * @throws NodeError 'miningRefused'
 */
export function checkMines({ kind }: MiningMode): void {
  if (kind !== 'external') return
  throw new NodeError(
    'miningRefused',
    'the node makes no blocks: mining is external, blocks are those that miners hand in',
  )
}
