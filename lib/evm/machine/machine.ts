/** Runs the code of one transaction, outermost frame to last return. Fees, nonces and deletions are the transaction layer's. */

import type { Address } from '../../base/hex.ts'
import { EMPTY_BYTES } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { Observer } from '../observer.ts'
import type { Rules } from '../rules/rules.ts'
import { Accounts } from './accounts.ts'
import type { Code } from './code.ts'
import { createdByNonce } from './created-address.ts'
import { depositCode, enterCall, enterCreation } from './enter.ts'
import type { ExecutionContext, ExecutionResult, OutermostMessage } from './execution.ts'
import type { Ending, Message } from './frame.ts'
import { Frame, isCreation } from './frame.ts'
import { Halt, INVALID_OPCODE, OUT_OF_GAS, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt.ts'
import type { Plan } from './step.ts'
import { MAX_HEIGHT, plan, stepOf } from './step.ts'
import { Substate } from './substate.ts'
import type { InstructionTable } from './table.ts'
import { instructionTable } from './table.ts'

/** One execution. Frames wait for each other in a list, not on the stack of the program, so that it can pause. */
export class Machine {
  readonly context: ExecutionContext
  readonly rules: Rules
  readonly accounts: Accounts
  readonly substate: Substate
  /** Whether the transaction called a precompile that refused. */
  isNativeRefusal = false
  readonly #table: InstructionTable
  /** The innermost frame; it knows who waits for it. */
  #frame: Frame | undefined
  /** The instruction that was announced before a pause. */
  #planned: Plan | undefined
  #result: ExecutionResult | undefined

  constructor(context: ExecutionContext) {
    this.context = context
    this.rules = context.rules
    this.accounts = new Accounts(context.state, context.observer)
    this.substate = new Substate(context.warmAddresses, context.warmSlots)
    this.#table = instructionTable(context.rules)
  }

  /** Begins the outermost call or creation. */
  start({ from, to, nonce, value, data, gas }: OutermostMessage): void {
    const address = to ?? createdByNonce(from, nonce)
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

  /** Runs until the end, or until an observer asks for a pause: then answers its promise; call `run` again after it. */
  run(): Promise<void> | undefined {
    const onStep = this.context.observer?.onStep
    for (let frame = this.#frame; frame !== undefined; frame = this.#frame) {
      try {
        if (onStep === undefined) {
          this.#runFrame(frame)
          continue
        }
        const pause = this.#runObserved(frame, onStep)
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

  /** What became of it; after the end. */
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

  /** The same, with every instruction announced first. */
  #runObserved(frame: Frame, onStep: NonNullable<Observer['onStep']>): Promise<void> | undefined {
    while (frame.isRunning) {
      if (frame.position >= frame.code.bytes.length) {
        this.end(frame, 'success', EMPTY_BYTES)
        return undefined
      }
      if (this.#planned === undefined) {
        this.#planned = plan(this, frame, this.#table)
        const pause = onStep(stepOf(this, frame, this.#planned))
        if (pause !== undefined) return pause
      }
      const { gas, halt, instruction } = this.#planned
      this.#planned = undefined
      if (halt !== undefined) throw halt
      frame.gas -= gas
      frame.position++
      instruction?.run(frame, this)
    }
    return undefined
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

  /** Begins a call or a creation; its caller goes on when it has ended. */
  enter(message: Message): void {
    const isNew = isCreation(message)
    this.#announce(message)
    // A new address stays warm even if the creation fails (EIP-2929).
    if (isNew) this.substate.warm(message.address)
    this.accounts.state.checkpoint()
    this.substate.checkpoint()
    const ending = isNew ? enterCreation(this, message) : enterCall(this, message)
    if (ending !== undefined) this.#leave(message, ending)
  }

  /** Puts a frame in front of the one that called it. */
  open(message: Message, code: Code): void {
    if (message.parent !== undefined) message.parent.isRunning = false
    const memoryLimit = this.rules.maxMemory
    this.#frame = new Frame(message, code, { memoryLimit, refundBefore: this.substate.storageRefund })
  }

  /** Sends wei from one account to another; whether it could. */
  send(from: Address, to: Address, value: bigint): boolean {
    this.substate.touch(from)
    this.substate.touch(to)
    if (this.rules.call.recordsMissing) this.accounts.record(to)
    return this.accounts.transfer(from, to, value)
  }

  #announce(message: Message): void {
    const onEnter = this.context.observer?.onEnter
    if (onEnter === undefined) return
    const { kind, depth, from, codeAddress, value, gas, data } = message
    const isNew = isCreation(message)
    onEnter({
      kind,
      depth,
      from,
      to: isNew ? undefined : codeAddress,
      value,
      gas: BigInt(gas),
      input: data,
      isPrecompile: !isNew && this.rules.precompiles.has(codeAddress),
    })
  }

  /** Keeps or drops what a message did, and lets its caller go on. */
  #leave(message: Message, ending: Ending): void {
    const { accounts, substate } = this
    const isKept = ending.status === 'success'
    if (isKept) accounts.state.commit()
    else accounts.state.revert()
    if (isKept) substate.commit()
    else substate.revert()
    this.#announceEnd(message, ending)
    this.#frame = message.parent
    if (message.parent === undefined) this.#result = this.#resultOf(message, ending)
    else this.#resume(message.parent, message, ending)
  }

  #announceEnd(message: Message, { status, gasLeft, output, exception, ranCode }: Ending): void {
    this.context.observer?.onExit?.({
      status,
      gasUsed: BigInt(message.gas - gasLeft),
      output,
      exception,
      created: isCreation(message) ? message.address : undefined,
      ranCode,
    })
  }

  #resume(parent: Frame, message: Message, { status, gasLeft, output }: Ending): void {
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

  #resultOf(message: Message, { status, gasLeft, output, exception }: Ending): ExecutionResult {
    const { consoleCalls, destroyed, logs, storageRefund, touched } = this.substate
    return {
      status,
      gasLeft,
      refund: storageRefund + destroyed.size * this.rules.selfdestruct.refund,
      logs,
      output,
      created: isCreation(message) ? message.address : undefined,
      exception,
      isNativeRefusal: this.isNativeRefusal,
      destroyed,
      touched,
      consoleCalls,
    }
  }
}
