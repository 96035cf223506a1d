/** Reads data of the auxiliary chain from front to back. */

import { NativeFailure } from '../native-contract.ts'

/** A place in data that a caller handed in. */
export class AuxReader {
  readonly #bytes: Uint8Array
  readonly #what: string
  #position = 0

  /** `what` is what the bytes should be, for the message that says that they are not. */
  constructor(bytes: Uint8Array, what: string) {
    this.#bytes = bytes
    this.#what = what
  }

  get position(): number {
    return this.#position
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.#position
  }

  /** The next byte, without reading it. */
  peek(): number | undefined {
    return this.#bytes[this.#position]
  }

  /** Reads so many bytes. @throws NativeFailure */
  take(length: number): Uint8Array {
    if (length > this.left) {
      throw new NativeFailure(
        `${this.#what} ends after ${this.#bytes.length} bytes, expected at least ${this.#position + length}`,
      )
    }
    const start = this.#position
    this.#position += length
    return this.#bytes.subarray(start, this.#position)
  }

  /** Reads a little-endian number of so many bytes. @throws NativeFailure */
  number(length: number): bigint {
    return this.take(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
  }

  /** Reads a count: one byte, or a marker and two, four or eight bytes. @throws NativeFailure */
  count(): number {
    const first = Number(this.number(1))
    const width = [2, 4, 8][first - 0xfd]
    return width === undefined ? first : Number(this.number(width))
  }

  /** Reads bytes behind their count. @throws NativeFailure */
  counted(): Uint8Array {
    return this.take(this.count())
  }

  /** Reads as many things as a count says. @throws NativeFailure */
  list<Item>(read: () => Item): Item[] {
    const items: Item[] = []
    // Every thing takes a byte at least, so that a false count ends with the data.
    for (let left = this.count(); left > 0; left--) items.push(read())
    return items
  }

  /** What was read since a position. */
  since(position: number): Uint8Array {
    return this.#bytes.subarray(position, this.#position)
  }

  /** @throws NativeFailure when something is left */
  end(): void {
    if (this.left > 0) throw new NativeFailure(`${this.#what} has ${this.left} bytes too many`)
  }
}

/** A number in little-endian bytes. */
export function littleEndian(value: bigint | number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let rest = BigInt(value)
  for (let index = 0; index < length; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn)
  return bytes
}

/** A count as `AuxReader.count` reads it. */
export function encodeCount(count: bigint | number): Uint8Array {
  const value = BigInt(count)
  if (value < 0xfdn) return littleEndian(value, 1)
  const [marker, width] = value < 0x1_0000n ? [0xfd, 2] : value < 0x1_0000_0000n ? [0xfe, 4] : [0xff, 8]
  return Uint8Array.of(marker, ...littleEndian(value, width))
}
