/** The prestateTracer: accounts and slots before the execution; with `diffMode`, its changes (go-ethereum, prestate.go). */

import { EMPTY_BYTES, equalBytes, toHash, toHex, toQuantity } from '../../base/hex.ts'
import { padTo32 } from '../../base/hex.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import type { EnterEvent } from '../../evm/observer.ts'
import { State } from '../../state/state.ts'
import { isCreation } from './call-tree.ts'
import type { TracerConfig, Tracer, TracerInput } from './tracer.ts'

/** An account in geth's format; an absent member is zero or unchanged. */
interface PrestateAccount {
  balance?: string
  nonce?: number
  code?: string
  storage?: Record<string, string>
}

/** The values of an account. */
interface AccountValues {
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
}

const ABSENT_ACCOUNT: AccountValues = { balance: 0n, nonce: 0n, code: EMPTY_BYTES }

/**
 * Records the accounts and slots that the execution accesses. They are all that a replay on an otherwise empty state needs.
 */
export function prestateTracer(input: TracerInput): Tracer {
  const access = new AccessedState(input)
  const { config } = input
  let shown: unknown
  return {
    observer: {
      onAccountAccess: (address) => access.read(address),
      onStorageAccess: (address, slot) => access.readSlot(address, slot),
      onBalanceChange: (address) => access.read(address),
      onEnter: (event) => access.enter(event),
      onTransactionEnd: () => {
        shown = config.diffMode ? { post: access.after(), pre: access.changedBefore() } : access.before()
      },
    },
    end: () => JSON.stringify(shown),
  }
}

class AccessedState {
  readonly #input: TracerInput
  /** The state before the execution. Its reads are those of the execution, so that what they need is loaded. */
  readonly #before: State
  readonly #slots = new Map<Address, Set<Hash>>()
  readonly #created = new Set<Address>()
  /** Accounts that changed, each with the slots that changed. */
  readonly #changed = new Map<Address, ReadonlySet<Hash>>()

  constructor(input: TracerInput) {
    this.#input = input
    this.#before = new State(input.traced.before)
    const { from, to, coinbase } = input.traced
    for (const address of to === undefined ? [from, coinbase] : [from, to, coinbase]) this.read(address)
  }

  read(address: Address): Set<Hash> {
    let slots = this.#slots.get(address)
    if (slots === undefined) this.#slots.set(address, (slots = new Set<Hash>()))
    return slots
  }

  readSlot(address: Address, slot: Hash): void {
    this.read(address).add(slot)
  }

  enter(event: EnterEvent): void {
    this.read(event.to)
    if (isCreation(event)) this.#created.add(event.to)
  }

  /** The accessed accounts and slots, with their values before the execution. */
  before(): Record<Address, PrestateAccount> {
    const shown: Record<Address, PrestateAccount> = {}
    for (const [address, slots] of this.#slots) {
      if (this.#isNew(address)) continue
      shown[address] = this.#shownBefore(address, slots)
    }
    return shown
  }

  /** The changed accounts and slots, with their present values. Call it before a simulated call is reverted. */
  after(): Record<Address, PrestateAccount> {
    const shown: Record<Address, PrestateAccount> = {}
    this.#changed.clear()
    for (const [address, slots] of this.#slots) {
      const changed = new Set(
        [...slots].filter((slot) => this.#wordBefore(address, slot) !== this.#wordNow(address, slot)),
      )
      const now = this.#input.traced.state.account(address)
      const differences = differencesOf(this.#factsBefore(address), now ?? ABSENT_ACCOUNT, this.#input.config)
      if (Object.keys(differences).length === 0 && changed.size === 0) continue
      this.#changed.set(address, changed)
      // A deleted account is in `pre` only.
      if (now === undefined) continue
      const left = [...changed].filter((slot) => this.#wordNow(address, slot) !== ZERO_HASH)
      shown[address] = { ...differences, ...this.#words(left, (slot) => this.#wordNow(address, slot)) }
    }
    return shown
  }

  /** The accounts and slots that `after` found changed, with their values before the execution. */
  changedBefore(): Record<Address, PrestateAccount> {
    const shown: Record<Address, PrestateAccount> = {}
    for (const [address, slots] of this.#changed) {
      if (this.#isNew(address)) continue
      const held = [...slots].filter((slot) => this.#wordBefore(address, slot) !== ZERO_HASH)
      shown[address] = this.#shownBefore(address, held)
    }
    return shown
  }

  /** Whether the execution created the account, which then has no prestate. */
  #isNew(address: Address): boolean {
    const isEmpty = this.#before.account(address) === undefined
    return isEmpty && !this.#input.config.includeEmpty && this.#created.has(address)
  }

  #shownBefore(address: Address, slots: Iterable<Hash>): PrestateAccount {
    const { balance, nonce, code } = this.#factsBefore(address)
    return {
      balance: toQuantity(balance),
      ...(nonce === 0n ? {} : { nonce: Number(nonce) }),
      ...(code.length === 0 || this.#input.config.disableCode ? {} : { code: toHex(code) }),
      ...this.#words(slots, (slot) => this.#wordBefore(address, slot)),
    }
  }

  #words(slots: Iterable<Hash>, wordOf: (slot: Hash) => Hash): Pick<PrestateAccount, 'storage'> {
    const words = [...slots].map((slot): [Hash, Hash] => [slot, wordOf(slot)])
    return words.length === 0 || this.#input.config.disableStorage
      ? {}
      : { storage: Object.fromEntries(words) }
  }

  #factsBefore(address: Address): AccountValues {
    return this.#before.account(address) ?? ABSENT_ACCOUNT
  }

  #wordBefore(address: Address, slot: Hash): Hash {
    return toHash(padTo32(this.#before.storage(address, slot)))
  }

  #wordNow(address: Address, slot: Hash): Hash {
    return toHash(padTo32(this.#input.traced.state.storage(address, slot)))
  }
}

function differencesOf(
  before: AccountValues,
  now: AccountValues,
  { disableCode }: TracerConfig,
): PrestateAccount {
  return {
    ...(now.balance === before.balance ? {} : { balance: toQuantity(now.balance) }),
    ...(now.nonce === before.nonce ? {} : { nonce: Number(now.nonce) }),
    ...(disableCode || equalBytes(now.code, before.code) ? {} : { code: toHex(now.code) }),
  }
}
