/**
 * The accrued substate of a transaction, without storage. The journal of the state removes the additions of a failed frame (Yellow
 * Paper, 6.1; EIP-2929).
 */

import type { Address } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import { ConsoleSink, type ConsoleCalls, type Log } from '../outcome.ts'
import { precompileAddress } from '../precompile.ts'
import type { Rules } from '../rules.ts'

const RIPEMD160 = precompileAddress(3)

const NONE: ReadonlySet<never> = new Set()

/** Warm addresses, logs, and created, touched and destroyed accounts of one transaction. */
export class Substate {
  readonly logs: Log[] = []
  /** Accounts that are deleted at the end if they are empty. */
  readonly touched = new Set<Address>()
  #destroyed: Set<Address> | undefined
  #created: Set<Address> | undefined
  #console: ConsoleSink | undefined
  readonly #warmAddresses: Set<Address>
  /** They are warm in every transaction, so they are not copied into the set of warm addresses. */
  readonly #precompiles: Rules['precompiles']
  readonly #state: State

  constructor({ precompiles }: Rules, state: State, warmAddresses: Iterable<Address>) {
    this.#warmAddresses = new Set(warmAddresses)
    this.#precompiles = precompiles
    this.#state = state
  }

  /** Contracts that are deleted at the end. */
  get destroyed(): ReadonlySet<Address> {
    return this.#destroyed ?? NONE
  }

  /** Calls of `console.log`; absent without calls. */
  get consoleCalls(): ConsoleCalls | undefined {
    return this.#console
  }

  /** Stores a call of `console.log`. A failed frame does not remove it, because the messages help to find the failure. */
  logToConsole(input: Uint8Array): void {
    this.#console ??= new ConsoleSink()
    this.#console.add(input)
  }

  /** Marks an address as warm. Returns whether it was cold. */
  warm(address: Address): boolean {
    return !this.#precompiles.has(address) && this.#add(this.#warmAddresses, address)
  }

  log(log: Log): void {
    this.logs.push(log)
    this.#state.onRevert(() => this.logs.pop())
  }

  destroy(address: Address): void {
    this.#add((this.#destroyed ??= new Set()), address)
  }

  create(address: Address): void {
    this.#add((this.#created ??= new Set()), address)
  }

  /** Whether a contract was created in this transaction (EIP-6780). */
  isCreated(address: Address): boolean {
    return this.#created?.has(address) ?? false
  }

  /**
   * Marks an account as touched (EIP-161). A revert removes the mark, except for RIPEMD-160: mainnet deleted its empty
   * account after a call that ran out of gas, and clients have followed since (geth, core/state/journal.go).
   */
  touch(address: Address): void {
    if (address === RIPEMD160) this.touched.add(address)
    else this.#add(this.touched, address)
  }

  #add<T>(set: Set<T>, member: T): boolean {
    const { size } = set
    set.add(member)
    if (set.size === size) return false
    this.#state.onRevert(() => set.delete(member))
    return true
  }
}
