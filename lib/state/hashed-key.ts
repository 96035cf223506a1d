/** Keys of the account and storage tries. */

import type { Address, Hash } from '../base/hex.ts'
import { fromHex } from '../base/hex.ts'
import { keccak256InPlace } from '../crypto/keccak.ts'
import { toNibbles } from './nibbles.ts'
import type { Nibbles } from './nibbles.ts'

/** Key of an address in the account trie, or of a slot in a storage trie. */
export function hashedKey(preimage: Address | Hash): Nibbles {
  return toNibbles(keccak256InPlace(fromHex(preimage)))
}
