/** Memory of one frame. It grows by words, for gas that is charged before a write (Yellow Paper, H.1). */

import { EMPTY_BYTES } from '../../../lib/base/hex.ts'
import { OUT_OF_GAS } from './halt.ts'

const FIRST_CAPACITY = 1024

/** Bytes that code can address; beyond `size` they are zero and not paid for. */
export class Memory {
  /** Bytes paid for, a multiple of 32. */
  size = 0
  readonly #limit: number
  #bytes = EMPTY_BYTES
  #view = new DataView(EMPTY_BYTES.buffer)

  /** The limit is in bytes; growing beyond it is out of gas. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Gas for reaching the end of a range; none for an empty range. */
  expansionGas(offset: bigint, length: bigint): number {
    if (length === 0n) return 0
    const end = offset + length
    if (end > this.#limit) throw OUT_OF_GAS
    return this.#gasTo(Number(end))
  }

  /** The same for two ranges at once. */
  expansionGasOfBoth(first: Range, second: Range): number {
    return Math.max(
      this.expansionGas(first.offset, first.length),
      this.expansionGas(second.offset, second.length),
    )
  }

  #gasTo(end: number): number {
    if (end <= this.size) return 0
    return gasOf(Math.ceil(end / 32)) - gasOf(this.size / 32)
  }

  /** Makes a range that has been paid for addressable. */
  expand(offset: number, length: number): void {
    if (length === 0) return
    const size = Math.ceil((offset + length) / 32) * 32
    if (size <= this.size) return
    this.size = size
    if (size <= this.#bytes.length) return
    const bytes = new Uint8Array(Math.max(FIRST_CAPACITY, Math.min(this.#limit, 2 * size)))
    bytes.set(this.#bytes)
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }

  /** A view of a range, valid until memory changes; the range has been expanded. */
  view(offset: number, length: number): Uint8Array {
    return length === 0 ? EMPTY_BYTES : this.#bytes.subarray(offset, offset + length)
  }

  /** The word at an offset; the range has been expanded. */
  word(offset: number): bigint {
    const view = this.#view
    const low = view.getBigUint64(offset + 24)
    const high = view.getBigUint64(offset)
    const next = view.getBigUint64(offset + 8)
    const third = view.getBigUint64(offset + 16)
    if (high === 0n && next === 0n) return third === 0n ? low : (third << 64n) | low
    return (((high << 64n) | next) << 128n) | (third << 64n) | low
  }

  /** Writes a word; the range has been expanded. */
  setWord(offset: number, value: bigint): void {
    const view = this.#view
    view.setBigUint64(offset + 24, BigInt.asUintN(64, value))
    const rest = value >> 64n
    view.setBigUint64(offset + 16, BigInt.asUintN(64, rest))
    const high = rest === 0n ? 0n : rest >> 64n
    view.setBigUint64(offset + 8, BigInt.asUintN(64, high))
    view.setBigUint64(offset, high === 0n ? 0n : high >> 64n)
  }

  /** Writes a byte; it has been expanded. */
  setByte(offset: number, value: number): void {
    this.#bytes[offset] = value
  }

  /** Writes a range of a source, with zeros where the source has ended; the range has been expanded. */
  copy(source: Uint8Array, from: number, to: Span): void {
    const part = source.subarray(from, from + to.length)
    this.#bytes.set(part, to.offset)
    if (part.length < to.length) {
      this.#bytes.fill(0, to.offset + part.length, to.offset + to.length)
    }
  }

  /** Copies a range, which may overlap the target; both have been expanded. */
  move(from: number, to: Span): void {
    this.#bytes.copyWithin(to.offset, from, from + to.length)
  }
}

/** A range as the stack has it. */
export interface Range {
  readonly offset: bigint
  readonly length: bigint
}

/** A range that has been paid for. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** The empty span; its offset has no meaning. */
const NOTHING: Span = { offset: 0, length: 0 }

/** A range that has been paid for, as numbers. */
export function spanOf(offset: bigint, length: bigint): Span {
  return length === 0n ? NOTHING : { offset: Number(offset), length: Number(length) }
}

/** Words of a number of bytes. */
export const wordsOf = (length: bigint): number => Math.ceil(Number(length) / 32)

/** Three gas per word and a share that grows with the square. */
const gasOf = (words: number): number => 3 * words + Math.floor((words * words) / 512)
