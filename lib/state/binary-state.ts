/** The state as one binary trie: which keys and values accounts, storage and code have in it (node-chain 12.2). */

import {
  EMPTY_BYTES,
  asAddress,
  bigIntToBytes,
  bigIntToSignedBytes,
  fromHex,
  stripZeros,
} from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { AccountFields } from './account.ts'
import { BinaryTrie } from './binary-trie.ts'
import type { StorageChange } from './storage.ts'

/** What a block did to one account. */
export interface AccountChange {
  readonly address: Address
  /** The account as it is now; nothing when there is none. */
  readonly account: AccountFields | undefined
  readonly storage: StorageChange
}

/** First byte of every key that belongs to an account. */
const ACCOUNTS = 0x00

/** Behind the key of an account: its storage, and the mark of a contract. */
const STORAGE = Uint8Array.of(0x00)
/** Behind the key of an account: its code. */
const CODE = Uint8Array.of(0x80)

/** Value of the mark of a contract. */
const CONTRACT = Uint8Array.of(1)

/** Bytes of a hash in front of the hashed text, which spread the keys evenly. */
const SPREAD_BYTES = 10

/** Whom nobody has the key of, and whom the transactions of the node itself come from (node-chain 7.8). */
const ZERO_ADDRESS = asAddress(`0x${'00'.repeat(20)}`)

/** How the binary trie writes the sender of the node's own transactions: a single byte. */
const NODE_SENDER = new Uint8Array(1)

/** An immutable state in a binary trie. It knows hashes only: values are read from the state root. */
export class BinaryState {
  readonly #trie: BinaryTrie
  readonly #natives: ReadonlySet<Address>

  private constructor(trie: BinaryTrie, natives: ReadonlySet<Address>) {
    this.#trie = trie
    this.#natives = natives
  }

  /** The state without accounts. Accounts at the addresses of native contracts are contracts without code. */
  static empty(natives: ReadonlySet<Address>): BinaryState {
    return new BinaryState(BinaryTrie.empty, natives)
  }

  /** Root hash. */
  hash(): Uint8Array {
    return this.#trie.hash()
  }

  /** The state with one account changed. */
  with(change: AccountChange): BinaryState {
    const { address, account } = change
    if (account === undefined) return this.#next(removed(this.#trie, address))
    const key = accountKey(fromHex(address))
    const isContract = account.code.length > 0 || !change.storage.isEmpty || this.#natives.has(address)
    const trie = withAccount(this.#trie, address, account).put(join(key, CODE), account.code)
    return this.#next(
      withStorage(trie, key, change.storage).put(join(key, STORAGE), isContract ? CONTRACT : EMPTY_BYTES),
    )
  }

  #next(trie: BinaryTrie): BinaryState {
    return new BinaryState(trie, this.#natives)
  }
}

function removed(trie: BinaryTrie, address: Address): BinaryTrie {
  const rest = trie.deleteAll(accountKey(fromHex(address)))
  return address === ZERO_ADDRESS ? rest.deleteAll(accountKey(NODE_SENDER)) : rest
}

/**
 * Nonce and balance. The zero address stands for two accounts of the binary trie: the one coins are sent to, and the
 * sender of the node's own transactions, which has nothing but a nonce.
 */
function withAccount(trie: BinaryTrie, address: Address, { nonce, balance }: AccountFields): BinaryTrie {
  const key = accountKey(fromHex(address))
  if (address !== ZERO_ADDRESS || nonce === 0n) return trie.put(key, encodeBinaryAccount(nonce, balance))
  return trie
    .put(accountKey(NODE_SENDER), encodeBinaryAccount(nonce, 0n))
    .put(key, balance === 0n ? EMPTY_BYTES : encodeBinaryAccount(0n, balance))
}

function withStorage(trie: BinaryTrie, key: Uint8Array, { isCleared, slots }: StorageChange): BinaryTrie {
  const storage = join(key, STORAGE)
  let changed = isCleared ? trie.deleteAll(storage) : trie
  for (const [slot, value] of slots) changed = changed.put(join(storage, slotKey(slot)), value)
  return changed
}

/** Key of an account; the address is shorter for the sender of the node's own transactions. */
export function accountKey(address: Uint8Array): Uint8Array {
  return join(Uint8Array.of(ACCOUNTS), keccak256(address).subarray(0, SPREAD_BYTES), address)
}

/** What follows the storage key of an account for one slot. */
export function slotKey(slot: Hash): Uint8Array {
  const bytes = fromHex(slot)
  return join(keccak256(bytes).subarray(0, SPREAD_BYTES), stripZeros(bytes))
}

/** RLP of nonce and balance; a balance of zero is a zero byte, for it is a signed number. */
export function encodeBinaryAccount(nonce: bigint, balance: bigint): Uint8Array {
  return encodeRlp([bigIntToBytes(nonce), bigIntToSignedBytes(balance)])
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
