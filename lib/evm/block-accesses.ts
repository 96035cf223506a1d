/** Records what a block accesses and changes, for its access list (EIP-7928). */

import { bigIntToBytes, equalBytes, fromHex, stripZeros, toHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { getOrAdd } from '../base/once.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { encodeRlp, type RlpInput } from '../base/rlp.ts'
import { EMPTY_ACCOUNT, type AccountFields } from '../state/account.ts'
import type { State } from '../state/state.ts'

/** An accessed slot and its value before, without leading zeros. */
export interface AccessedSlot {
  readonly address: Address
  readonly slot: Hash
  readonly before: Uint8Array
}

/** A value after a part of the block, in RLP. */
type Change = readonly [index: Uint8Array, value: Uint8Array]

/** Changes of an account, oldest first. */
interface AccountAccesses {
  readonly slots: Map<Hash, Change[]>
  readonly balances: Change[]
  readonly nonces: Change[]
  readonly codes: Change[]
}

/** The accesses of one block. A block has these parts: what precedes the transactions, each transaction, and what follows them. */
export class BlockAccesses {
  readonly #accounts = new Map<Address, AccountAccesses>()
  #index = 0
  /** Accounts that the current part accesses, as they were before it. */
  #fields = new Map<Address, AccountFields>()
  #slots = new Map<Address, Map<Hash, Uint8Array>>()

  /** Notes an account before the current part changes it. */
  addAccount(state: State, address: Address): void {
    if (!this.#fields.has(address)) this.#fields.set(address, state.account(address) ?? EMPTY_ACCOUNT)
  }

  addSlot({ address, slot, before }: AccessedSlot): void {
    const slots = getOrAdd(this.#slots, address, () => new Map<Hash, Uint8Array>())
    if (!slots.has(slot)) slots.set(slot, before)
  }

  drop(): void {
    this.#fields = new Map()
    this.#slots = new Map()
  }

  endPart(state: State): void {
    const index = bigIntToBytes(BigInt(this.#index++))
    for (const [address, before] of this.#fields) {
      const now = state.account(address) ?? EMPTY_ACCOUNT
      const { balances, nonces, codes } = this.#of(address)
      if (now.balance !== before.balance) balances.push([index, bigIntToBytes(now.balance)])
      if (now.nonce !== before.nonce) nonces.push([index, bigIntToBytes(now.nonce)])
      if (now.codeHash !== before.codeHash) codes.push([index, now.code])
    }
    for (const [address, slots] of this.#slots) {
      for (const [slot, before] of slots) {
        const changes = getOrAdd(this.#of(address).slots, slot, (): Change[] => [])
        const now = state.storage(address, slot)
        if (!equalBytes(now, before)) changes.push([index, now])
      }
    }
    this.drop()
  }

  encode(): Uint8Array {
    return encodeRlp(sorted(this.#accounts).map(accountItems))
  }

  #of(address: Address): AccountAccesses {
    return getOrAdd(this.#accounts, address, () => ({
      slots: new Map(),
      balances: [],
      nonces: [],
      codes: [],
    }))
  }
}

export const accessListHash = (list: Uint8Array): Hash => toHash(keccak256(list))

function accountItems([address, { slots, balances, nonces, codes }]: readonly [
  Address,
  AccountAccesses,
]): RlpInput {
  const all = sorted(slots).map(([slot, changes]) => [stripZeros(fromHex(slot)), changes] as const)
  const reads = all.filter(([, changes]) => changes.length === 0).map(([slot]) => slot)
  const writes = all.filter(([, changes]) => changes.length > 0)
  return [fromHex(address), writes, reads, balances, nonces, codes]
}

/** The entries sorted by key. All keys have the same length. */
const sorted = <K extends string, V>(map: ReadonlyMap<K, V>): readonly (readonly [K, V])[] =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1))
