/** Runs the code of one transaction. The transaction layer handles fees, nonces and deletions. */

import type { Address } from '../../../lib/base/hex.ts'
import { EMPTY_BYTES } from '../../../lib/base/hex.ts'
import { present } from '../../../lib/base/invariant.ts'
import type { Log } from '../../../lib/evm/outcome.ts'
import type { Rules } from '../../../lib/evm/rules/rules.ts'
import { Accounts } from './accounts.ts'
import type { Code } from './code.ts'
import { createdByNonce } from '../../../lib/evm/machine/created-address.ts'
import { depositCode, enterCall, enterCreation } from './enter.ts'
import type {
  ExecutionContext,
  ExecutionResult,
  OutermostMessage,
} from '../../../lib/evm/machine/execution.ts'
import type { FrameResult, FrameInput } from './frame.ts'
import { Frame, isCreation } from './frame.ts'
import { Halt, INVALID_OPCODE, MAX_HEIGHT, OUT_OF_GAS, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt.ts'
import { notifyDelegate, notifyEnter, notifyExit } from './hooks.ts'
import { ObservedFrames } from './observed-frames.ts'
import { Substate } from './substate.ts'
import type { InstructionTable } from './table.ts'
import { instructionTable } from './table.ts'

/** One execution. Its frames are in a list, not on the stack of the program, so that it can pause. */
export class Machine {
  readonly context: ExecutionContext
  readonly rules: Rules
  readonly accounts: Accounts
  readonly substate: Substate
  /** Whether the transaction called a precompile that refused. */
  isPrecompileFailure = false
  readonly #table: InstructionTable
  /** The innermost frame, which has its caller as a member. */
  #frame: Frame | undefined
  /** Runs the frames if an observer has instruction hooks. */
  readonly #observed: ObservedFrames | undefined
  #result: ExecutionResult | undefined

  constructor(context: ExecutionContext) {
    this.context = context
    this.rules = context.rules
    this.accounts = new Accounts(context.state, context.observer)
    this.substate = new Substate(context.warmAddresses, context.warmSlots)
    this.substate.storageRefund = context.initialRefund ?? 0
    this.#table = instructionTable(context.rules)
    const { observer } = context
    const hearsSteps = observer?.onOpcode !== undefined || observer?.onFault !== undefined
    this.#observed = hearsSteps ? new ObservedFrames(this, this.#table, observer) : undefined
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

  /** Runs until the end, or until an observer pauses it: then it returns the promise, and continues when called again. */
  run(): Promise<void> | undefined {
    for (let frame = this.#frame; frame !== undefined; frame = this.#frame) {
      try {
        if (this.#observed === undefined) {
          this.#runFrame(frame)
          continue
        }
        const pause = this.#observed.run(frame)
        if (pause !== undefined) return pause
      } catch (error) {
        if (!(error instanceof Halt)) throw error
        this.#leave(frame.message, {
          status: 'failed',
          gasLeft: 0,
          output: EMPTY_BYTES,
          exception: error.message,
          ranCode: true,
        })
      }
    }
    return undefined
  }

  /** The result, after the end. */
  get result(): ExecutionResult {
    return present(this.#result, 'end of the execution')
  }

  /** Runs a frame until it ends or calls another. */
  #runFrame(frame: Frame): void {
    const table = this.#table
    const { bytes } = frame.code
    while (frame.isRunning) {
      const opcode = bytes[frame.position]
      if (opcode === undefined) return this.end(frame, 'success', EMPTY_BYTES)
      const instruction = table[opcode]
      if (instruction === undefined) throw INVALID_OPCODE
      const { inputs, outputs, dynamicGas } = instruction
      const rest = frame.height - inputs
      if (rest < 0) throw STACK_UNDERFLOW
      if (rest + outputs > MAX_HEIGHT) throw STACK_OVERFLOW
      let { gas } = instruction
      if (dynamicGas !== undefined) gas += dynamicGas(frame, this)
      if (gas > frame.gas) throw OUT_OF_GAS
      frame.gas -= gas
      frame.position++
      instruction.run(frame, this)
    }
  }

  /** Ends a frame by RETURN, REVERT and the like. */
  end(frame: Frame, status: 'success' | 'reverted', output: Uint8Array): void {
    const { message } = frame
    const isDeposit = status === 'success' && isCreation(message)
    this.#leave(
      message,
      isDeposit ? depositCode(this, frame, output) : { status, gasLeft: frame.gas, output, ranCode: true },
    )
    frame.isRunning = false
  }

  /** Begins a call or a creation; its caller continues after its end. */
  enter(message: FrameInput): void {
    const isNew = isCreation(message)
    notifyEnter(this, message)
    // A new address stays warm even if the creation fails (EIP-2929).
    if (isNew) this.substate.warm(message.address)
    this.accounts.state.checkpoint()
    this.substate.checkpoint()
    const ending = isNew ? enterCreation(this, message) : enterCall(this, message)
    if (ending !== undefined) this.#leave(message, ending)
  }

  /** Ends a call or a creation that cannot begin; its caller keeps the gas. */
  refuse(message: FrameInput, { message: exception }: Halt, parent: Frame): void {
    const { gas } = message
    notifyEnter(this, message)
    notifyExit(this, message, {
      status: 'failed',
      gasLeft: gas,
      output: EMPTY_BYTES,
      exception,
      ranCode: false,
    })
    parent.gas += gas
    parent.push(0n)
  }

  /** Emits an event. */
  log(log: Log): void {
    this.substate.log(log)
    this.context.observer?.onLog?.(log)
  }

  /** Makes a frame the innermost one. */
  open(message: FrameInput, code: Code): void {
    if (message.parent !== undefined) message.parent.isRunning = false
    const memoryLimit = this.rules.maxMemory
    this.#frame = new Frame(message, code, { memoryLimit, refundBefore: this.substate.storageRefund })
  }

  /** Transfers wei from one account to another; returns whether it succeeded. */
  send(from: Address, to: Address, value: bigint): boolean {
    this.substate.touch(from)
    this.substate.touch(to)
    if (this.rules.call.createsMissingAccounts) this.accounts.createIfMissing(to)
    return this.accounts.transfer(from, to, value)
  }

  /** Commits or reverts the changes of a message, and continues its caller. */
  #leave(message: FrameInput, ending: FrameResult): void {
    const { accounts, substate } = this
    const isKept = ending.status === 'success'
    if (isKept) accounts.state.commit()
    else accounts.state.revert()
    if (isKept) substate.commit()
    else substate.revert()
    notifyExit(this, message, ending)
    this.#frame = message.parent
    if (message.parent === undefined) this.#result = this.#resultOf(message, ending)
    else this.#resume(message.parent, message, ending)
  }

  #resume(parent: Frame, message: FrameInput, { status, gasLeft, output }: FrameResult): void {
    parent.gas += gasLeft
    parent.isRunning = true
    const isSuccess = status === 'success'
    if (isCreation(message)) {
      parent.push(isSuccess ? BigInt(message.address) : 0n)
      const keeps = status === 'reverted' && this.rules.create.keepsRevertData
      parent.returnData = keeps ? output : EMPTY_BYTES
      return
    }
    parent.push(isSuccess ? 1n : 0n)
    parent.returnData = output
    const { offset, length } = message.output
    parent.memory.copy(output, 0, { offset, length: Math.min(length, output.length) })
  }

  #resultOf(message: FrameInput, { status, gasLeft, output, exception }: FrameResult): ExecutionResult {
    const { consoleCalls, destroyed, logs, storageRefund, touched } = this.substate
    return {
      status,
      gasLeft,
      // The oracle does not know; a test of its own compares runs with different gas.
      isGasIndependent: false,
      refund: storageRefund + destroyed.size * this.rules.selfdestruct.refund,
      logs,
      output,
      created: isCreation(message) ? message.address : undefined,
      exception,
      isPrecompileFailure: this.isPrecompileFailure,
      destroyed,
      touched,
      consoleCalls,
    }
  }
}
