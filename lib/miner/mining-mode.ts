/** What a mining mode means and forbids. Which modes there are is config/mining-mode.ts. */

import { NodeError } from '../base/errors.ts'
import type { MiningMode } from '../config/mining-mode.ts'

/** Whether a transaction gets a block at once. */
export const minesAtOnce = (mode: MiningMode): boolean =>
  mode.kind === 'instant' || (mode.kind === 'interval' && mode.isInstantToo === true)

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
