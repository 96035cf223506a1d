/** The state as one binary trie: keys and values of accounts, storage and code (node-chain 12.2). */

import { EMPTY_BYTES, bigIntToBytes, bigIntToSignedBytes, fromHex, stripZeros } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { AccountFields } from './account.ts'
import { BinaryTrie } from './binary-trie.ts'
import type { StorageChange } from './storage.ts'

/** Change of one account by a block. */
export interface AccountChange {
  readonly address: Address
  /** The account after the change; absent if it was deleted. */
  readonly account: AccountFields | undefined
  readonly storage: StorageChange
}

/** First byte of every key that belongs to an account. */
const ACCOUNTS = Uint8Array.of(0x00)

/** Suffix of an account key for its storage, and for the mark of a contract. */
const STORAGE = Uint8Array.of(0x00)
/** Suffix of an account key for its code. */
const CODE = Uint8Array.of(0x80)

/** Value of the mark that an account is a contract. */
const CONTRACT = Uint8Array.of(1)

/** A key contains an address or a slot, preceded by this many bytes of its hash, which distribute the keys evenly. */
const SPREAD_BYTES = 10

/** An immutable state in a binary trie. It only computes hashes; `StateRoot` reads values from the account trie. */
export class BinaryState {
  readonly #trie: BinaryTrie
  readonly #precompiles: ReadonlySet<Address>

  private constructor(trie: BinaryTrie, precompiles: ReadonlySet<Address>) {
    this.#trie = trie
    this.#precompiles = precompiles
  }

  /** The state without accounts. Accounts at the addresses of precompiles count as contracts although they have no code. */
  static empty(precompiles: ReadonlySet<Address>): BinaryState {
    return new BinaryState(BinaryTrie.empty, precompiles)
  }

  /** Root hash. */
  hash(): Uint8Array {
    return this.#trie.hash()
  }

  /** The state with one account changed. */
  with(change: AccountChange): BinaryState {
    const { address, account } = change
    const key = accountKey(address)
    if (account === undefined) return this.#next(this.#trie.deleteAll(key))
    const isContract = account.code.length > 0 || !change.storage.isEmpty || this.#precompiles.has(address)
    const trie = this.#trie.put(key, encodeBinaryAccount(account)).put(join(key, CODE), account.code)
    return this.#next(
      withStorage(trie, key, change.storage).put(join(key, STORAGE), isContract ? CONTRACT : EMPTY_BYTES),
    )
  }

  #next(trie: BinaryTrie): BinaryState {
    return new BinaryState(trie, this.#precompiles)
  }
}

function withStorage(trie: BinaryTrie, key: Uint8Array, { isCleared, slots }: StorageChange): BinaryTrie {
  const storage = join(key, STORAGE)
  let changed = isCleared ? trie.deleteAll(storage) : trie
  for (const [slot, value] of slots) changed = changed.put(join(storage, slotKey(slot)), value)
  return changed
}

/** Key of an account. */
export function accountKey(address: Address): Uint8Array {
  const bytes = fromHex(address)
  return join(ACCOUNTS, keccak256(bytes).subarray(0, SPREAD_BYTES), bytes)
}

/** Suffix of the storage key of an account for one slot. */
export function slotKey(slot: Hash): Uint8Array {
  const bytes = fromHex(slot)
  return join(keccak256(bytes).subarray(0, SPREAD_BYTES), stripZeros(bytes))
}

/** RLP of nonce and balance. A zero balance is one zero byte, because the balance is encoded as a signed number. */
export function encodeBinaryAccount({
  nonce,
  balance,
}: Pick<AccountFields, 'nonce' | 'balance'>): Uint8Array {
  return encodeRlp([bigIntToBytes(nonce), bigIntToSignedBytes(balance)])
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
