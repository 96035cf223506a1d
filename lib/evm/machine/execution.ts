/** A running execution: what all its frames share. Its frames are in machine.ts. */

import { STATE_GAS, STATE_GAS_LOST, STATE_GAS_RETURNED, STATE_GAS_USED } from '../../../assembly/layout.ts'
import type { Address } from '../../base/hex.ts'
import { invariant } from '../../base/invariant.ts'
import { MAX_UINT256 } from '../../base/limits.ts'
import { EMPTY_ACCOUNT, type AccountFields } from '../../state/account.ts'
import type { State } from '../../state/state.ts'
import type { BlockAccesses } from '../block-accesses.ts'
import type { BlockContext } from '../block-context.ts'
import type { Observer } from '../observer.ts'
import { transferLog, ConsoleSink, type Log, type ConsoleCalls } from '../outcome.ts'
import { precompileAddress, type Precompile } from '../precompile.ts'
import type { Rules } from '../rules.ts'
import type { ExecutionEnvironment, ExecutionResult, TransactionContext } from './environment.ts'
import { CREATE_COLLISION, isCreation, type FrameInput, type FrameResult } from './frame-input.ts'
import type { Frame } from './frame.ts'
import { WorkingStorage } from './storage.ts'

/** Accounts, storage and accrued substate of one execution. */
export class Execution {
  readonly environment: ExecutionEnvironment
  readonly transaction: TransactionContext
  readonly rules: Rules
  readonly state: State
  readonly observer: Observer | undefined
  readonly substate: Substate
  readonly storage: WorkingStorage
  readonly stateGas: StateGasMeter
  /** What the block accesses; absent where blocks have no access lists (EIP-7928). */
  readonly accesses: BlockAccesses | undefined
  /** Whether the transaction itself, not a contract, called a precompile that failed. */
  isPrecompileFailure = false

  /** `tables` are the core's tables for the rules (core-tables.ts). */
  constructor(environment: ExecutionEnvironment, transaction: TransactionContext, tables: Uint8Array) {
    this.environment = environment
    this.transaction = transaction
    this.rules = environment.rules
    this.accesses = environment.block.accesses
    this.state = environment.state
    this.observer = environment.observer
    this.substate = new Substate(environment.rules, environment.state, transaction.warmAddresses)
    this.storage = new WorkingStorage(environment, transaction, tables)
    this.stateGas = new StateGasMeter(this.storage, transaction.initialStateGas)
  }

  get block(): BlockContext {
    return this.environment.block.context
  }

  /** The precompile at an address. State overrides can replace and move them. */
  precompile(address: Address): Precompile | undefined {
    const { precompiles: moved } = this.block
    const own = moved === undefined ? address : moved.get(address)
    return own === undefined ? undefined : this.rules.precompiles.get(own)
  }

  account(address: Address): AccountFields | undefined {
    return this.state.account(address)
  }

  balance(address: Address): bigint {
    return this.state.account(address)?.balance ?? 0n
  }

  code(address: Address): Uint8Array {
    return (this.state.account(address) ?? EMPTY_ACCOUNT).code
  }

  /** Whether the account is empty or absent (EIP-161). */
  isEmpty(address: Address): boolean {
    const fields = this.state.account(address)
    return fields === undefined || (fields.nonce === 0n && fields.balance === 0n && fields.code.length === 0)
  }

  /** Notifies the observer that an instruction accesses an account by its address (EIP-2929). */
  access(address: Address): void {
    this.observer?.onAccountAccess?.(address)
  }

  /** Notes an access for the access list of the block (EIP-7928). */
  noteAccess(address: Address): void {
    this.accesses?.addAccount(this.state, address)
  }

  setBalance(address: Address, balance: bigint): void {
    invariant(balance >= 0n, `${address} sends more than it has`)
    this.state.putAccount(address, { nonce: this.state.account(address)?.nonce ?? 0n, balance })
  }

  setNonce(address: Address, nonce: bigint): void {
    this.state.putAccount(address, { nonce, balance: this.balance(address) })
  }

  createIfMissing(address: Address): void {
    if (this.state.account(address) === undefined) this.state.putAccount(address, EMPTY_ACCOUNT)
  }

  /** Transfers wei and touches both accounts (EIP-161). Returns false if the receiver's balance would overflow. */
  transfer(from: Address, to: Address, value: bigint): boolean {
    this.substate.touch(from)
    this.substate.touch(to)
    if (value === 0n) return true
    this.setBalance(from, this.balance(from) - value)
    const balance = this.balance(to) + value
    if (balance > MAX_UINT256) return false
    this.setBalance(to, balance)
    if (this.rules.transferLogs && from !== to) this.log(transferLog(from, to, value))
    return true
  }

  log(log: Log): void {
    this.substate.log(log)
    this.observer?.onLog?.(log)
  }

