/**
 * Traces with a tracer in JavaScript, as geth does (go-ethereum, eth/tracers/js/goja.go). The observer follows the frames and calls
 * the script's functions; host functions answer its questions.
 */

import { asAddress, asHash, fromHex, toHex, type Address, type Hash } from '../../../base/hex.ts'
import { createdByNonce, createdBySalt } from '../../../evm/machine/instructions/creation.ts'
import type { EnterEvent, ExitEvent, Observer, Step } from '../../../evm/observer.ts'
import {
  gethErrorOf,
  gethExceptionText,
  isCreation,
  opcodeName,
  REVERTED,
  type Fault,
} from '../../../insight/replay/call-tree.ts'
import { storedWord } from '../../../insight/replay/call-tree.ts'
import { MAX_PADDING, paddedSlice } from '../struct-logs.ts'
import type { ScriptOptions, Tracer, TracerInput } from '../tracer.ts'
import { bigIntegerScript } from './quickjs.ts'
import { PRELUDE, fail, Sandbox, type HostFunction, type SandboxValue } from './sandbox.ts'

/** A tracer of one execution. After an error, such as one of `checkTime`, the script is not called again, and `end` throws the error. */
export async function javascriptTracer(
  { code, config }: ScriptOptions,
  input: TracerInput,
  checkTime: () => void,
): Promise<Tracer> {
  const sandbox = await Sandbox.open(checkTime)
  const tracer = new ScriptTracer(sandbox, input)
  sandbox.start(PRELUDE, hostFunctions(input, tracer), [code, config, bigIntegerScript])
  const end = (): string => {
    if (sandbox.failure === undefined) return tracer.result
    throw sandbox.failure
  }
  return { observer: tracer.observer(), end }
}

class ScriptTracer {
  readonly #sandbox: Sandbox
  readonly #frames: RunningFrame[] = []
  /** The instruction for which the script is called, or the last REVERT. */
  step: StepView | undefined
  /** The context of `result`. */
  readonly #context: Record<string, unknown>
  /** JSON text. */
  result = 'null'

  constructor(sandbox: Sandbox, { traced }: TracerInput) {
    const { block, message, tip, coinbase, transactionHash, transactionIndex } = traced
    this.#sandbox = sandbox
    this.#context = {
      block: Number(block.number),
      blockHash: block.hash,
      txIndex: transactionIndex,
      txHash: transactionHash,
      gas: Number(message.gasLimit),
      // geth gives the tip, although it calls it a price.
      gasPrice: tip.toString(16),
      coinbase,
    }
  }

  get frame(): RunningFrame | undefined {
    return this.#frames.at(-1)
  }

  observer(): Observer {
    return {
      onOpcode: this.#sandbox.has('step') ? (step) => this.#onOpcode(step) : undefined,
      onFault: (step, exception) => this.#onFault(step, exception),
      onEnter: (event) => this.#onEnter(event),
      onExit: (event) => this.#onExit(event),
      // The execution's changes stay in the state until its end.
      onTransactionEnd: (gasUsed) => {
        if (gasUsed === undefined) return
        const context = JSON.stringify({ ...this.#context, gasUsed: Number(gasUsed) })
        this.result = this.#sandbox.call('result', context) ?? 'null'
      },
    }
  }

  #onOpcode(step: Step): undefined {
    this.#call('step', step, refusalOf(step))
    // The stack and memory of the step are gone when REVERT has run and `fault` is called.
    if (step.name === 'REVERT') this.step = keptStep(step)
  }

  #onFault(step: Step, exception: string): void {
    // If an instruction cannot begin, geth calls `step` with the error.
    if (refusalOf(step) === undefined) this.#call('fault', step, gethExceptionText(exception, step))
    if (this.frame !== undefined) this.frame.fault = step
  }

  #onEnter(event: EnterEvent): void {
    const { kind, depth, from, to, gas, value } = event
    const caller = kind === 'delegatecall' ? (this.frame?.caller ?? from) : from
    // The code of these runs on the caller's storage.
    const address = kind === 'delegatecall' || kind === 'callcode' ? from : to
    const input = event.input.slice()
    this.#frames.push({ kind, caller, address, value, input, fault: undefined })
    const wei = kind === 'staticcall' ? undefined : value.toString(16)
    if (depth > 0) this.#sandbox.call('enter', kind.toUpperCase(), from, to, Number(gas), input, wei)
    else {
      const type = isCreation(event) ? 'CREATE' : 'CALL'
      Object.assign(this.#context, { type, from, to, input: toHex(input), value: wei })
    }
  }

  #onExit({ status, output, gasUsed, exception, ranCode }: ExitEvent): void {
    if (status === 'reverted' && ranCode && this.step !== undefined) this.#call('fault', this.step, REVERTED)
    const { fault } = this.#frames.pop() ?? {}
    const error = gethErrorOf({ status, exception, ranCode, fault })
    const returned = status === 'failed' ? NO_BYTES : output
    if (this.#frames.length > 0) this.#sandbox.call('exit', Number(gasUsed), returned, error)
    else Object.assign(this.#context, { output: toHex(returned), error })
  }

  #call(name: 'step' | 'fault', step: StepView, error: string | undefined): void {
    this.step = step
    const { opcode, pc, gasLeft, cost, depth, refund, height, memory } = step
    const numbers = [opcode, pc, Number(gasLeft), Number(cost), depth + 1, refund, height, memory.length]
    this.#sandbox.call(name, error, ...numbers)
    this.step = undefined
  }
}

