/** Struct logs: an entry for every instruction, in geth's format (go-ethereum, eth/tracers/logger), written during the run. */

import { bytesToBigInt, toHex, toWord, type Address, type Hash } from '../../base/hex.ts'
import type { EnterEvent, ExitEvent, Observer, Step } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { State } from '../../state/state.ts'
import { isCreation, gethExceptionText, opcodeName } from './call-tree.ts'
import type { Tracer, TracerInput } from './tracer.ts'
import { MemoryTexts, StackTexts, TouchedStorage } from './words.ts'

/** Traces every instruction. Memory is included unless `disableMemory` is set. */
export function structLogs(input: TracerInput): Tracer {
  const logger = new StructLogger(input)
  return { observer: logger, end: logger.end }
}

class StructLogger implements Observer {
  readonly #input: TracerInput
  readonly #stacks = new StackTexts((word) => `"0x${word.toString(16)}"`)
  readonly #memories = new MemoryTexts('0x')
  readonly #storage = new TouchedStorage()
  /** For each running frame: whether it creates a contract, and the return data of its last call. */
  readonly #frames: { readonly isCreation: boolean; returned: string }[] = []
  /** The newest entry without its closing brace: if its instruction fails, the error is added to it. */
  #open: string | undefined
  /** Whether the newest entry is that of a REVERT. */
  #isReverting = false
  /** Whether the number of entries has reached the limit. */
  #isFull = false
  #count = 0

  constructor(input: TracerInput) {
    this.#input = input
    void input.sink.write('{"structLogs":[')
  }

  readonly onOpcode = (step: Step): Promise<void> | undefined => {
    const { sink, config } = this.#input
    this.#isFull = config.limit !== undefined && this.#count >= config.limit
    this.#isReverting = !this.#isFull && step.name === 'REVERT'
    if (this.#isFull) return undefined
    const closed = this.#open === undefined ? '' : `${this.#open}},`
    this.#open = this.#entryOf(step)
    this.#count++
    return sink.write(closed)
  }

  readonly onFault = (step: Step, exception: string): void => {
    this.#isReverting = false
    if (!this.#isFull)
      this.#open = `${this.#open ?? ''},"error":${JSON.stringify(gethExceptionText(exception, step))}`
  }

  readonly onEnter = (event: EnterEvent): void => {
    this.#frames.push({ isCreation: isCreation(event), returned: '0x' })
  }

  readonly onExit = ({ status, output }: ExitEvent): void => {
    const frame = this.#frames.pop()
    const caller = this.#frames.at(-1)
    // A failed frame returns no data. A creation returns data only if it is reverted.
    const isEmpty = status === 'failed' || (status === 'success' && frame?.isCreation === true)
    if (caller !== undefined) caller.returned = isEmpty ? '0x' : toHex(output)
    if (this.#isReverting) this.#open = `${this.#open ?? ''},"reason":"${toHex(output)}"`
    this.#isReverting = false
  }

  readonly end = ({ gasUsed, status, returnData }: Outcome): string => {
    const last = this.#open === undefined ? '' : `${this.#open}}`
    const returned = status === 'failed' ? '0x' : toHex(returnData)
    return `${last}],"gas":${gasUsed},"failed":${status !== 'success'},"returnValue":"${returned}"}`
  }

  #entryOf(step: Step): string {
    const { config } = this.#input
    const { pc, gasLeft, cost, depth } = step
    let text = `{"pc":${pc},"op":"${opcodeName(step)}","gas":${gasLeft},"gasCost":${cost},"depth":${depth + 1}`
    if (!config.disableStack) text += `,"stack":${this.#stacks.textOf(step.stack)}`
    if (!config.disableMemory) text += `,"memory":${this.#memories.textOf(step.memory)}`
    if (config.enableReturnData) text += this.#returnData()
    if (!config.disableStorage) text += this.#storageOf(step)
    return step.refund === 0 ? text : `${text},"refund":${step.refund}`
  }

  #returnData(): string {
    const returned = this.#frames.at(-1)?.returned ?? '0x'
    return returned === '0x' ? '' : `,"returnData":"${returned}"`
  }

  /** The slots of the account that were touched so far, if the instruction itself touches one. */
  #storageOf(step: Step): string {
    const touched = touchedSlot(step)
    if (touched === undefined) return ''
    const { slot, written: value = storedWord(this.#input.traced.state, step.address, slot) } = touched
    this.#storage.touch(step.address, slot, value)
    return `,"storage":${this.#storage.textOf(step.address)}`
  }
}

/** The slot that SLOAD or SSTORE touches, and the value that SSTORE writes; undefined if its words are missing. */
export function touchedSlot(step: Step): { slot: Hash; written: Hash | undefined } | undefined {
  const { name } = step
  // The stack is copied when it is read, so that other instructions must not read it.
  if (name !== 'SLOAD' && name !== 'SSTORE') return undefined
  const [top, next] = [step.stack.at(-1), step.stack.at(-2)]
  if (top === undefined) return undefined
  if (name === 'SLOAD') return { slot: toWord(top), written: undefined }
  return next === undefined ? undefined : { slot: toWord(top), written: toWord(next) }
}

/** The value of a slot. */
export const storedWord = (state: Pick<State, 'storage'>, address: Address, slot: Hash): Hash =>
  toWord(bytesToBigInt(state.storage(address, slot)))
