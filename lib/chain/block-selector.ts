/** Names of blocks on a chain: a tag, a number or a hash. */

import type { Hash } from '../base/hex.ts'

/** Ways to name a block that is on the chain or was read from a request. */
export type BlockSelector =
  | { readonly tag: 'latest' | 'earliest' | 'safe' | 'finalized' }
  | { readonly number: bigint }
  | { readonly hash: Hash; readonly requireCanonical?: boolean }

/** The name of a block as errors show it. */
export function selectorName(selector: BlockSelector): string {
  if ('hash' in selector) return `with hash ${selector.hash}`
  return 'number' in selector ? `0x${selector.number.toString(16)}` : selector.tag
}