/** Why an instruction cannot begin. geth reports it with the step. */
function refusalOf(step: Step): string | undefined {
  if (step.height < step.inputs) return gethExceptionText('stack underflow', step)
  return step.cost > step.gasLeft ? 'out of gas' : undefined
}

/** A copy of a REVERT after it has popped its words. */
function keptStep(step: Step): StepView {
  const [stack, memory] = [step.stack.slice(0, -2), step.memory.slice()]
  const word = (below: number): bigint => stack.at(-1 - below) ?? 0n
  return { ...step, memory, height: stack.length, word }
}

/** A step that scripts can read. */
type StepView = Omit<Step, 'stack' | 'address' | 'inputs'>

/** A frame that runs. */
interface RunningFrame extends Pick<EnterEvent, 'kind' | 'value' | 'input'> {
  readonly caller: Address
  readonly address: Address
  fault: Fault | undefined
}

/** What the execution is doing. */
interface Moment {
  readonly step: StepView | undefined
  readonly frame: RunningFrame | undefined
}

const NO_BYTES = new Uint8Array(0)

function hostFunctions(
  { traced: { state }, precompiles }: TracerInput,
  now: Moment,
): Readonly<Record<string, HostFunction>> {
  const account = (address: SandboxValue) => state.account(addressOf(address))
  const memory = (): Uint8Array => now.step?.memory ?? NO_BYTES
  return {
    fail: (message) => fail(String(message)),
    opName: (opcode) => opcodeName({ opcode: wholeOf(opcode), name: now.step?.name }),
    peek: (index) => {
      const below = wholeOf(index)
      const { height = 0 } = now.step ?? {}
      if (below >= 0 && below < height) return now.step?.word(below).toString(16)
      return fail(`tracer accessed out of bound stack: size ${height}, index ${below}`)
    },
    memorySlice: (begin, end) => sliceOf(memory(), wholeOf(begin), wholeOf(end)),
    memoryWord: (given) => {
      const [offset, available] = [wholeOf(given), memory().length]
      if (offset >= 0 && offset + 32 <= available)
        return toHex(memory().subarray(offset, offset + 32)).slice(2)
      return fail(`tracer accessed out of bound memory: available ${available}, offset ${offset}, size 32`)
    },
    caller: () => now.frame?.caller,
    address: () => now.frame?.address,
    value: () => now.frame?.value.toString(16),
    input: () => now.frame?.input ?? NO_BYTES,
    balance: (address) => (account(address)?.balance ?? 0n).toString(16),
    nonce: (address) => Number(account(address)?.nonce ?? 0n),
    code: (address) => account(address)?.code ?? NO_BYTES,
    state: (address, slot) => storedWord(state, addressOf(address), hashOf(slot)),
    exists: (address) => account(address) !== undefined,
    isPrecompiled: (address) => precompiles.has(addressOf(address)),
    created: (from, given) => {
      const nonce = wholeOf(given)
      if (nonce < 0 || !Number.isSafeInteger(nonce)) fail(`invalid nonce ${nonce}`)
      return createdByNonce(addressOf(from), BigInt(nonce))
    },
    created2: (from, salt, code) =>
      createdBySalt(addressOf(from), fromHex(hashOf(salt)), fromHex(String(code))),
  }
}

/** A part of the memory, with zeros after its end. */
function sliceOf(memory: Uint8Array, begin: number, end: number): Uint8Array {
  if (begin === end) return NO_BYTES
  if (begin < 0 || end < begin) fail(`tracer accessed out of bound memory: offset ${begin}, end ${end}`)
  const padding = end - memory.length
  if (padding > MAX_PADDING) fail(`reached limit for padding memory slice: ${padding}`)
  return paddedSlice(memory, begin, end)
}

const wholeOf = (value: SandboxValue): number => Math.trunc(Number(value)) || 0
const addressOf = (text: SandboxValue): Address => asAddress(String(text))
const hashOf = (text: SandboxValue): Hash => asHash(String(text))
