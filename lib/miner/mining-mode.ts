/** Checks what a mining mode allows. The modes are defined in config/mining-mode.ts. */

import { NodeError } from '../base/errors.ts'
import type { MiningMode } from '../config/mining-mode.ts'

/** Whether the node mines a block for each transaction at once. */
export const minesAtOnce = (mode: MiningMode): boolean =>
  mode.kind === 'instant' || (mode.kind === 'interval' && mode.isInstantToo === true)

/**
 * Rejects the request to make a block if mining is external.
 * @throws NodeError 'miningRefused'
 */
export function checkMines({ kind }: MiningMode): void {
  if (kind !== 'external') return
  throw new NodeError(
    'miningRefused',
    'the node makes no blocks: mining is external, miners submit the blocks',
  )
}
