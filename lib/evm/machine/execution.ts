/** A running execution: what all its frames share. Its frames are in machine.ts. */

import type { Address } from '../../base/hex.ts'
import { MAX_UINT256 } from '../../base/limits.ts'
import { invariant } from '../../base/invariant.ts'
import { EMPTY_ACCOUNT, type AccountFields } from '../../state/account.ts'
import type { State } from '../../state/state.ts'
import type { BlockAccesses } from '../block-accesses.ts'
import type { BlockContext } from '../block-context.ts'
import type { Observer } from '../observer.ts'
import { transferLog, type Log } from '../outcome.ts'
import type { Precompile } from '../precompile.ts'
import type { Rules } from '../rules.ts'
import type { ExecutionEnvironment, ExecutionResult, TransactionContext } from './environment.ts'
import { CREATE_COLLISION, isCreation, type FrameInput, type FrameResult } from './frame-input.ts'
import { StateGasMeter } from './state-gas.ts'
import { WorkingStorage } from './storage.ts'
import { Substate } from './substate.ts'

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

  /** `tables` are the core's tables of the rules (core-tables.ts). */
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

  /** Creates an empty account if the address has none. */
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
    // A creation by the transaction at an address in use costs its gas, which the block does not count.
    const uncounted = exception === CREATE_COLLISION.message ? message.gas : 0
    return {
      status,
      gasLeft,
      stateGas: { left: this.stateGas.left, used: this.stateGas.used, lost: this.stateGas.lost + uncounted },
      isGasIndependent: ranCode && this.storage.isGasIndependent(gasLeft),
      refund: this.storage.refund + destroyed.size * this.rules.selfdestruct.refund,
      // A copy, because a simulated call is reverted.
      logs: logs.slice(),
      // A copy, because the memory of the core is reused. Deposited code is that of the state.
      output: output.length === 0 || (status === 'success' && isCreation(message)) ? output : output.slice(),
      created: isCreation(message) ? message.address : undefined,
      exception,
      isPrecompileFailure: this.isPrecompileFailure,
      destroyed,
      touched,
      consoleCalls,
    }
  }

  /** Returns the state gas of contracts that the transaction created and destroyed. */
  #returnStateGas(destroyed: ReadonlySet<Address>): void {
    const { stateGas } = this.rules
    if (stateGas === undefined) return
    const returned = [...destroyed].reduce((total, address) => {
      const slots = this.storage.countValues(address)
      const code = this.code(address).length
      return total + stateGas.account + slots * stateGas.slot + code * stateGas.codeByte
    }, 0)
    // The account that a transaction creates itself is part of its intrinsic gas, which does not return.
    this.stateGas.giveBack(Math.min(returned, this.stateGas.used))
  }
}
