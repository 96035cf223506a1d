/** A recorded execution: what the machine held before each instruction. It is written by recorder.ts. */

import { bytesToBigInt, fromHex, toWord, type Address, type Hash } from '../../base/hex.ts'
import { once } from '../../base/once.ts'
import type { EnterEvent, ExitEvent } from '../../evm/observer.ts'
import type { Log } from '../../evm/outcome.ts'
import type { MappedCode } from '../explain/mapped-code.ts'

/** A word of a stack, and the words below. Stacks of consecutive instructions share most of theirs. */
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

/** A frame of the machine. Its input is a copy. */
export interface RecordedFrame extends EnterEvent {
  readonly index: number
  readonly parent: RecordedFrame | undefined
  /** The account whose storage it uses, and its caller as the code sees it. */
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

/** What the recorder found. */
export interface RecordedParts {
  readonly frames: readonly RecordedFrame[]
  readonly frameAt: (step: number) => number
  readonly pcAt: (step: number) => number
  readonly gasAt: (step: number) => number
  readonly memorySizeAt: (step: number) => number
  readonly stacks: readonly (StackWord | undefined)[]
  readonly stored: ReadonlyMap<string, readonly StorageWrite[]>
  readonly transient: ReadonlyMap<string, readonly StorageWrite[]>
  readonly logs: readonly RecordedLog[]
  /** What was hashed with the slot of a mapping behind it, oldest first. */
  readonly keys: readonly Uint8Array[]
  /** Value of a slot before the execution. @throws NotLoadedError */
  readonly storedBefore: (account: Address, slot: Hash) => Hash
  /** Whether later instructions were not recorded. */
  readonly isCut: boolean
}

/** Maximum number of keys of mappings that are tried. */
const MAX_KEYS = 256

/** The key of a slot in the maps of writes. */
export const slotKey = (account: Address, slot: bigint): string => `${account}${slot}`

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
  readonly #parts: RecordedParts
  /** The memory that was read last. */
  #read: ReadMemory | undefined

  constructor(parts: RecordedParts) {
    this.#parts = parts
  }

  /** Number of instructions. */
  get length(): number {
    return this.#parts.stacks.length
  }

  get frames(): readonly RecordedFrame[] {
    return this.#parts.frames
  }

  get logs(): readonly RecordedLog[] {
    return this.#parts.logs
  }

  get isCut(): boolean {
    return this.#parts.isCut
  }

  /** All writes to the storage, by slot. */
  get stored(): Iterable<readonly StorageWrite[]> {
    return this.#parts.stored.values()
  }

  /** The frame that runs an instruction. */
  frameAt(step: number): RecordedFrame | undefined {
    return this.#parts.frames[this.#parts.frameAt(step)]
  }

  pcAt(step: number): number {
    return this.#parts.pcAt(step)
  }

  gasAt(step: number): number {
    return this.#parts.gasAt(step)
  }

  /** The byte in the code. */
  opcodeAt(step: number): number {
    return this.frameAt(step)?.code?.[this.pcAt(step)] ?? 0
  }

  heightAt(step: number): number {
    return this.#parts.stacks[step]?.height ?? 0
  }

  /** The topmost word of the stack with those below it. */
  topAt(step: number): StackWord | undefined {
    return this.#parts.stacks[step]
  }

  /** Words of the stack from a position on, counted from the bottom; undefined if the stack is lower. */
  wordsAt(step: number, from: number, count: number): readonly bigint[] | undefined {
    let top = this.#parts.stacks[step]
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
    const memory = new Uint8Array(this.#parts.memorySizeAt(step))
    memory.set(known)
    let at = next
    for (let write = frame?.writes[at]; write !== undefined && write.step < step; write = frame?.writes[++at])
      memory.set(write.bytes.subarray(0, Math.max(0, memory.length - write.offset)), write.offset)
    this.#read = { frame, step, memory, next: at }
    return memory
  }

  /** The value of a slot. @throws NotLoadedError */
  storageAt(step: number, account: Address, slot: bigint): bigint {
    const written = this.#newest(this.#parts.stored.get(slotKey(account, slot)), step)
    if (written !== undefined) return written.value
    return bytesToBigInt(fromHex(this.#parts.storedBefore(account, toWord(slot))))
  }

  /** The value of a transient slot (EIP-1153). */
  transientAt(step: number, account: Address, slot: bigint): bigint {
    return this.#newest(this.#parts.transient.get(slotKey(account, slot)), step)?.value ?? 0n
  }

  /** What may be keys of mappings: also what the execution hashes later. */
  readonly keys = once((): readonly Uint8Array[] => this.#parts.keys.slice(-MAX_KEYS))

  /** Whether a frame, or one that it runs in, has failed by a step. */
  isUndone(frame: RecordedFrame, step: number): boolean {
    for (let at: RecordedFrame | undefined = frame; at !== undefined; at = at.parent)
      if (at.exit !== undefined && at.end <= step && at.exit.status !== 'success') return true
    return false
  }

  /** The newest write before a step, without those of frames that had failed by then. */
  #newest(writes: readonly StorageWrite[] | undefined, step: number): StorageWrite | undefined {
    return writes?.findLast((write) => write.step < step && !this.isUndone(write.frame, step))
  }
}