  /** The result of the execution, whose outermost frame has ended. The core is still in use. */
  resultOf(
    message: FrameInput,
    { status, gasLeft, output, exception, ranCode }: FrameResult,
  ): ExecutionResult {
    const { consoleCalls, destroyed, logs, touched } = this.substate
    const { accesses } = this
    if (accesses !== undefined) for (const slot of this.storage.accessedSlots) accesses.addSlot(slot)
    if (status === 'success') this.#returnStateGas(destroyed)
    // If a transaction creates at an address in use, its gas is lost, but the block does not count it.
    const uncounted = exception === CREATE_COLLISION.message ? message.gas : 0
    return {
      status,
      gasLeft,
      stateGas: { left: this.stateGas.left, used: this.stateGas.used, lost: this.stateGas.lost + uncounted },
      isGasIndependent: ranCode && this.storage.isGasIndependent(gasLeft),
      refund: this.storage.refund + destroyed.size * this.rules.selfdestruct.refund,
      // A copy, because a simulated call is reverted.
      logs: logs.slice(),
      // Copied, because the memory of the core is reused. Deposited code is the state's own array.
      output: output.length === 0 || (status === 'success' && isCreation(message)) ? output : output.slice(),
      created: isCreation(message) ? message.address : undefined,
      exception,
      isPrecompileFailure: this.isPrecompileFailure,
      destroyed,
      touched,
      consoleCalls,
    }
  }

  #returnStateGas(destroyed: ReadonlySet<Address>): void {
    const { stateGas } = this.rules
    if (stateGas === undefined) return
    const returned = [...destroyed].reduce((total, address) => {
      const slots = this.storage.countValues(address)
      const code = this.code(address).length
      return total + stateGas.account + slots * stateGas.slot + code * stateGas.codeByte
    }, 0)
    // The account that the transaction itself creates is part of its intrinsic gas, which does not return.
    this.stateGas.giveBack(Math.min(returned, this.stateGas.used))
  }
}

const RIPEMD160 = precompileAddress(3)

const NONE: ReadonlySet<never> = new Set()

/**
 * The accrued substate of a transaction, without storage: warm addresses, logs, and created, touched and destroyed accounts. The
 * journal of the state removes the additions of a failed frame (Yellow Paper, 6.1; EIP-2929).
 */
class Substate {
  readonly logs: Log[] = []
  /** Accounts that are deleted at the end if they are empty. */
  readonly touched = new Set<Address>()
  #destroyed: Set<Address> | undefined
  #created: Set<Address> | undefined
  #console: ConsoleSink | undefined
  readonly #warmAddresses: Set<Address>
  /** Precompiles are warm in every transaction, so they are not copied into the set of warm addresses. */
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

  /** Whether this transaction created the contract (EIP-6780). */
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

/** Counts state gas (EIP-8037) in the memory of the core, whose frames share it, and which charges SSTORE with it. */
class StateGasMeter {
  readonly #storage: WorkingStorage
  readonly #initial: number

  constructor(storage: WorkingStorage, initial: number) {
    this.#storage = storage
    this.#initial = initial
  }

  get left(): number {
    return this.#storage.openCore?.f64[STATE_GAS >>> 3] ?? this.#initial
  }

  /** Used gas, minus what returned. */
  get used(): number {
    return this.#storage.openCore?.f64[STATE_GAS_USED >>> 3] ?? 0
  }

  /** Gas that returned to frames that failed later. */
  get lost(): number {
    return this.#storage.openCore?.f64[STATE_GAS_LOST >>> 3] ?? 0
  }

  /** Plans a use of state gas by the next instruction of a frame. Returns the part that the frame pays with its own gas. */
  plan(frame: Frame, gas: number): number {
    frame.stateGas = gas
    return Math.max(gas - this.left, 0)
  }

  /** Uses the planned state gas of a frame, whose own part has been charged. */
  use(frame: Frame): void {
    this.#add(-Math.min(frame.stateGas, this.left), frame.stateGas)
    frame.stateGas = 0
  }

  /** Returns gas for state that was not created. */
  giveBack(gas: number): void {
    if (gas === 0) return
    this.#storage.dependOnGas()
    this.#add(gas, -gas)
    const { f64 } = this.#storage.core
    f64[STATE_GAS_RETURNED >>> 3] = (f64[STATE_GAS_RETURNED >>> 3] ?? 0) + gas
  }

  /** Returns the gas that a failed frame used. What had returned to it is lost, unless it is the outermost frame. */
  revert({ core: { f64 }, message: { depth }, start }: Frame): void {
    const { used, returned } = start.stateGas
    const usedBy = this.used - used
    const returnedTo = depth === 0 ? 0 : (f64[STATE_GAS_RETURNED >>> 3] ?? 0) - returned
    const { left } = this
    const now = Math.max(left + Math.max(usedBy, 0) - returnedTo, 0)
    f64[STATE_GAS_LOST >>> 3] = this.lost + left + usedBy - now
    f64[STATE_GAS >>> 3] = now
    f64[STATE_GAS_USED >>> 3] = used
    f64[STATE_GAS_RETURNED >>> 3] = returned
  }

  #add(left: number, used: number): void {
    const { f64 } = this.#storage.core
    f64[STATE_GAS >>> 3] = (f64[STATE_GAS >>> 3] ?? 0) + left
    f64[STATE_GAS_USED >>> 3] = (f64[STATE_GAS_USED >>> 3] ?? 0) + used
  }
}
