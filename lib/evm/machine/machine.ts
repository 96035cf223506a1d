/** Runs the code of one transaction in a core (assembly/README.md). Fees, nonce and deletions are in lib/evm/execute.ts. */

import { EMPTY_BYTES } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { NotLoadedError } from '../../base/routine.ts'
import { BLOCK_FRAMES, NotedFrames, ObservedFrames, type FrameRunner } from './run-frames.ts'
import { tableImage, instructionTable, type InstructionTable } from './core-tables.ts'
import { depositCode, enter, failed, outermostFrame, resume } from './enter.ts'
import type {
  ExecutionEnvironment,
  ExecutionResult,
  OutermostMessage,
  TransactionContext,
} from './environment.ts'
import { Execution } from './execution.ts'
import { isCreation, Halt, OUT_OF_GAS, haltOfCore, type FrameInput, type FrameResult } from './frame-input.ts'
import { Frame } from './frame.ts'
import { notifyDelegate, notifyEnter, notifyExit } from './hooks.ts'
import { gasOf, type Instruction } from './instruction.ts'
import * as layout from '../../../assembly/layout.ts'

/** Starting or ending this many frames takes about as long as a slice, a few milliseconds. */
const FRAMES_PER_SLICE = 64

/** The machine of one execution. Its frames are in the memory of a core, not on the JavaScript stack, so that it can pause. */
export class Machine {
  readonly execution: Execution
  readonly #table: InstructionTable
  readonly #runner: FrameRunner
  /** The outermost call or creation, until it has begun. */
  #outermost: FrameInput | undefined
  /** A call or creation that must be entered again, because data had to be loaded first. */
  #waiting: FrameInput | undefined
  #frame: Frame | undefined
  /** Frames that may start or end until the next pause. Code without jumps has no slices, so frames are counted too. */
  #framesLeft = FRAMES_PER_SLICE
  #result: ExecutionResult | undefined

  constructor(environment: ExecutionEnvironment, transaction: TransactionContext, message: OutermostMessage) {
    this.execution = new Execution(environment, transaction, tableImage(environment.rules))
    this.#table = instructionTable(environment.rules)
    this.#runner = runnerFor(this.execution)
    this.#outermost = outermostFrame(transaction, message)
  }

  /** Runs to the end or to a pause, for data or for the observer. Returns the pause's promise; call `run` again after it. */
  run(): Promise<void> | undefined {
    try {
      if (this.#outermost !== undefined) this.#begin(this.#outermost)
      else if (this.#waiting !== undefined) this.#enter(this.#waiting)
      for (let frame = this.#frame; frame !== undefined; frame = this.#frame) {
        this.#framesLeft--
        const pause = (this.#framesLeft > 0 ? undefined : this.#afterSlice()) ?? this.#runUntilHalt(frame)
        if (pause !== undefined) return pause
      }
      return undefined
    } catch (error) {
      if (error instanceof NotLoadedError) return error.load()
      this.execution.storage.close(error)
      throw error
    }
  }

  /** Describes what runs, for people. */
  get title(): string {
    const { environment, transaction } = this.execution
    const { hash, origin } = transaction
    const frames: Frame[] = []
    for (let frame = this.#frame; frame !== undefined; frame = frame.caller) frames.push(frame)
    const { address = 'a precompile', gas = 0 } = frames.at(-1)?.message ?? {}
    const used = frames.reduce((left, frame) => left - frame.gas, gas)
    const what = hash === undefined ? 'a call' : `transaction ${hash}`
    return `${what} from ${origin} to ${address} in block ${environment.block.context.number}, with ${used} gas so far,`
  }

  /** The result of the execution; available when it has ended. */
  get result(): ExecutionResult {
    return present(this.#result, 'end of the execution')
  }

  close(): void {
    this.execution.storage.close()
  }

  #begin(message: FrameInput): void {
    notifyDelegate(this.execution, message)
    this.execution.noteAccess(message.address)
    this.#outermost = undefined
    this.#announce(message)
  }

  /** Runs a frame until it ends, also by an exception, or calls another. Returns the promise that a pause waits for. */
  #runUntilHalt(frame: Frame): Promise<void> | undefined {
    try {
      while (this.#frame === frame) {
        const stop = this.#runner.run(frame)
        if (typeof stop !== 'number') return stop
        if (stop === layout.SLICE) {
          frame.beginSlice(this.#runner.sliceGas)
          const pause = this.#afterSlice()
          if (pause !== undefined) return pause
        } else if (stop !== layout.FULL && stop !== layout.STEP) this.#handle(frame, stop)
      }
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      this.#runner.noteHalt?.(frame, error)
      this.#leave(frame.message, { ...failed(error, 0), ranCode: true }, frame)
    }
    return undefined
  }

  /** Gives the observer the opportunity to pause, so that other requests can run. Returns its promise if it does. */
  #afterSlice(): Promise<void> | undefined {
    this.#framesLeft = FRAMES_PER_SLICE
    const { observer, environment } = this.execution
    return (observer?.onSlice ?? environment.block.timer?.onSlice)?.(this)
  }

  /** Handles the reason of a stop: performs the requested instruction, or ends the frame. @throws Halt */
  #handle(frame: Frame, stop: number): void {
    if (stop < 0) throw haltOfCore(stop)
    const { storage } = this.execution
    if (stop === layout.MISSING_SLOT) return storage.loadSlot(frame)
    const instruction = this.#table[stop & 0xff]
    if (instruction?.request !== undefined) return this.#perform(frame, instruction, stop)
    switch (stop) {
      case layout.STOP:
        return this.#end(frame, 'success', EMPTY_BYTES)
      case layout.RETURN:
        return this.#end(frame, 'success', frame.output)
      case layout.REVERT:
        return this.#end(frame, 'reverted', frame.output)
      case layout.SLOAD:
      case layout.SSTORE:
        return storage.notify(frame, stop === layout.SSTORE)
      default:
        return this.execution.log({
          address: frame.address,
          topics: frame.topics(stop - layout.LOG0),
          data: frame.output.slice(),
        })
    }
  }

  /** Charges and performs an instruction that the core leaves to the machine. @throws Halt */
  #perform(frame: Frame, instruction: Instruction, stop: number): void {
    if ((stop & layout.CHARGED) === 0) {
      const gas = gasOf(instruction, frame, this.execution)
      if (gas > frame.gas) throw OUT_OF_GAS
      frame.gas -= gas
    }
    if (frame.stateGas > 0) this.execution.stateGas.use(frame)
    const next = instruction.request?.run(frame, this.execution)
    if (next === 'destroyed') return this.#end(frame, 'success', EMPTY_BYTES)
    frame.position++
    if (next !== undefined) this.#announce(next)
  }

  /** Ends a frame after STOP, RETURN, REVERT or SELFDESTRUCT. */
  #end(frame: Frame, status: 'success' | 'reverted', output: Uint8Array): void {
    const { message } = frame
    const isDeposit = status === 'success' && isCreation(message)
    const result = { status, gasLeft: frame.gas, output, ranCode: true }
    this.#leave(message, isDeposit ? depositCode(this.execution, frame, output) : result, frame)
  }

