/**
 * Traces with a tracer in JavaScript, as geth's run (go-ethereum, eth/tracers/js/goja.go). The observer follows the frames and calls the
 * functions of the script; host-functions.ts answers its questions.
 */

import { NodeError } from '../../../base/errors.ts'
import { toHex } from '../../../base/hex.ts'
import type { EnterEvent, ExitEvent, Observer, Step } from '../../../evm/observer.ts'
import { gethErrorOf, gethExceptionText, isCreation, REVERTED } from '../call-tree.ts'
import type { ScriptOptions, Tracer, TracerInput } from '../tracer.ts'
import { hostFunctions } from './host-functions.ts'
import type { RunningFrame, StepView } from './host-functions.ts'
import { PRELUDE } from './prelude.ts'
import { bigIntegerScript } from './quickjs.ts'
import { ScriptError } from './sandbox.ts'
import type { TimeCheck, Sandbox } from './sandbox.ts'

/** A tracer in JavaScript, and its time. */
export interface TracerScript extends ScriptOptions {
  readonly startClock: () => TimeCheck
}

/** A tracer of one execution. After an error the script is not called again; the execution ends, and `end` throws the error. */
export function javascriptTracer(script: TracerScript, input: TracerInput, sandbox: Sandbox): Tracer {
  const tracer = new ScriptTracer(script, input, sandbox)
  return { observer: tracer.observer, end: tracer.end }
}

class ScriptTracer {
  readonly #sandbox: Sandbox
  /** Frames that have not ended, outermost first. */
  readonly #frames: RunningFrame[] = []
  #step: StepView | undefined
  #failure: Error | undefined
  readonly #context: Record<string, unknown>
  #result = 'null'
  /** Whether the script reads the stack: then it gets the highest words with each step, which takes less time than to ask for them. */
  #readsStack = false
  readonly observer: Observer

  constructor({ code, config, startClock }: TracerScript, input: TracerInput, sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#context = contextOf(input)
    const host = hostFunctions(input, {
      step: () => this.#step,
      frame: () => this.#frames.at(-1),
      readsStack: () => void (this.#readsStack = true),
    })
    this.#attempt(() => {
      sandbox.setClock(startClock())
      sandbox.start(PRELUDE, host, [code, config, bigIntegerScript])
    })
    this.observer = {
      onOpcode: sandbox.has('step') ? (step) => this.#onOpcode(step) : undefined,
      onFault: (step, exception) => this.#onFault(step, exception),
      onEnter: (event) => this.#onEnter(event),
      onExit: (event) => this.#onExit(event),
      onTransactionEnd: (gasUsed) => this.#finish(gasUsed),
    }
  }

  /** The JSON text of the result. @throws the error that ended the script */
  readonly end = (): string => {
    if (this.#failure === undefined) return this.#result
    throw this.#failure
  }

  #onOpcode(step: Step): undefined {
    const error = refusalOf(step)
    this.#call('step', step, error)
    // The stack and the memory of the step are gone when REVERT has run, and `fault` is called.
    if (step.name === 'REVERT') this.#step = keptStep(step)
  }

  #onFault(step: Step, exception: string): void {
    // geth calls `step` with the error, if an instruction cannot begin.
    if (refusalOf(step) === undefined) this.#call('fault', step, gethExceptionText(exception, step))
    const frame = this.#frames.at(-1)
    if (frame !== undefined) frame.fault = step
  }

  #onEnter(event: EnterEvent): void {
    const { kind, depth, from, to, gas, value } = event
    const outer = this.#frames.at(-1)
    const caller = kind === 'delegatecall' && outer !== undefined ? outer.caller : from
    // The code of these runs on the storage of the account that calls.
    const address = kind === 'delegatecall' || kind === 'callcode' ? from : to
    const input = event.input.slice()
    this.#frames.push({ kind, caller, address, value, input, fault: undefined })
    if (depth === 0) Object.assign(this.#context, outermost(event))
    else if (this.#sandbox.has('enter')) {
      const wei = kind === 'staticcall' ? undefined : value.toString(16)
      this.#attempt(
        () => this.#sandbox.call('enter', kind.toUpperCase(), from, to, Number(gas), input, wei),
        'enter',
      )
    }
  }

  #onExit(event: ExitEvent): void {
    const { status, output, gasUsed, ranCode } = event
    const step = this.#step
    if (status === 'reverted' && ranCode && step !== undefined) this.#call('fault', step, REVERTED)
    const frame = this.#frames.pop()
    const error = errorOf(event, frame)
    const returned = status === 'failed' ? new Uint8Array(0) : output
    if (this.#frames.length === 0) Object.assign(this.#context, { output: toHex(returned), error })
    else if (this.#sandbox.has('exit')) {
      this.#attempt(() => this.#sandbox.call('exit', Number(gasUsed), returned, error), 'exit')
    }
  }

  /** Calls `result` while the changes of the execution are in the state. */
  #finish(gasUsed: bigint | undefined): void {
    if (gasUsed === undefined) return
    const context = JSON.stringify({ ...this.#context, gasUsed: Number(gasUsed) })
    this.#attempt(() => {
      this.#result = this.#sandbox.call('result', context) ?? 'null'
    }, 'result')
  }

  #call(name: 'step' | 'fault', step: StepView, error: string | undefined): void {
    this.#step = step
    const { opcode, pc, gasLeft, cost, depth, refund, height, memory } = step
    const numbers = [opcode, pc, Number(gasLeft), Number(cost), depth + 1, refund, height, memory.length]
    const words = this.#readsStack ? highestWords(step) : ''
    this.#attempt(() => this.#sandbox.call(name, error, words, ...numbers), name)
    this.#step = undefined
  }

  /** Runs the script, unless it has failed before. */
  #attempt(run: () => void, name?: string): void {
    if (this.#failure !== undefined) return
    try {
      run()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const isTime = error instanceof NodeError
      const message = error instanceof ScriptError || isTime ? error.message : undefined
      const place = name === undefined ? '' : `    in server-side tracer function '${name}'`
      this.#failure =
        message === undefined
          ? error
          : new NodeError(isTime ? error.kind : 'executionFailed', message + place, { cause: error })
    }
  }
}

