/** One call or creation whose code runs (geth, ScopeContext). Its header, stack and memory are in the core (layout.ts). */

import * as layout from '../../../assembly/layout.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { roundUp, type Core } from './core.ts'
import { NO_SPAN, isCreation, OUT_OF_GAS, type FrameInput, type Span } from './frame-input.ts'

/** Where a frame is, what it runs, and values that are restored if it fails. Checkpoints of the state restore accounts. */
interface FrameStart {
  /** Address of its header. */
  readonly at: number
  readonly caller: Frame | undefined
  readonly code: Uint8Array
  /** Number of entries in the journal of the slots. */
  readonly checkpoint: number
  readonly refund: number
  /** State gas that the transaction had used before, and that had returned. */
  readonly stateGas: { readonly used: number; readonly returned: number }
}

export class Frame {
  readonly message: FrameInput
  /** The calling frame; absent for the outermost frame. */
  readonly caller: Frame | undefined
  readonly core: Core
  /** Address of its header. */
  readonly at: number
  /** The account that executes. */
  readonly address: Address
  readonly start: FrameStart
  /** The stack as last returned by `stack`. */
  #shown: readonly bigint[] = []
  /** Number of words at the bottom of the stack that have not changed since then. */
  #same = 0
  gasForwarded = 0
  stateGas = 0

  constructor(core: Core, message: FrameInput, start: FrameStart) {
    this.message = message
    this.caller = start.caller
    this.core = core
    this.at = start.at
    this.address = message.address
    this.start = start
  }

  get gas(): number {
    return this.core.f64[(this.at + layout.GAS) >>> 3] ?? 0
  }

  set gas(gas: number) {
    this.core.f64[(this.at + layout.GAS) >>> 3] = gas
  }

  /** Begins a slice: the core stops at the first jump after this much gas is used. */
  beginSlice(gas: number): void {
    this.core.f64[(this.at + layout.SLICE_END_GAS) >>> 3] = this.gas - gas
  }

  /** Position of the instruction that runs next. */
  get position(): number {
    return this.#number(layout.POSITION)
  }

  set position(position: number) {
    this.#setNumber(layout.POSITION, position)
  }