  /** Begins a call or creation, or ends one that cannot begin. The calling frame resumes after its end. */
  #announce(message: FrameInput): void {
    notifyEnter(this.execution, message)
    if (message.refusal !== undefined) {
      const result = failed(message.refusal, message.gas)
      notifyExit(this.execution, message, result)
      return this.#resume(this.#frame, message, result)
    }
    // A new address stays warm even if the creation fails (EIP-2929).
    if (isCreation(message)) {
      this.execution.substate.warm(message.address)
      this.execution.noteAccess(message.address)
    }
    this.#enter(message)
  }

  /** Enters a call or creation. If data must be loaded first, nothing changes and it waits. @throws NotLoadedError */
  #enter(message: FrameInput): void {
    const { state } = this.execution
    state.checkpoint()
    let entered: Frame | FrameResult
    try {
      entered = enter(this.execution, message, this.#frame)
    } catch (error) {
      state.revert()
      if (error instanceof NotLoadedError) this.#waiting = message
      throw error
    }
    this.#waiting = undefined
    if (!(entered instanceof Frame)) return this.#leave(message, entered, undefined)
    entered.beginSlice(this.#runner.sliceGas)
    this.#frame = entered
  }

  /** Commits or reverts the changes of a call or a creation, and resumes its caller. `frame` is absent if it ran no code. */
  #leave(message: FrameInput, result: FrameResult, frame: Frame | undefined): void {
    const { state, stateGas, storage } = this.execution
    if (result.status === 'success') {
      if (message.depth === 0) storage.writeBackAtEnd()
      state.commit()
    } else {
      state.revert()
      if (frame !== undefined) storage.revert(frame)
      if (frame !== undefined) stateGas.revert(frame)
    }
    notifyExit(this.execution, message, result, frame?.position)
    this.#resume(frame === undefined ? this.#frame : frame.caller, message, result)
  }

  #resume(caller: Frame | undefined, message: FrameInput, result: FrameResult): void {
    this.#frame = caller
    const { rules, storage } = this.execution
    if (caller !== undefined && result.status !== 'success' && isCreation(message))
      this.execution.stateGas.giveBack(rules.stateGas?.account ?? 0)
    if (caller !== undefined) return resume(caller, message, { result, rules: rules.create })
    this.#result = this.execution.resultOf(message, result)
    storage.close()
  }
}

function runnerFor(execution: Execution): FrameRunner {
  const { environment, observer } = execution
  const observesSteps = observer?.onOpcode !== undefined || observer?.onFault !== undefined
  if (observesSteps) return new ObservedFrames(execution, observer)
  const isNoted = observer?.onBlocks !== undefined || environment.monitor?.monitorOf !== undefined
  return isNoted ? new NotedFrames(environment) : BLOCK_FRAMES
}
