/** Keys of the account and storage tries. */

import { cached } from '../base/cached.ts'
import type { Address, Hash } from '../base/hex.ts'
import { fromHex } from '../base/hex.ts'
import { keccak256InPlace } from '../crypto/keccak.ts'
import { toNibbles } from './nibbles.ts'
import type { Nibbles } from './nibbles.ts'

/** Number of keys that are cached: a transaction asks for that of its sender a dozen times. */
const MAX_CACHED = 1024

/** Key of an address in the account trie, or of a slot in a storage trie. */
export const hashedKey: (preimage: Address | Hash) => Nibbles = cached(MAX_CACHED, (preimage) =>
  toNibbles(keccak256InPlace(fromHex(preimage))),
)
