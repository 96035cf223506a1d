/**
 * One instance of the core: the interpreter loop in WebAssembly (assembly/README.md), with its memory and the contract code
 * cached in it. Words of 256 bits are little-endian in this memory.
 */

import { CODES, FRAMES, IS_NOTED, NOTED_BLOCKS, NOTED_BLOCK_COUNT, TABLE } from '../../../assembly/layout.ts'
import { EMPTY_BYTES, toAddress, toHash, fromHex, type Address, type Hash, type Hex } from '../../base/hex.ts'
import { MAX_UINT64 } from '../../base/limits.ts'
import { startKeccak } from '../../crypto/keccak.ts'
import { compileWasm, startWasm, wasmMemory, type WasmFunction, type WasmMemory } from '../../crypto/wasm.ts'
import { CORE_CODE } from './core-code.ts'
import { OUT_OF_GAS } from './frame-input.ts'

/** Pages of memory at the start: up to the stack of the outermost frame. */
const FIRST_PAGES = (FRAMES >> 16) + 2

/** Size of the memory in bytes above which an instance is not reused. */
const MAX_REUSED_BYTES = 64 * 1024 * 1024

/** Zero bytes after code: the core reads up to 33 beyond its end, and keeps a number in the last four (DESTINATIONS). */
const PADDING = 64

interface LoadedCode {
  readonly at: number
  readonly length: number
  readonly destinations: number
  readonly blocks: number
  /** End of the code and its analysis. */
  readonly end: number
}

let compiled: object | undefined

type CoreFunction =
  | 'run'
  | 'runAndNote'
  | 'step'
  | 'insertSlot'
  | 'checkpointSlots'
  | 'revertSlots'
  | 'clearSlots'
  | 'memoryGas'
  | 'expandMemory'
  | 'reserveMemory'

/** The next multiple of 64: where code, its analysis and frames begin. */
export const roundUp = (address: number): number => Math.ceil(address / 64) * 64

/** The core and its memory. Views of the memory are valid until it grows. */
export class Core {
  u8: Uint8Array = EMPTY_BYTES
  u32 = new Uint32Array(0)
  u64 = new BigUint64Array(0)
  f64 = new Float64Array(0)
  /**
   * `run` runs a frame until it ends or needs an instruction of the machine, and returns the reason (layout.ts); so do
   * `runAndNote`, for an observer of basic blocks, and `step`.
   */
  readonly wasm: Readonly<Record<CoreFunction, WasmFunction>>
  readonly #addresses = new HexCache<Address>(20, toAddress)
  readonly #hashes = new HexCache<Hash>(32, toHash)
  readonly #memory: WasmMemory
  /** The tables of the rules (core-tables.ts) in its memory. */
  #image: Uint8Array | undefined
  #codes = new WeakMap<Uint8Array, LoadedCode>()
  #codesEnd = CODES
  #isFull = false
  /** The block and the rules whose words are in the memory (storage.ts). */
  block: object | undefined
  rules: object | undefined

