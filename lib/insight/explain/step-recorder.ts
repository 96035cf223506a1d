/** Records some instructions of an execution with stack, memory, storage and source. */

import { linesOf } from '../artifacts/lines.ts'
import { toHex } from '../../base/hex.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Step } from '../../evm/observer.ts'
import type { State } from '../../state/state.ts'
import { gethExceptionText, opcodeName } from '../trace/errors.ts'
import { storedWord, touchedSlot } from '../trace/struct-logs.ts'
import type { TouchedSlot } from '../trace/struct-logs.ts'
import type { MappedCode } from './mapped-code.ts'
import { listedSource } from './source-list.ts'
import type { StepListener } from './step-finder.ts'

/** Which instructions to record. */
export interface StepSelection {
  readonly from: number
  readonly count: number
}

/** The place of an instruction in a source, in bytes of its UTF-8 text. */
export interface StepSource {
  /** The source's `ListedSource.id`. */
  readonly id: string
  readonly path: string
  readonly start: number
  readonly end: number
  /** From 1; undefined if the text is not known. */
  readonly line: number | undefined
}

/** An instruction, at the moment before it runs. */
export interface TracedStep {
  readonly pc: number
  readonly op: string
  /** 0 in the outermost frame. */
  readonly depth: number
  readonly gas: bigint
  readonly gasCost: bigint
  /** The account that executes. */
  readonly address: Address
  /** The upper words, bottom first: at most `MAX_STACK`. */
  readonly stack: readonly bigint[]
  readonly stackSize: number
  /** Undefined if it is the same as that of the instruction before in the answer. Cut after `MAX_MEMORY` bytes. */
  readonly memory: string | undefined
  readonly memorySize: number
  readonly storage: StepStorage | undefined
  /** Undefined for code that the compiler added, and for unknown contracts. */
  readonly source: StepSource | undefined
  /** Text of the exception that ended the frame here. */
  error: string | undefined
}

/** The slot that an instruction reads or writes. */
interface StepStorage extends TouchedSlot {
  /** Before the instruction. */
  readonly value: Hash
}

/** A slot of an account with the value that was read or written last, also by a frame that failed later. */
interface StoredSlot extends Pick<StepStorage, 'slot' | 'value'> {
  readonly address: Address
}

/** Some instructions of an execution. */
export interface TracedSteps {
  /** Number of all instructions of the transaction. */
  readonly total: number
  readonly from: number
  /** The slots that were touched before the first one, at most a thousand. */
  readonly touched: readonly StoredSlot[]
  readonly steps: readonly TracedStep[]
}

/** Words of the stack that are shown of an instruction. */
const MAX_STACK = 64

/** Bytes of memory that are shown of an instruction: what a person reads. */
const MAX_MEMORY = 4096

/** Slots that were touched before the first instruction of an answer. */
const MAX_TOUCHED = 1000

/** Records while the execution runs. */
export class StepRecorder implements StepListener {
  readonly #selection: StepSelection
  readonly #state: Pick<State, 'storage'>
  readonly #steps: TracedStep[] = []
  #total = 0
  #memory: string | undefined
  readonly #touched = new Map<string, StoredSlot>()

  constructor(selection: StepSelection, state: Pick<State, 'storage'>) {
    this.#selection = selection
    this.#state = state
  }

  end(): TracedSteps {
    const touched = [...this.#touched.values()].slice(-MAX_TOUCHED)
    return { total: this.#total, from: this.#selection.from, touched, steps: this.#steps }
  }

  onStep(index: number, step: Step, mapped: MappedCode | undefined): void {
    this.#total = index + 1
    const { from, count } = this.#selection
    if (index >= from + count) return
    const storage = this.#storageOf(step)
    if (index < from) return this.#touch(step, storage)
    const { pc, depth, gasLeft, cost, address, stack, memory } = step
    this.#steps.push({
      pc,
      op: opcodeName(step),
      depth,
      gas: gasLeft,
      gasCost: cost,
      address,
      stack: stack.slice(-MAX_STACK),
      stackSize: stack.length,
      memory: this.#memoryOf(memory),
      memorySize: memory.length,
      storage,
      source: mapped && sourceOf(mapped, pc),
      error: undefined,
    })
  }

  onFault(step: Step, exception: string): void {
    const { from } = this.#selection
    const failed = this.#steps.at(-1)
    if (failed !== undefined && from + this.#steps.length === this.#total)
      failed.error = gethExceptionText(exception, step)
  }

  #storageOf(step: Step): StepStorage | undefined {
    const touched = touchedSlot(step)
    return touched && { ...touched, value: storedWord(this.#state, step.address, touched.slot) }
  }

  #touch({ address }: Step, touched: StepStorage | undefined): void {
    if (touched === undefined) return
    const { slot, value, written = value } = touched
    const key = address + slot
    // The newest are at the end.
    this.#touched.delete(key)
    this.#touched.set(key, { address, slot, value: written })
  }

  #memoryOf(memory: Uint8Array): string | undefined {
    const shown = toHex(memory.subarray(0, MAX_MEMORY))
    if (shown === this.#memory) return undefined
    this.#memory = shown
    return shown
  }
}

function sourceOf(mapped: MappedCode, pc: number): StepSource | undefined {
  const place = mapped.sourceAt(pc)
  if (place === undefined) return undefined
  const { id, path } = listedSource(place.unit)
  const { start, end } = place.range
  return { id, path, start, end, line: linesOf(place.unit)?.positionOf(start).line }
}
