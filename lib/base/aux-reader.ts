/** Reads data of the auxiliary chain from front to back. Whose fault it is when it cannot be read is told by the caller. */

/** Bytes of the header of a block of that chain. */
export const AUX_HEADER_BYTES = 80

/** A place in bytes that somebody handed in. */
export class AuxReader {
  readonly #bytes: Uint8Array
  readonly #fail: (fault: string) => Error
  #position = 0

  /** `fail` makes the error that is thrown when the bytes "end after ..." or "have ... too many". */
  constructor(bytes: Uint8Array, fail: (fault: string) => Error) {
    this.#bytes = bytes
    this.#fail = fail
  }

  get position(): number {
    return this.#position
  }

  /** The next byte, without reading it. */
  peek(): number | undefined {
    return this.#bytes[this.#position]
  }

  /** Reads so many bytes. */
  take(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#bytes.length) {
      throw this.#fail(`ends after ${this.#bytes.length} bytes, expected at least ${end}`)
    }
    const taken = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return taken
  }

  /** Reads a little-endian number of so many bytes. */
  number(length: number): bigint {
    return this.take(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
  }

  /** Reads a count: one byte, or a marker and two, four or eight bytes. */
  count(): number {
    const first = Number(this.number(1))
    const width = [2, 4, 8][first - 0xfd]
    return width === undefined ? first : Number(this.number(width))
  }

  /** Reads bytes behind their count. */
  counted(): Uint8Array {
    return this.take(this.count())
  }

  /** Reads as many things as a count says. */
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

  /** Throws when something is left. */
  end(): void {
    const left = this.#bytes.length - this.#position
    if (left > 0) throw this.#fail(`has ${left} bytes too many`)
  }
}
