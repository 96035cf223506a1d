/** When blocks are made, and by whom, as the options say it. */

import type { Options } from './options.ts'

/** A block at intervals, whether there is anything for it or not. */
export interface IntervalMode {
  readonly kind: 'interval'
  readonly everyMs: number
  /** Where it is given, each interval is drawn from `everyMs` up to this. */
  readonly upToMs?: number | undefined
  /** Transactions get a block at once besides. */
  readonly isInstantToo?: boolean
}

/** When blocks are made without being asked for. */
export type MiningMode =
  | { readonly kind: 'instant' }
  | IntervalMode
  | { readonly kind: 'manual' }
  /** Blocks are those that miners outside of the node hand in, and no others. */
  | { readonly kind: 'external' }

/** The mode that a node is started with. */
export function miningModeOf({ mining, noMining, blockTime }: Options): MiningMode {
  if (mining === 'external') return { kind: 'external' }
  if (mining === 'manual' || noMining) return { kind: 'manual' }
  return blockTime === undefined ? { kind: 'instant' } : { kind: 'interval', everyMs: blockTime * 1000 }
}
