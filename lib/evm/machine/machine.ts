/** Runs the code of one transaction in a core (assembly/README.md). Fees, nonce and deletions are in execute.ts. */

import type { Address } from '../../base/hex.ts'
import { EMPTY_BYTES } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { Log } from '../outcome.ts'
import type { Rules } from '../rules/rules.ts'
import { Accounts } from './accounts.ts'
import { createdByNonce } from './created-address.ts'
import { depositCode, enter, failed } from './enter.ts'
import type { ExecutionContext, ExecutionResult, OutermostMessage } from './execution.ts'
import type { FrameInput, FrameResult } from './frame-input.ts'
import type { Frame } from './frame.ts'
import { isCreation } from './frame-input.ts'
import { Halt, OUT_OF_GAS, haltOfCore } from './halt.ts'
import { notifyDelegate, notifyEnter, notifyExit } from './hooks.ts'
import type { Instruction } from './instruction.ts'
import { LOG0, MISSING_SLOT, RETURN, REVERT, SLICE, SLOAD, SSTORE, STOP } from './layout.ts'
import { ObservedFrames } from './observed-frames.ts'
import { SLICE_GAS, openFrame } from './open-frame.ts'
import { resume } from './resume.ts'
import { Substate } from './substate.ts'
import type { InstructionTable } from './table.ts'
import { instructionTable } from './table.ts'
import { PauseCounter } from './pause-counter.ts'
import { WorkingStorage } from './working-storage.ts'

/** One execution. Its frames are in the memory of a core, not on the JavaScript stack, so that the execution can pause. */
export class Machine {
  readonly context: ExecutionContext
  readonly rules: Rules
  readonly accounts: Accounts
  readonly substate: Substate
  readonly storage: WorkingStorage
  /** Whether the transaction itself, not a contract, called a precompile that failed. */
  isPrecompileFailure = false
  readonly #table: InstructionTable
  /** The innermost frame; `message.parent` is the frame that called it. */
  #frame: Frame | undefined
  /** Runs the frames if the observer has hooks for instructions. */
  readonly #observed: ObservedFrames | undefined
  #result: ExecutionResult | undefined
  readonly #turns: PauseCounter

  constructor(context: ExecutionContext) {
    this.context = context
    this.rules = context.rules
    this.accounts = new Accounts(context.state, context.observer)
    this.substate = new Substate(context)
    this.storage = new WorkingStorage(context)
    this.#table = instructionTable(context.rules)
    const { observer } = context
    this.#turns = new PauseCounter(observer)
    const observesSteps = observer?.onOpcode !== undefined || observer?.onFault !== undefined
    this.#observed = observesSteps ? new ObservedFrames(this, this.#table, observer) : undefined
  }

  /** Begins the outermost call or creation. */
  start({ from, to, nonce, value, data, gas }: OutermostMessage): void {
    const address = to ?? createdByNonce(from, nonce)
    notifyDelegate(this, address)
    this.enter({
      kind: to === undefined ? 'create' : 'call',
      depth: 0,
      from,
      caller: from,
      address,
      codeAddress: address,
      value,
      gas,
      data,
      isStatic: false,
      parent: undefined,
      output: { offset: 0, length: 0 },
    })
  }

  /** Runs to the end, or until the observer asks for a pause: then returns its promise; call `run` again after that. */
  run(): Promise<void> | undefined {
    for (let frame = this.#frame; frame !== undefined; frame = this.#frame) {
      try {
        const pause = this.#turns.beforeFrame() ?? this.#runFrame(frame)
        if (pause !== undefined) return pause
      } catch (error) {
        if (!(error instanceof Halt)) throw this.storage.closeAfterError(error)
        const ending = { gasLeft: 0, output: EMPTY_BYTES, exception: error.message, ranCode: true }
        this.#leave(frame.message, { status: 'failed', ...ending }, frame)
      }
    }
    return undefined
  }

