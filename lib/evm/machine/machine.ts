/** Runs the code of one transaction in a core (assembly/README.md). Fees, nonce and deletions are in execute.ts. */

import { EMPTY_BYTES } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { NotLoadedError } from '../../base/not-loaded.ts'
import type { Log } from '../outcome.ts'
import type { Rules } from '../rules/rules.ts'
import { Accounts } from './accounts.ts'
import { BlockFrames, NotedFrames } from './block-frames.ts'
import type { FrameRunner } from './block-frames.ts'
import { depositCode, enter, failed } from './enter.ts'
import type { ExecutionContext, ExecutionResult, OutermostMessage } from './execution.ts'
import { executionResult } from './execution-result.ts'
import type { FrameInput, FrameResult } from './frame-input.ts'
import type { Frame } from './frame.ts'
import { isCreation, outermostFrame } from './frame-input.ts'
import { Halt, OUT_OF_GAS, haltOfCore } from './halt.ts'
import { notifyDelegate, notifyEnter, notifyExit } from './hooks.ts'
import type { Instruction } from './instruction.ts'
import { LOG0, MISSING_SLOT, RETURN, REVERT, SLOAD, SSTORE, STOP } from './layout.ts'
import { ObservedFrames } from './observed-frames.ts'
import { openFrame } from './open-frame.ts'
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
  /** A call or a creation that has to be entered again, because it needed data that had to be loaded. */
  #waiting: FrameInput | undefined
  readonly #runner: FrameRunner
  #result: ExecutionResult | undefined
  readonly #turns: PauseCounter

  constructor(context: ExecutionContext) {
    this.context = context
    this.rules = context.rules
    this.accounts = new Accounts(context.state, context.observer)
    this.substate = new Substate(context)
    this.storage = new WorkingStorage(context)
    this.#table = instructionTable(context.rules)
    this.#turns = new PauseCounter(context.observer)
    this.#runner = this.#runnerFor(context)
  }

  #runnerFor({ observer, monitor }: ExecutionContext): FrameRunner {
    const observesSteps = observer?.onOpcode !== undefined || observer?.onFault !== undefined
    if (observesSteps) return new ObservedFrames(this, this.#table, observer)
    const onBlocks = observer?.onBlocks
    return onBlocks === undefined && monitor === undefined
      ? new BlockFrames(this)
      : new NotedFrames(this, { onBlocks, monitor })
  }

  /** Begins the outermost call or creation. */
  start(message: OutermostMessage): void {
    const input = outermostFrame(message)
    notifyDelegate(this, input)
    try {
      this.enter(input)
    } catch (error) {
      // The message waits until `run` enters it again.
      if (!(error instanceof NotLoadedError)) throw error
    }
  }

  /**
   * Runs to the end, or to a pause: until data is loaded, or if the observer asks for it. Returns the promise of the pause; call
   * `run` again after that.
   */
  run(): Promise<void> | undefined {
    try {
      if (this.#waiting !== undefined) this.#enter(this.#waiting)
      for (let frame = this.#frame; frame !== undefined; frame = this.#frame) {
        const pause = this.#turns.beforeFrame() ?? this.#runUntilHalt(frame)
        if (pause !== undefined) return pause
      }
      return undefined
    } catch (error) {
      if (error instanceof NotLoadedError) return error.load()
      throw this.storage.closeAfterError(error)
    }
  }

  /** The result of the execution; available when it has ended. */
  get result(): ExecutionResult {
    return present(this.#result, 'end of the execution')
  }

  /** Whether a frame is the innermost one: it has neither ended nor called another. */
  isRunning(frame: Frame): boolean {
    return this.#frame === frame
  }

  /** Runs a frame until it ends, also by an exception, or calls another. */
  #runUntilHalt(frame: Frame): Promise<void> | undefined {
    try {
      return this.#runner.run(frame)
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      this.#runner.noteHalt?.(frame)
      this.#leave(frame.message, { ...failed(error, 0), ranCode: true }, frame)
      return undefined
    }
  }

  /** Begins the next slice of a frame. Returns the promise of the observer if it pauses the execution. */
  beginSlice(frame: Frame): Promise<void> | undefined {
    frame.beginSlice(this.#runner.sliceGas)
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

  /** Gas of an instruction that the machine performs. It is not charged here. @throws Halt; NotLoadedError before any change */
  costOf(frame: Frame, { gas, request }: Instruction): number {
    if (this.accounts.state.source !== undefined) request?.prepare?.(frame, this)
    return gas + (request?.dynamicGas?.(frame, this) ?? 0)
  }

  /** Charges and performs an instruction that the core leaves to the machine. @throws Halt */
  perform(frame: Frame, { request }: Instruction, gas: number): void {
    if (gas > frame.gas) throw OUT_OF_GAS
    frame.gas -= gas
    request?.run(frame, this)
    frame.position++
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
    this.#enter(message)
  }

  /** Enters a call or a creation. If data has to be loaded for it, nothing changes and it waits. @throws NotLoadedError */
  #enter(message: FrameInput): void {
    const { state } = this.accounts
    state.checkpoint()
    this.substate.checkpoint()
    let ending: FrameResult | undefined
    try {
      ending = enter(this, message)
    } catch (error) {
      state.revert()
      this.substate.revert()
      if (error instanceof NotLoadedError) this.#wait(message)
      throw error
    }
    this.#waiting = undefined
    if (ending !== undefined) this.#leave(message, ending, undefined)
  }

  /** Remembers a call or a creation that has to be entered again. The instruction that makes it does not run again. */
  #wait(message: FrameInput): void {
    if (this.#waiting === undefined && message.parent !== undefined) message.parent.position++
    this.#waiting = message
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
    const storage = this.storage.numberOf(message.address)
    const frame = openFrame(this.storage.core, message, { code, storage })
    frame.beginSlice(this.#runner.sliceGas)
    this.#frame = frame
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
    notifyExit(this, message, ending, frame?.position)
    this.#frame = message.parent
    if (message.parent === undefined) {
      this.#result = executionResult(this, message, ending)
      storage.close()
    } else resume(message.parent, message, { ending, keepsRevertData: this.rules.create.keepsRevertData })
  }
}