  get opcode(): number {
    return this.core.u8[this.#number(layout.CODE) + this.position] ?? 0
  }

  /** The code that it runs: the array of the state, or a view of the init code in the core. */
  get code(): Uint8Array {
    if (!isCreation(this.message)) return this.start.code
    return this.core.view(this.#number(layout.CODE), this.#number(layout.CODE_LENGTH))
  }

  get height(): number {
    return (this.#number(layout.TOP) - this.at - layout.STACK) / 32 + 1
  }

  get memorySize(): number {
    return this.#number(layout.MEMORY_SIZE)
  }

  /** Number of the account whose storage the frame uses (storage.ts). */
  get storage(): number {
    return this.#number(layout.STORAGE)
  }

  get end(): number {
    return this.at + layout.MEMORY + this.memorySize
  }

  /** Return data, revert data, or the data of a log. */
  get output(): Uint8Array {
    return this.core.view(this.#number(layout.OUTPUT), this.#number(layout.OUTPUT_LENGTH))
  }

  /** The topics of a log, in the order of the stack. */
  topics(count: number): readonly Hash[] {
    const topics: Hash[] = []
    for (let index = 0; index < count; index++) topics.push(this.core.hashAt(layout.REQUEST + 32 * index))
    return topics
  }

  /** The lowest words of the stack, bottom first. Only words that may have changed are read from the core. */
  stack(height: number): readonly bigint[] {
    const words = this.#shown.slice(0, Math.min(this.#same, height))
    while (words.length < height) words.push(this.core.word(this.at + layout.STACK + 32 * words.length))
    this.#shown = words
    this.#same = height
    return words
  }

  /** Marks the words above a height as changed. */
  changeAbove(height: number): void {
    if (height < this.#same) this.#same = height
  }

  /** Address of the stack word with a number of words above it: 0 is the top. */
  wordAt(below: number): number {
    return this.#number(layout.TOP) - 32 * below
  }

  word(below: number): bigint {
    return this.core.word(this.wordAt(below))
  }

  /** The word as an address. */
  addressIn(below: number): Address {
    return this.core.address(this.wordAt(below))
  }

  /** Whether the word is zero. */
  isZero(below: number): boolean {
    const { u32 } = this.core
    const index = this.wordAt(below) >>> 2
    for (let limb = 0; limb < 8; limb++) if (u32[index + limb] !== 0) return false
    return true
  }

  /** The word as a number, or Infinity above 64 bits. Above 2^53 it is not exact. */
  number(below: number): number {
    const { u32 } = this.core
    const index = this.wordAt(below) >>> 2
    for (let limb = 2; limb < 8; limb++) if (u32[index + limb] !== 0) return Infinity
    return (u32[index] ?? 0) + (u32[index + 1] ?? 0) * 2 ** 32
  }

  drop(count: number): void {
    this.#setNumber(layout.TOP, this.#number(layout.TOP) - 32 * count)
  }

  push(word: bigint): void {
    this.drop(-1)
    this.core.setWord(this.#number(layout.TOP), word)
  }

  replace(word: bigint): void {
    this.core.setWord(this.#number(layout.TOP), word)
  }

  /** Gas for expanding the memory to the end of a range. @throws Halt 'out of gas' if no gas suffices */
  memoryGas(offset: number, length: number): number {
    if (length === 0) return 0
    if (offset > MAX_REACH || length > MAX_REACH) throw OUT_OF_GAS
    const gas = this.core.wasm.memoryGas(this.at, offset, length)
    if (gas < 0) throw OUT_OF_GAS
    return gas
  }

  /** Expands the memory to a range whose gas has been charged. @throws Halt 'out of gas' if there is no room */
  expand(offset: number, length: number): Span {
    if (length === 0) return NO_SPAN
    if (offset + length > this.memorySize) this.core.expandMemory(this.at, offset, length)
    return { offset, length }
  }

  /** Gives up the memory above a number of bytes, rounded up to a word. It stays readable until the memory grows. */
  shrinkMemory(size: number): void {
    this.#setNumber(layout.MEMORY_SIZE, Math.ceil(size / 32) * 32)
  }

  view(offset: number, length: number): Uint8Array {
    return this.core.view(this.at + layout.MEMORY + offset, length)
  }

  /** Copies a source to a range of memory. Bytes beyond the source are zero. */
  copy(source: Uint8Array, from: number, { offset, length }: Span): void {
    const { u8 } = this.core
    const part = from < source.length ? source.subarray(from, from + length) : source.subarray(0, 0)
    const at = this.at + layout.MEMORY + offset
    u8.set(part, at)
    if (part.length < length) u8.fill(0, at + part.length, at + length)
  }

  /** The return data buffer, which RETURNDATACOPY reads. */
  get returnData(): Uint8Array {
    return this.core.view(this.#number(layout.RETURNED), this.#number(layout.RETURNED_LENGTH))
  }

  /** Sets the return data buffer. It lies after the memory; the output of a called frame may be there already. */
  setReturnData(output: Uint8Array): void {
    const { core, end } = this
    this.#setNumber(layout.RETURNED_LENGTH, output.length)
    if (output.length === 0) return
    const isAfterMemory = core.holds(output) && output.byteOffset >= end
    if (isAfterMemory) return this.#setNumber(layout.RETURNED, output.byteOffset)
    const mustGrow = end + output.length > core.u8.length
    const bytes = mustGrow ? output.slice() : output
    core.reserve(end + output.length)
    core.u8.set(bytes, end)
    this.#setNumber(layout.RETURNED, end)
  }

  #number(offset: number): number {
    return this.core.u32[(this.at + offset) >>> 2] ?? 0
  }

  #setNumber(offset: number, value: number): void {
    this.core.u32[(this.at + offset) >>> 2] = value
  }
}

/** More bytes than any network allows for memory. */
const MAX_REACH = 2 ** 40

/** Input of a new frame besides the message. */
interface FrameSetup {
  /** The calling frame; absent for the outermost frame. */
  readonly caller: Frame | undefined
  readonly storage: number
  readonly code: Uint8Array
}

/**
 * Writes a new frame to the memory of the core, after the memory of its caller. Call data and code that are not in the core yet are
 * written before it. @throws Halt 'out of gas' if the memory cannot grow
 */
export function openFrame(core: Core, message: FrameInput, { caller, code, storage }: FrameSetup): Frame {
  let at = caller === undefined ? layout.FRAMES : roundUp(caller.end)
  const isNew = isCreation(message)
  const data = isNew ? NO_SPAN : placeData(core, message.data, at)
  at = Math.max(at, roundUp(data.offset + data.length))
  const loaded = isNew ? core.writeCode(code, at) : core.loadCode(code, at)
  if (loaded.at >= at) at = roundUp(loaded.end)
  core.reserve(at + layout.MEMORY)
  const { u32, f64 } = core
  const index = at >>> 2
  u32[index + layout.POSITION / 4] = 0
  u32[index + layout.TOP / 4] = at + layout.STACK - 32
  u32[index + layout.CODE / 4] = loaded.at
  u32[index + layout.CODE_LENGTH / 4] = loaded.length
  u32[index + layout.DESTINATIONS / 4] = loaded.destinations
  u32[index + layout.BLOCKS / 4] = loaded.blocks
  u32[index + layout.RETURNED_LENGTH / 4] = 0
  u32[index + layout.MEMORY_SIZE / 4] = 0
  u32[index + layout.DATA / 4] = data.offset
  u32[index + layout.DATA_LENGTH / 4] = data.length
  u32[index + layout.IS_STATIC / 4] = message.isStatic ? 1 : 0
  u32[index + layout.STORAGE / 4] = storage
  f64[(at + layout.GAS) >>> 3] = message.gas
  core.setAddress(at + layout.ADDRESS, message.address)
  core.setAddress(at + layout.CALLER, message.caller)
  core.setWord(at + layout.VALUE, message.value)
  const refund = f64[layout.REFUND >>> 3] ?? 0
  const stateGas = stateGasIn(core)
  const checkpoint = core.wasm.checkpointSlots()
  return new Frame(core, message, { at, caller, code, checkpoint, refund, stateGas })
}

/** Writes call data to an address, unless it is in the memory of the caller already. Returns where it is. */
function placeData(core: Core, data: Uint8Array, at: number): Span {
  const { length } = data
  if (length === 0) return NO_SPAN
  if (core.holds(data)) return { offset: data.byteOffset, length }
  core.reserve(at + length)
  core.u8.set(data, at)
  return { offset: at, length }
}

/** All frames share this if new state is part of other prices. */
const NO_STATE_GAS = { used: 0, returned: 0 }

function stateGasIn({ f64 }: Core): FrameStart['stateGas'] {
  if (f64[(layout.RULES + layout.SLOT_STATE_GAS) >>> 3] === 0) return NO_STATE_GAS
  const used = f64[layout.STATE_GAS_USED >>> 3] ?? 0
  return { used, returned: f64[layout.STATE_GAS_RETURNED >>> 3] ?? 0 }
}
