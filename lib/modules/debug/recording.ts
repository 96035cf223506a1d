/** A recorded execution: what the machine held before each instruction. debugger.ts writes it. */

import { bytesToBigInt, fromHex, toHex, toWord, type Address } from '../../base/hex.ts'
import { getOrAdd, once } from '../../base/once.ts'
import type { EnterEvent, ExitEvent, Step } from '../../evm/observer.ts'
import type { Log } from '../../evm/outcome.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { MappedCode } from '../../insight/explain/mapped-code.ts'

/** A stack word and the words below it. Stacks of consecutive instructions share most words. */
export interface StackWord {
  readonly word: bigint
  readonly below: StackWord | undefined
  readonly height: number
}

/** Bytes that an instruction wrote to the memory of its frame. */
export interface MemoryWrite {
  readonly step: number
  readonly offset: number
  readonly bytes: Uint8Array
}

/** A machine frame, with a copy of its input. */
export interface RecordedFrame extends EnterEvent {
  readonly parent: RecordedFrame | undefined
  /** The account whose storage it uses, and the caller that its code sees. */
  readonly account: Address
  readonly caller: Address
  /** Undefined if it runs no code. */
  readonly code: Uint8Array | undefined
  readonly mapped: MappedCode | undefined
  /** Step of its first instruction, and the step after its last one. */
  readonly first: number
  end: number
  /** Undefined if the recording was cut before its end. */
  exit: ExitEvent | undefined
  readonly writes: readonly MemoryWrite[]
}

export interface StorageWrite {
  readonly step: number
  readonly frame: RecordedFrame
  readonly account: Address
  readonly slot: bigint
  readonly value: bigint
}

/** An event, and the step of its instruction. */
export interface RecordedLog {
  readonly step: number
  readonly frame: RecordedFrame
  readonly log: Log
}

/** Maximum number of keys of mappings to try. */
const MAX_KEYS = 256

type Writes = Map<string, StorageWrite[]>

const slotKey = (account: Address, slot: bigint): string => `${account}${slot}`

/** Memory of a frame at a step, and the position of its next write. */
interface ReadMemory {
  readonly frame: RecordedFrame | undefined
  readonly step: number
  readonly memory: Uint8Array
  readonly next: number
}

const NO_MEMORY: Pick<ReadMemory, 'memory' | 'next'> = { memory: new Uint8Array(0), next: 0 }

/** A recorded execution. A step is the index of an instruction; values are those before it runs. */
export class Recording {
  readonly before: StateRoot
  readonly frames: RecordedFrame[] = []
  readonly logs: RecordedLog[] = []
  /** Whether later instructions were not recorded. */
  isCut = false
  readonly #frameAt: RecordedFrame[] = []
  readonly #pcAt: number[] = []
  readonly #gasAt: number[] = []
  readonly #memorySizeAt: number[] = []
  readonly #stacks: (StackWord | undefined)[] = []
  readonly #stored: Writes = new Map()
  readonly #transient: Writes = new Map()
  /** Data hashed with a mapping's slot at its end, oldest first. */
  readonly #keys = new Map<string, Uint8Array>()
  #read: ReadMemory | undefined

  constructor(before: StateRoot) {
    this.before = before
  }

  /** Adds a frame's next instruction, with the stack before it. */
  addStep(frame: RecordedFrame, { pc, gasLeft, memory }: Step, top: StackWord | undefined): void {
    this.#frameAt.push(frame)
    this.#pcAt.push(pc)
    this.#gasAt.push(Number(gasLeft))
    this.#memorySizeAt.push(memory.length)
    this.#stacks.push(top)
  }

  addWrite(storage: 'persistent' | 'transient', frame: RecordedFrame, slot: bigint, value: bigint): void {
    const { account } = frame
    const writes = storage === 'persistent' ? this.#stored : this.#transient
    const write = { step: this.length - 1, frame, account, slot, value }
    getOrAdd(writes, slotKey(account, slot), () => []).push(write)
  }