/** The context of `result` that is known before the execution. */
function contextOf({ traced }: TracerInput): Record<string, unknown> {
  const { block, message, coinbase, transactionHash, transactionIndex } = traced
  return {
    block: Number(block.number),
    blockHash: block.hash,
    txIndex: transactionIndex,
    txHash: transactionHash,
    gas: Number(message.gasLimit),
    // The tip: geth gives that, although it calls it a price.
    gasPrice: traced.tip.toString(16),
    coinbase,
  }
}

const outermost = (event: EnterEvent): object => ({
  type: isCreation(event) ? 'CREATE' : 'CALL',
  from: event.from,
  to: event.to,
  input: toHex(event.input),
  value: event.value.toString(16),
})

/** geth's error of a frame that ended. */
function errorOf({ status, exception, ranCode }: ExitEvent, frame?: RunningFrame): string | undefined {
  if (status === 'success') return undefined
  return status === 'reverted' ? REVERTED : gethErrorOf({ exception, ranCode, fault: frame?.fault })
}

/** Number of words that a script gets with a step: as many as most instructions take. */
const WORDS_PER_STEP = 3

function highestWords(step: StepView): string {
  const count = Math.min(step.height, WORDS_PER_STEP)
  return Array.from({ length: count }, (_, below) => step.word(below).toString(16)).join(',')
}

/** Why an instruction cannot begin, which geth tells with its step. */
function refusalOf(step: Step): string | undefined {
  if (step.height < step.inputs) return `stack underflow (${step.height} <=> ${step.inputs})`
  return step.cost > step.gasLeft ? 'out of gas' : undefined
}

/** A copy of a REVERT after it has taken its words. */
function keptStep(step: Step): StepView {
  const { pc, opcode, name, gasLeft, cost, refund, depth } = step
  const [stack, memory] = [step.stack.slice(0, -2), step.memory.slice()]
  const height = stack.length
  const word = (below: number): bigint => stack.at(-1 - below) ?? 0n
  return { pc, opcode, name, gasLeft, cost, refund, depth, memory, height, word }
}
