/** Records an execution while it runs. */

import { toHex } from '../../base/hex.ts'
import { getOrAdd } from '../../base/get-or-add.ts'
import { present } from '../../base/invariant.ts'
import type { ContractOf } from '../artifacts/code.ts'
import type { EnterEvent, Step, SyncObserver } from '../../evm/observer.ts'
import type { State } from '../../state/state.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { mappedFrameCode, runCode } from '../explain/executed-frame.ts'
import { growingIntegers, growingNumbers } from './growing-numbers.ts'
import * as opcodes from './opcodes.ts'
import { Recording, slotKey } from './recording.ts'
import type { MemoryWrite, RecordedFrame, RecordedLog, StackWord, StorageWrite } from './recording.ts'

/** Length of a word, instead of the position of an operand. */
const WORD = -32
const BYTE = -1

/** Operands of the instructions that write to memory: those of the offset and of the length, 0 is the top. */
const MEMORY_WRITES: ReadonlyMap<number, readonly [offset: number, length: number]> = new Map([
  [opcodes.CALLDATACOPY, [0, 2]],
  [opcodes.CODECOPY, [0, 2]],
  [opcodes.EXTCODECOPY, [1, 3]],
  [opcodes.RETURNDATACOPY, [0, 2]],
  [opcodes.MSTORE, [0, WORD]],
  [opcodes.MSTORE8, [0, BYTE]],
  [opcodes.MCOPY, [0, 2]],
  [opcodes.CALL, [5, 6]],
  [opcodes.CALLCODE, [5, 6]],
  [opcodes.DELEGATECALL, [4, 5]],
  [opcodes.STATICCALL, [4, 5]],
])

/** Operands beyond are those of a call that fails for lack of gas. */
const MAX_OFFSET = 2n ** 32n

/** Bytes of a key with its slot, up to which it is noted. */
const MAX_HASHED = 320n

/** A frame that runs, with what its last instruction is about to change. */
interface WatchedFrame extends RecordedFrame {
  readonly writes: MemoryWrite[]
  top: StackWord | undefined
  /** Height below the words that the last instruction pushes. */
  kept: number
  pending: { readonly step: number; readonly offset: number; readonly length: number } | undefined
}

export class ExecutionRecorder {
  readonly #state: State
  readonly #before: StateRoot
  readonly #contractOf: ContractOf
  /** Maximum number of instructions that are recorded. */
  readonly #limit: number
  #frames: RecordedFrame[] = []
  #open: WatchedFrame[] = []
  readonly #frameAt = growingIntegers()
  readonly #pcAt = growingIntegers()
  readonly #gasAt = growingNumbers()
  readonly #memorySizeAt = growingIntegers()
  readonly #stacks: (StackWord | undefined)[] = []
  readonly #stored = new Map<string, StorageWrite[]>()
  readonly #transient = new Map<string, StorageWrite[]>()
  readonly #logs: RecordedLog[] = []
  readonly #keys = new Map<string, Uint8Array>()
  #isCut = false

  constructor(state: State, contractOf: ContractOf, limit: number) {
    this.#state = state
    this.#before = state.intermediateRoot()
    this.#contractOf = contractOf
    this.#limit = limit
  }