  addKey(bytes: Uint8Array): void {
    const key = toHex(bytes)
    if (!this.#keys.has(key)) this.#keys.set(key, bytes)
  }

  get length(): number {
    return this.#stacks.length
  }

  get stored(): Iterable<readonly StorageWrite[]> {
    return this.#stored.values()
  }

  frameAt(step: number): RecordedFrame | undefined {
    return this.#frameAt[step]
  }

  pcAt(step: number): number {
    return this.#pcAt[step] ?? 0
  }

  gasAt(step: number): number {
    return this.#gasAt[step] ?? 0
  }

  opcodeAt(step: number): number {
    return this.frameAt(step)?.code?.[this.pcAt(step)] ?? 0
  }

  heightAt(step: number): number {
    return this.#stacks[step]?.height ?? 0
  }

  /** The top word of the stack, linked to those below. */
  topAt(step: number): StackWord | undefined {
    return this.#stacks[step]
  }

  /** Stack words from a position, counted from the bottom; undefined if the stack is lower. */
  wordsAt(step: number, from: number, count: number): readonly bigint[] | undefined {
    let top = this.#stacks[step]
    if (from < 0 || (top?.height ?? 0) < from + count) return undefined
    while (top !== undefined && top.height > from + count) top = top.below
    const words: bigint[] = []
    for (; top !== undefined && words.length < count; top = top.below) words.unshift(top.word)
    return words
  }

  /** The memory of the frame that runs an instruction, which only grows: what is read next is most often near. */
  memoryAt(step: number): Uint8Array {
    const frame = this.frameAt(step)
    const last = this.#read
    const { memory: known, next } =
      last !== undefined && last.frame === frame && last.step <= step ? last : NO_MEMORY
    const memory = new Uint8Array(this.#memorySizeAt[step] ?? 0)
    memory.set(known)
    let at = next
    for (let write = frame?.writes[at]; write !== undefined && write.step < step; write = frame?.writes[++at])
      memory.set(write.bytes.subarray(0, Math.max(0, memory.length - write.offset)), write.offset)
    this.#read = { frame, step, memory, next: at }
    return memory
  }

  /** The value of a slot. @throws NotLoadedError */
  storageAt(step: number, account: Address, slot: bigint): bigint {
    const written = this.#newest(this.#stored.get(slotKey(account, slot)), step)
    if (written !== undefined) return written.value
    return bytesToBigInt(fromHex(this.before.storageAt(account, toWord(slot))))
  }

  /** The value of a transient slot (EIP-1153). */
  transientAt(step: number, account: Address, slot: bigint): bigint {
    return this.#newest(this.#transient.get(slotKey(account, slot)), step)?.value ?? 0n
  }

  /** Possible keys of mappings, including those that the execution hashes later. */
  readonly keys = once((): readonly Uint8Array[] => [...this.#keys.values()].slice(-MAX_KEYS))

  /** Whether a frame or one that contains it has failed by a step. */
  isUndone(frame: RecordedFrame, step: number): boolean {
    for (let at: RecordedFrame | undefined = frame; at !== undefined; at = at.parent)
      if (at.exit !== undefined && at.end <= step && at.exit.status !== 'success') return true
    return false
  }

  /** The newest write before a step, without writes of frames that had failed by then. */
  #newest(writes: readonly StorageWrite[] | undefined, step: number): StorageWrite | undefined {
    return writes?.findLast((write) => write.step < step && !this.isUndone(write.frame, step))
  }
}

/** A frame that failed itself, not because of a call. */
export interface FailedFrame {
  readonly frame: RecordedFrame
  /** Step of the instruction that failed. */
  readonly step: number
  /** Whether execution continued after it. */
  readonly isCaught: boolean
}

/** The failures, in order. A frame that passes on a call's failure does not count. */
export function failedFrames({ frames }: Recording): readonly FailedFrame[] {
  return frames
    .filter((frame) => hasFailed(frame) && frame.end > frame.first && !passesOn(frame, frames))
    .map((frame) => ({ frame, step: frame.end - 1, isCaught: isCaught(frame) }))
}

const hasFailed = ({ exit }: RecordedFrame): boolean => exit !== undefined && exit.status !== 'success'

/** Whether a frame reverts with its last call's revert data. */
function passesOn(frame: RecordedFrame, frames: readonly RecordedFrame[]): boolean {
  const last = frames.findLast(({ parent }) => parent === frame)
  if (last?.exit === undefined || !hasFailed(last) || frame.exit?.status !== 'reverted') return false
  return toHex(last.exit.output) === toHex(frame.exit.output)
}

function isCaught(frame: RecordedFrame): boolean {
  for (let ancestor = frame.parent; ancestor !== undefined; ancestor = ancestor.parent)
    if (!hasFailed(ancestor)) return true
  return false
}
