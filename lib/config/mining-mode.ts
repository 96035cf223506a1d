/** When blocks are made, and by whom, as the options say it. */

import type { Options } from './options.ts'

/** When blocks are made without being asked for. */
export type MiningMode =
  | { readonly kind: 'instant' }
  /** `isInstantToo`: transactions get a block at once besides. */
  | { readonly kind: 'interval'; readonly everyMs: number; readonly isInstantToo?: boolean }
  | { readonly kind: 'manual' }
  /** Blocks are those that miners outside of the node hand in, and no others. */
  | { readonly kind: 'external' }

/** The mode that a node is started with. */
export function miningModeOf({ mining, noMining, blockTime }: Options): MiningMode {
  if (mining === 'external') return { kind: 'external' }
  if (mining === 'manual' || noMining) return { kind: 'manual' }
  return blockTime === undefined ? { kind: 'instant' } : { kind: 'interval', everyMs: blockTime * 1000 }
}