  constructor() {
    this.#memory = wasmMemory(FIRST_PAGES)
    const { absorb } = startKeccak(this.#memory)
    compiled ??= compileWasm(Buffer.from(CORE_CODE, 'base64'))
    // V8 reads the properties of a copy faster.
    this.wasm = { ...startWasm<CoreFunction>(compiled, this.#memory, { absorb }).exports }
    this.refresh()
  }

  has(image: Uint8Array): boolean {
    return this.#image === image
  }

  get isHuge(): boolean {
    return this.u8.length > MAX_REUSED_BYTES
  }

  /** Prepares the core for a transaction. */
  begin(image: Uint8Array): void {
    this.wasm.clearSlots()
    this.u32[NOTED_BLOCK_COUNT >>> 2] = 0
    this.u32[IS_NOTED >>> 2] = 0
    if (this.#image !== image) this.u8.set(image, TABLE)
    // Cached code contains the gas of its basic blocks, which depends on the tables.
    if (this.#image !== image || this.#isFull) {
      this.#codes = new WeakMap()
      this.#codesEnd = CODES
      this.#isFull = false
    }
    this.#image = image
  }

  /** Renews the typed arrays over the memory if the memory has grown, which detaches the old ones. */
  refresh(): void {
    if (this.u32.length > 0) return
    const { buffer } = this.#memory
    this.u8 = new Uint8Array(buffer)
    this.u32 = new Uint32Array(buffer)
    this.u64 = new BigUint64Array(buffer)
    this.f64 = new Float64Array(buffer)
  }

  /** Grows the memory up to an address. @throws Halt 'out of gas' */
  reserve(end: number): void {
    if (end <= this.u8.length) return
    if (end > 0xffff_ffff || this.wasm.reserveMemory(end) === 0) throw OUT_OF_GAS
    this.refresh()
  }

  /** Expands a frame's memory to a range whose gas has been charged. @throws Halt 'out of gas' */
  expandMemory(frame: number, offset: number, length: number): void {
    // The parameters of the core have 32 bits.
    if (offset + length > 0xffff_ffff || this.wasm.expandMemory(frame, offset, length) === 0) throw OUT_OF_GAS
    this.refresh()
  }

  view(at: number, length: number): Uint8Array {
    return length === 0 ? EMPTY_BYTES : new Uint8Array(this.u8.buffer, at, length)
  }

  /** Positions of the basic blocks that the last run noted, as a view that is valid until the core runs again. */
  takeNotedBlocks(): Uint32Array {
    const count = this.u32[NOTED_BLOCK_COUNT >>> 2] ?? 0
    this.u32[NOTED_BLOCK_COUNT >>> 2] = 0
    return this.u32.subarray(NOTED_BLOCKS >>> 2, (NOTED_BLOCKS >>> 2) + count)
  }

  /** Whether bytes are a view of the memory of this core. */
  holds({ buffer }: Uint8Array): boolean {
    return buffer === this.u8.buffer
  }

  /** Loads code of the state into the cache, or to the address `otherwise` if the cache is full. */
  loadCode(code: Uint8Array, fallbackAddress: number): LoadedCode {
    const known = this.#codes.get(code)
    if (known !== undefined) return known
    if (endOfCode(this.#codesEnd, code.length) > FRAMES) {
      this.#isFull = true
      return this.writeCode(code, fallbackAddress)
    }
    const loaded = this.writeCode(code, this.#codesEnd)
    this.#codesEnd = loaded.end
    this.#codes.set(code, loaded)
    return loaded
  }

  /** Writes code to an address, and zeros where the core keeps its analysis of it. */
  writeCode(code: Uint8Array, at: number): LoadedCode {
    const { length } = code
    const end = endOfCode(at, length)
    // The code may be a view that a growing memory makes invalid.
    const bytes = end > this.u8.length && this.holds(code) ? code.slice() : code
    this.reserve(end)
    this.u8.set(bytes, at)
    this.u8.fill(0, at + length, end)
    const destinations = at + roundUp(length + PADDING)
    const blocks = destinations + roundUp((length >> 3) + 1)
    return { at, length, destinations, blocks, end }
  }

  word(at: number): bigint {
    const { u64 } = this
    const index = at >>> 3
    const low = u64[index] ?? 0n
    const high = ((u64[index + 3] ?? 0n) << 64n) | (u64[index + 2] ?? 0n)
    const middle = u64[index + 1] ?? 0n
    if (high === 0n) return middle === 0n ? low : (middle << 64n) | low
    return (high << 128n) | (middle << 64n) | low
  }

  setWord(at: number, value: bigint): void {
    const { u64 } = this
    const index = at >>> 3
    const isShort = value <= MAX_UINT64
    u64[index] = value
    u64[index + 1] = isShort ? 0n : value >> 64n
    u64[index + 2] = isShort ? 0n : value >> 128n
    u64[index + 3] = isShort ? 0n : value >> 192n
  }

  /** The bytes of a word, the most significant first, without leading zeros. */
  bytesAt(at: number): Uint8Array {
    const { u8 } = this
    let length = 32
    while (length > 0 && u8[at + length - 1] === 0) length--
    const value = new Uint8Array(length)
    for (let index = 0; index < length; index++) value[index] = u8[at + length - 1 - index] ?? 0
    return value
  }

  address(at: number): Address {
    return this.#addresses.read(this.u32, at >>> 2)
  }

  setAddress(at: number, address: Address): void {
    this.#addresses.write(this.u32, at >>> 2, address)
  }

  /** A word as a hash or a slot. */
  hashAt(at: number): Hash {
    return this.#hashes.read(this.u32, at >>> 2)
  }

  setHash(at: number, hash: Hash): void {
    this.#hashes.write(this.u32, at >>> 2, hash)
  }
}

const endOfCode = (at: number, length: number): number =>
  at + roundUp(length + PADDING) + roundUp((length >> 3) + 1) + roundUp(8 * (length + 2))

/** Maximum number of idle instances. Executions one after another need only one. */
const MAX_IDLE = 4

const idle: Core[] = []

/** Takes an instance with the tables of a network from the pool; prefers one that has them already. */
export function takeCore(image: Uint8Array): Core {
  const index = idle.findLastIndex((core) => core.has(image))
  const core = idle.splice(index, 1)[0] ?? new Core()
  core.begin(image)
  return core
}

/** Returns an instance to the pool. A huge one is dropped. */
export function giveCore(core: Core): void {
  if (idle.length < MAX_IDLE && !core.isHuge) idle.push(core)
}

/** Number of entries, a power of two. The last bytes of a word determine its entry. */
const ENTRIES = 2048

/** Limbs of a word: numbers of 32 bits, the least significant first. */
const WORD_LIMBS = 8

/** Caches conversions between words in the memory of the core and the hexadecimal texts of addresses and hashes. */
class HexCache<T extends Hex> {
  readonly #limbs: number
  readonly #textOf: (bytes: Uint8Array) => T
  readonly #bytes: Uint8Array
  readonly #texts = new Array<T | undefined>(ENTRIES).fill(undefined)
  readonly #words: Uint32Array
  readonly #entries = new Map<T, number>()

  /** `bytes` of a text are a multiple of four. */
  constructor(bytes: number, textOf: (bytes: Uint8Array) => T) {
    this.#limbs = bytes / 4
    this.#textOf = textOf
    this.#bytes = new Uint8Array(bytes)
    this.#words = new Uint32Array(ENTRIES * this.#limbs)
  }

  read(memory: Uint32Array, index: number): T {
    const entry = entryOf(memory[index] ?? 0)
    const known = this.#texts[entry]
    return known !== undefined && this.#isAt(entry, memory, index) ? known : this.#make(memory, index)
  }

  write(memory: Uint32Array, index: number, text: T): void {
    const start = this.#limbs * (this.#entries.get(text) ?? this.#add(text))
    for (let limb = 0; limb < WORD_LIMBS; limb++)
      memory[index + limb] = limb < this.#limbs ? (this.#words[start + limb] ?? 0) : 0
  }

  #isAt(entry: number, memory: Uint32Array, index: number): boolean {
    const start = this.#limbs * entry
    for (let limb = 0; limb < this.#limbs; limb++) {
      if (this.#words[start + limb] !== memory[index + limb]) return false
    }
    return true
  }

  #make(memory: Uint32Array, index: number): T {
    const bytes = this.#bytes
    for (let at = 0, limb = this.#limbs - 1; limb >= 0; at += 4, limb--) {
      const value = memory[index + limb] ?? 0
      bytes[at] = value >>> 24
      bytes[at + 1] = value >>> 16
      bytes[at + 2] = value >>> 8
      bytes[at + 3] = value
    }
    const text = this.#textOf(bytes)
    this.#keep(text, memory.subarray(index, index + this.#limbs))
    return text
  }

  #add(text: T): number {
    return this.#keep(text, new Uint32Array(fromHex(text).reverse().buffer))
  }

  #keep(text: T, word: Uint32Array): number {
    const entry = entryOf(word[0] ?? 0)
    const before = this.#texts[entry]
    if (before !== undefined) this.#entries.delete(before)
    this.#texts[entry] = text
    this.#words.set(word, this.#limbs * entry)
    this.#entries.set(text, entry)
    return entry
  }
}

/** Entry of a word, by a hash of its last limb, because words in tests often differ in a few bits only. */
const entryOf = (limb: number): number => (Math.imul(limb, 0x9e37_79b1) >>> 16) & (ENTRIES - 1)
