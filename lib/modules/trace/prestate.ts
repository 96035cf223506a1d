/** The prestateTracer: accounts and slots before the execution; with `diffMode`, its changes (go-ethereum, prestate.go). */

import { getOrAdd } from '../../base/once.ts'
import { equalBytes, toHex, toQuantity, type Address, type Hash } from '../../base/hex.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import type { EnterEvent } from '../../evm/observer.ts'
import { EMPTY_ACCOUNT, type AccountFields } from '../../state/account.ts'
import { State } from '../../state/state.ts'
import { isCreation } from '../../insight/replay/call-tree.ts'
import { storedWord } from '../../insight/replay/call-tree.ts'
import type { Tracer, TracerInput } from './tracer.ts'

/** An account in geth's format. An absent member is zero or unchanged. */
interface PrestateAccount {
  balance?: string
  nonce?: number
  code?: string
  storage?: Record<string, string>
}

type PrestateAccounts = Record<Address, PrestateAccount>

type AccountValues = Pick<AccountFields, 'balance' | 'nonce' | 'code'>

/** Records the accounts and slots that the execution accesses: all that a replay on an empty state needs. */
export function prestateTracer(input: TracerInput): Tracer {
  const access = new AccessedState(input)
  let shown: object
  return {
    observer: {
      onAccountAccess: (address) => access.read(address),
      onStorageAccess: (address, slot) => access.read(address).add(slot),
      onBalanceChange: (address) => access.read(address),
      onEnter: (event) => access.enter(event),
      onTransactionEnd: () => {
        shown = input.config.diffMode ? access.changes() : access.before()
      },
    },
    end: () => JSON.stringify(shown),
  }
}

class AccessedState {
  readonly #input: TracerInput
  /** The state before the execution. Reading it counts as a read of the execution, so that missing data is loaded. */
  readonly #before: State
  readonly #slots = new Map<Address, Set<Hash>>()
  readonly #created = new Set<Address>()

  constructor(input: TracerInput) {
    this.#input = input
    this.#before = new State(input.traced.before)
    const { message, coinbase } = input.traced
    for (const address of [message.sender, message.to, coinbase])
      if (address !== undefined) this.read(address)
  }

  read(address: Address): Set<Hash> {
    return getOrAdd(this.#slots, address, () => new Set<Hash>())
  }

  enter(event: EnterEvent): void {
    this.read(event.to)
    if (isCreation(event)) this.#created.add(event.to)
  }

  /** The accessed accounts and slots, with their values before the execution. */
  before(): PrestateAccounts {
    const accessed = [...this.#slots].filter(([address]) => !this.#isNew(address))
    return Object.fromEntries(
      accessed.map(([address, slots]) => [address, this.#shownBefore(address, [...slots])]),
    )
  }

  /** The changed accounts and slots, with their values before and now. Called before a simulated call is reverted. */
  changes(): { readonly post: PrestateAccounts; readonly pre: PrestateAccounts } {
    const { state } = this.#input.traced
    const [post, pre]: [PrestateAccounts, PrestateAccounts] = [{}, {}]
    for (const [address, slots] of this.#slots) {
      const isHeld = (at: State) => (slot: Hash) => storedWord(at, address, slot) !== ZERO_HASH
      const changed = [...slots].filter(
        (slot) => storedWord(this.#before, address, slot) !== storedWord(state, address, slot),
      )
      const now = state.account(address)
      const differences = this.#differences(this.#before.account(address), now)
      if (Object.keys(differences).length === 0 && changed.length === 0) continue
      // A deleted account is only in `pre`.
      if (now !== undefined)
        post[address] = { ...differences, ...this.#words(address, state, changed.filter(isHeld(state))) }
      if (!this.#isNew(address))
        pre[address] = this.#shownBefore(address, changed.filter(isHeld(this.#before)))
    }
    return { post, pre }
  }

  /** Whether the execution created the account. It then has no prestate. */
  #isNew(address: Address): boolean {
    const isEmpty = this.#before.account(address) === undefined
    return isEmpty && !this.#input.config.includeEmpty && this.#created.has(address)
  }

  #shownBefore(address: Address, slots: readonly Hash[]): PrestateAccount {
    const account = this.#before.account(address)
    return {
      balance: toQuantity(account?.balance ?? 0n),
      ...this.#differences(EMPTY_ACCOUNT, account),
      ...this.#words(address, this.#before, slots),
    }
  }

  #words(address: Address, state: State, slots: readonly Hash[]): Pick<PrestateAccount, 'storage'> {
    return slots.length === 0 || this.#input.config.disableStorage
      ? {}
      : { storage: Object.fromEntries(slots.map((slot) => [slot, storedWord(state, address, slot)])) }
  }

  #differences(
    before: AccountValues = EMPTY_ACCOUNT,
    now: AccountValues = EMPTY_ACCOUNT,
  ): Omit<PrestateAccount, 'storage'> {
    const isSameCode = this.#input.config.disableCode || equalBytes(now.code, before.code)
    return {
      ...(now.balance === before.balance ? {} : { balance: toQuantity(now.balance) }),
      ...(now.nonce === before.nonce ? {} : { nonce: Number(now.nonce) }),
      ...(isSameCode ? {} : { code: toHex(now.code) }),
    }
  }
}
