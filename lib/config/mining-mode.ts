/** Mining modes, and the mode that the options set. */

import type { Options } from './options.ts'
import { NodeError } from '../base/errors.ts'

export interface IntervalMode {
  readonly kind: 'interval'
  readonly everyMs: number
  /** If present, the length of each interval is random, between `everyMs` and this. */
  readonly upToMs?: number | undefined
  /** Also mines each transaction at once. */
  readonly isInstantToo?: boolean
}

export type MiningMode = IntervalMode | { readonly kind: 'instant' | 'manual' | 'external' }

export function miningModeOf({ mining, noMining, mixedMining, blockTime }: Options): MiningMode {
  if (mining === 'external') return { kind: 'external' }
  if (mining === 'manual' || noMining) return { kind: 'manual' }
  if (blockTime === undefined) return { kind: 'instant' }
  const interval = { kind: 'interval', everyMs: blockTime * 1000 } as const
  return mixedMining || mining === 'mixed' ? { ...interval, isInstantToo: true } : interval
}

/** Whether the node mines a block for each transaction at once. */
export const minesAtOnce = (mode: MiningMode): boolean =>
  mode.kind === 'instant' || (mode.kind === 'interval' && mode.isInstantToo === true)

/** Rejects requests to make a block if mining is external. @throws NodeError 'miningRefused' */
export function checkMines({ kind }: MiningMode): void {
  if (kind !== 'external') return
  throw new NodeError(
    'miningRefused',
    'the node makes no blocks: mining is external, miners submit the blocks',
  )
}