  readonly observer: SyncObserver = {
    onEnter: (event) => this.#enter(event),
    onOpcode: (step) => this.#record(step),
    onLog: (log) => {
      const frame = this.#open.at(-1)
      if (frame !== undefined && !this.#isCut)
        this.#logs.push({ step: this.#last, frame, log: { ...log, data: log.data.slice() } })
    },
    onExit: (exit) => {
      const frame = this.#open.pop()
      if (frame === undefined) return
      frame.end = this.#stacks.length
      if (!this.#isCut) frame.exit = { ...exit, output: exit.output.slice() }
    },
  }

  get before(): StateRoot {
    return this.#before
  }

  /** The recording, after the execution. */
  end(): Recording {
    return new Recording({
      frames: this.#frames,
      frameAt: (step) => this.#frameAt.at(step),
      pcAt: (step) => this.#pcAt.at(step),
      gasAt: (step) => this.#gasAt.at(step),
      memorySizeAt: (step) => this.#memorySizeAt.at(step),
      stacks: this.#stacks,
      stored: this.#stored,
      transient: this.#transient,
      logs: this.#logs,
      keys: [...this.#keys.values()],
      storedBefore: (account, slot) => this.#before.storageAt(account, slot),
      isCut: this.#isCut,
    })
  }

  get #last(): number {
    return this.#stacks.length - 1
  }

  #enter(event: EnterEvent): void {
    const parent = this.#open.at(-1)
    const isBorrowing = event.kind === 'delegatecall' || event.kind === 'callcode'
    const code = runCode(event, this.#state)
    const frame: WatchedFrame = {
      ...event,
      input: event.input.slice(),
      index: this.#frames.length,
      parent,
      account: isBorrowing ? event.from : event.to,
      caller: event.kind === 'delegatecall' && parent !== undefined ? parent.caller : event.from,
      code,
      mapped: code && mappedFrameCode(event, code, this.#contractOf),
      first: this.#stacks.length,
      end: this.#stacks.length,
      exit: undefined,
      writes: [],
      top: undefined,
      kept: 0,
      pending: undefined,
    }
    if (!this.#isCut) this.#frames.push(frame)
    this.#open.push(frame)
  }

  #record(step: Step): undefined {
    if (this.#stacks.length === this.#limit) {
      this.#isCut = true
      return
    }
    const frame = present(this.#open.at(-1), 'frame of an instruction')
    const { memory } = step
    if (frame.pending !== undefined) noteWrite(frame, memory)
    const top = topOf(frame, step)
    const { opcode } = step
    frame.top = top
    const index = this.#stacks.push(top) - 1
    this.#frameAt.push(frame.index)
    this.#pcAt.push(step.pc)
    this.#gasAt.push(Number(step.gasLeft))
    this.#memorySizeAt.push(memory.length)
    frame.kept = step.height - (opcode >= opcodes.DUP1 && opcode < opcodes.SWAP1 ? 0 : step.inputs)
    const written = MEMORY_WRITES.get(opcode)
    if (written !== undefined) frame.pending = rangeOf(step, index, written)
    else if (opcode === opcodes.SSTORE || opcode === opcodes.TSTORE) this.#noteStore(frame, step, index)
    else if (opcode === opcodes.KECCAK256) this.#noteKey(step)
  }

  #noteStore(frame: RecordedFrame, step: Step, index: number): void {
    if (step.height < 2) return
    const { account } = frame
    const write = { step: index, frame, account, slot: step.word(0), value: step.word(1) }
    const writes = step.opcode === opcodes.SSTORE ? this.#stored : this.#transient
    getOrAdd(writes, slotKey(account, write.slot), () => []).push(write)
  }

  /** Notes the key of a mapping when it is hashed, with the slot of the mapping behind it. */
  #noteKey(step: Step): void {
    if (step.height < 2 || step.word(1) <= 32n || step.word(1) > MAX_HASHED || step.word(0) > MAX_OFFSET)
      return
    const [start, length] = [Number(step.word(0)), Number(step.word(1))]
    const bytes = step.memory.slice(start, start + length - 32)
    const key = toHex(bytes)
    if (!this.#keys.has(key)) this.#keys.set(key, bytes)
  }
}

/** The stack after the last instruction: what it kept, and the words that it pushed. */
function topOf(frame: WatchedFrame, step: Step): StackWord | undefined {
  let { top } = frame
  while (top !== undefined && top.height > frame.kept) top = top.below
  for (let below = step.height - frame.kept - 1; below >= 0; below--)
    top = { word: step.word(below), below: top, height: step.height - below }
  return top
}

function rangeOf(
  step: Step,
  index: number,
  [offsetAt, lengthAt]: readonly [number, number],
): WatchedFrame['pending'] {
  if (step.height < step.inputs) return undefined
  const offset = step.word(offsetAt)
  const length = lengthAt < 0 ? BigInt(-lengthAt) : step.word(lengthAt)
  if (length === 0n || offset > MAX_OFFSET || length > MAX_OFFSET) return undefined
  return { step: index, offset: Number(offset), length: Number(length) }
}

/** Notes what the last instruction wrote to memory. */
function noteWrite(frame: WatchedFrame, memory: Uint8Array): void {
  const { step, offset, length } = present(frame.pending, 'write to memory')
  frame.pending = undefined
  frame.writes.push({ step, offset, bytes: memory.slice(offset, offset + length) })
}