  /** The result of the execution; available when it has ended. */
  get result(): ExecutionResult {
    return present(this.#result, 'end of the execution')
  }

  /** Whether a frame is the innermost one: it has neither ended nor called another. */
  isRunning(frame: Frame): boolean {
    return this.#frame === frame
  }

  /** Runs a frame until it ends or calls another. */
  #runFrame(frame: Frame): Promise<void> | undefined {
    if (this.#observed !== undefined) return this.#observed.run(frame)
    const { core } = frame
    while (this.#frame === frame) {
      const stop = core.runFrame(frame.at)
      core.refresh()
      if (stop !== SLICE) this.handleResult(frame, stop)
      else {
        const turn = this.beginSlice(frame)
        if (turn !== undefined) return turn
      }
    }
    return undefined
  }

  /** Begins the next slice of a frame. Returns the promise of the observer if it pauses the execution. */
  beginSlice(frame: Frame): Promise<void> | undefined {
    frame.beginSlice(SLICE_GAS)
    return this.#turns.afterSlice()
  }

  /** Handles the reason of a stop: performs the requested instruction, or ends the frame. @throws Halt */
  handleResult(frame: Frame, stop: number): void {
    if (stop < 0) throw haltOfCore(stop)
    if (stop === MISSING_SLOT) return this.storage.loadSlot(frame)
    const instruction = this.#table[stop]
    if (instruction?.request !== undefined)
      return this.perform(frame, instruction, this.costOf(frame, instruction))
    switch (stop) {
      case STOP:
        return this.end(frame, 'success', EMPTY_BYTES)
      case RETURN:
        return this.end(frame, 'success', frame.output)
      case REVERT:
        return this.end(frame, 'reverted', frame.output)
      case SLOAD:
      case SSTORE:
        return this.storage.notify(frame, stop === SSTORE)
      default:
        return this.log({
          address: frame.address,
          topics: frame.topics(stop - LOG0),
          data: frame.output.slice(),
        })
    }
  }

  /** Gas of an instruction that the machine performs. It is not charged here. @throws Halt */
  costOf(frame: Frame, { gas, request }: Instruction): number {
    return gas + (request?.dynamicGas?.(frame, this) ?? 0)
  }

  /** Charges and performs an instruction that the core leaves to the machine. @throws Halt */
  perform(frame: Frame, { request }: Instruction, gas: number): void {
    if (gas > frame.gas) throw OUT_OF_GAS
    frame.gas -= gas
    frame.position++
    request?.run(frame, this)
  }

  /** Ends a frame after STOP, RETURN, REVERT or SELFDESTRUCT. */
  end(frame: Frame, status: 'success' | 'reverted', output: Uint8Array): void {
    const { message } = frame
    const isDeposit = status === 'success' && isCreation(message)
    const ending = { status, gasLeft: frame.gas, output, ranCode: true }
    this.#leave(message, isDeposit ? depositCode(this, frame, output) : ending, frame)
  }

  /** Begins a call or a creation; the calling frame resumes when it has ended. */
  enter(message: FrameInput): void {
    notifyEnter(this, message)
    // A new address stays warm even if the creation fails (EIP-2929).
    if (isCreation(message)) this.substate.warm(message.address)
    this.accounts.state.checkpoint()
    this.substate.checkpoint()
    const ending = enter(this, message)
    if (ending !== undefined) this.#leave(message, ending, undefined)
  }

  /** Ends a call or a creation that cannot begin (depth, balance, nonce); its caller keeps the gas. */
  refuse(message: FrameInput, halt: Halt, parent: Frame): void {
    notifyEnter(this, message)
    notifyExit(this, message, failed(halt, message.gas))
    parent.gas += message.gas
    parent.push(0n)
  }

  /** Adds a log. */
  log(log: Log): void {
    this.substate.log(log)
    this.context.observer?.onLog?.(log)
  }

  /** Opens a frame, which becomes the innermost one. */
  pushFrame(message: FrameInput, code: Uint8Array): void {
    this.#frame = openFrame(this.storage.core, message, {
      code,
      storage: this.storage.numberOf(message.address),
    })
  }

  /** Transfers wei. Returns false if the receiver's balance would overflow. */
  send(from: Address, to: Address, value: bigint): boolean {
    this.substate.touch(from)
    this.substate.touch(to)
    if (this.rules.call.createsMissingAccounts) this.accounts.createIfMissing(to)
    return this.accounts.transfer(from, to, value)
  }

  /** Commits or reverts the changes of a frame, and resumes its caller. */
  #leave(message: FrameInput, ending: FrameResult, frame: Frame | undefined): void {
    const { accounts, storage, substate } = this
    if (ending.status === 'success') {
      if (message.parent === undefined) storage.writeBackAtEnd()
      accounts.state.commit()
      substate.commit()
    } else {
      accounts.state.revert()
      substate.revert()
      if (frame !== undefined) storage.revert(frame)
    }
    notifyExit(this, message, ending)
    this.#frame = message.parent
    if (message.parent === undefined) this.#finish(message, ending)
    else resume(message.parent, message, { ending, keepsRevertData: this.rules.create.keepsRevertData })
  }

  #finish(message: FrameInput, { status, gasLeft, output, exception, ranCode }: FrameResult): void {
    const { consoleCalls, destroyed, logs, touched } = this.substate
    this.#result = {
      status,
      gasLeft,
      isGasIndependent: ranCode && this.storage.isGasIndependent(gasLeft),
      refund: this.storage.refund + destroyed.size * this.rules.selfdestruct.refund,
      logs,
      // A copy, because the memory of the core is reused.
      output: output.length === 0 ? EMPTY_BYTES : output.slice(),
      created: isCreation(message) ? message.address : undefined,
      exception,
      isPrecompileFailure: this.isPrecompileFailure,
      destroyed,
      touched,
      consoleCalls,
    }
    this.storage.close()
  }
}
