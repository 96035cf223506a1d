/** The accrued substate of a transaction; a frame that fails loses its part (Yellow Paper, 6.1; EIP-2929, 1153). */

import type { Address, Hash } from '../../../lib/base/hex.ts'
import { Journal } from '../../../lib/state/journal.ts'
import type { ConsoleCalls } from '../../../lib/evm/console.ts'
import { ConsoleSink } from '../../../lib/evm/console.ts'
import type { Log } from '../../../lib/evm/outcome.ts'
import { precompileAddress } from '../../../lib/evm/precompiles/words.ts'

/** The RIPEMD-160 precompile. */
const RIPEMD160 = precompileAddress(3)

/** Accesses, logs, refunds and deletions of one transaction. */
export class Substate {
  readonly logs: Log[] = []
  /** Contracts that are deleted at the end. */
  readonly destroyed = new Set<Address>()
  /** Contracts created in this transaction (EIP-6780). */
  readonly created = new Set<Address>()
  /** Accounts that are deleted at the end if they are empty. */
  readonly touched = new Set<Address>()
  #console: ConsoleSink | undefined
  /** Refund for storage; that of a single frame can be negative. */
  #storageRefund = 0
  readonly #warmAddresses: Set<Address>
  readonly #warmSlots = new Map<Address, Set<Hash>>()
  readonly #originals = new Map<string, bigint>()
  readonly #transient = new Map<Address, Map<bigint, bigint>>()
  readonly #undos = new Journal()

  constructor(warmAddresses: Iterable<Address>, warmSlots: Iterable<readonly [Address, Hash]>) {
    this.#warmAddresses = new Set(warmAddresses)
    for (const [address, slot] of warmSlots) this.warmSlot(address, slot)
  }

  checkpoint(): void {
    this.#undos.checkpoint()
  }

  commit(): void {
    this.#undos.commit()
  }

  revert(): void {
    this.#undos.revert()
  }

  get storageRefund(): number {
    return this.#storageRefund
  }

  set storageRefund(refund: number) {
    const before = this.#storageRefund
    if (refund === before) return
    this.#storageRefund = refund
    this.#undos.push(() => (this.#storageRefund = before))
  }

  /** Calls of console.log; absent without calls. */
  get consoleCalls(): ConsoleCalls | undefined {
    return this.#console
  }

  /** Records a call of console.log. A failed frame does not remove it, because users need it then most. */
  say(input: Uint8Array): void {
    this.#console ??= new ConsoleSink()
    this.#console.add(input)
  }

  isWarm(address: Address): boolean {
    return this.#warmAddresses.has(address)
  }

  /** Makes an address warm; returns whether it was cold. */
  warm(address: Address): boolean {
    return this.#add(this.#warmAddresses, address)
  }

  /** Makes a slot warm; returns whether it was cold. */
  warmSlot(address: Address, slot: Hash): boolean {
    let slots = this.#warmSlots.get(address)
    if (slots === undefined) this.#warmSlots.set(address, (slots = new Set<Hash>()))
    return this.#add(slots, slot)
  }

  /** The original value of a slot: its value at the first call, which comes before the first write. */
  original(address: Address, slot: Hash, current: bigint): bigint {
    const key = `${address} ${slot}`
    const known = this.#originals.get(key)
    if (known === undefined) this.#originals.set(key, current)
    return known ?? current
  }

  log(log: Log): void {
    this.logs.push(log)
    this.#undos.push(() => this.logs.pop())
  }

  /** Records a contract to delete. */
  destroy(address: Address): void {
    this.#add(this.destroyed, address)
  }

  /** Records a created contract. */
  create(address: Address): void {
    this.#add(this.created, address)
  }

  /**
   * Records an account that may have to be deleted as empty. A revert undoes this, except for RIPEMD-160: mainnet cleared its
   * empty account after a call that ran out of gas, and clients have followed since (geth, core/state/journal.go).
   */
  touch(address: Address): void {
    if (address === RIPEMD160) this.touched.add(address)
    else this.#add(this.touched, address)
  }

  /** Word of transient storage. */
  transient(address: Address, slot: bigint): bigint {
    return this.#transient.get(address)?.get(slot) ?? 0n
  }

  setTransient(address: Address, slot: bigint, value: bigint): void {
    let slots = this.#transient.get(address)
    if (slots === undefined) this.#transient.set(address, (slots = new Map<bigint, bigint>()))
    const known = slots
    const before = known.get(slot) ?? 0n
    known.set(slot, value)
    this.#undos.push(() => known.set(slot, before))
  }

  #add<T>(set: Set<T>, member: T): boolean {
    if (set.has(member)) return false
    set.add(member)
    this.#undos.push(() => set.delete(member))
    return true
  }
}
