/** Mining modes, and the mode that the options set. */

import type { Options } from './options.ts'

/** Mines a block at intervals, even without transactions. */
export interface IntervalMode {
  readonly kind: 'interval'
  readonly everyMs: number
  /** If present, the length of each interval is random, between `everyMs` and this. */
  readonly upToMs?: number | undefined
  /** Also mines each transaction at once. */
  readonly isInstantToo?: boolean
}

/** When the node mines blocks without a request. */
export type MiningMode =
  | { readonly kind: 'instant' }
  | IntervalMode
  | { readonly kind: 'manual' }
  /** Only external miners submit blocks. */
  | { readonly kind: 'external' }

/** The mode of a node at its start. */
export function miningModeOf({ mining, noMining, blockTime }: Options): MiningMode {
  if (mining === 'external') return { kind: 'external' }
  if (mining === 'manual' || noMining) return { kind: 'manual' }
  return blockTime === undefined ? { kind: 'instant' } : { kind: 'interval', everyMs: blockTime * 1000 }
}
