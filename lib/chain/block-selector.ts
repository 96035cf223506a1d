/** Selectors of blocks: a tag, a number or a hash. */

import type { Hash } from '../base/hex.ts'

/** Selects a block by tag, number or hash. */
export type BlockSelector =
  | { readonly tag: 'latest' | 'earliest' | 'safe' | 'finalized' }
  | { readonly number: bigint }
  | { readonly hash: Hash; readonly requireCanonical?: boolean }

/** The selected block as error messages name it. */
export function selectorName(selector: BlockSelector): string {
  if ('hash' in selector) return `with hash ${selector.hash}`
  return 'number' in selector ? `0x${selector.number.toString(16)}` : selector.tag
}
