/**
 * Reads data of the auxiliary chain from front to back. The caller chooses the error for invalid data. The auxiliary chain (`aux`
 * in the service spec) is the chain that a merged-mining network is mined together with.
 */

/** Length in bytes of a block header of the auxiliary chain. */
export const AUX_HEADER_BYTES = 80

/** Reads bytes from a position that advances. */
export class AuxReader {
  readonly #bytes: Uint8Array
  readonly #fail: (fault: string) => Error
  #position = 0

  /** `fail` creates the error for too few or too many bytes from a text about the fault. */
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

  /** Reads `length` bytes. */
  take(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#bytes.length) {
      throw this.#fail(`ends after ${this.#bytes.length} bytes, expected at least ${end}`)
    }
    const taken = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return taken
  }

  /** Reads a little-endian number of `length` bytes. */
  number(length: number): bigint {
    return this.take(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
  }

  /** Reads a count (a compact size): one byte, or a marker byte (0xfd to 0xff) and two, four or eight bytes. */
  count(): number {
    const first = Number(this.number(1))
    const width = [2, 4, 8][first - 0xfd]
    return width === undefined ? first : Number(this.number(width))
  }

  /** Reads a count, and that many bytes. */
  varBytes(): Uint8Array {
    return this.take(this.count())
  }

  /** Reads a count, and that many items. */
  list<Item>(read: () => Item): Item[] {
    const items: Item[] = []
    // Every item takes at least one byte, so a count that is too high fails at the end of the data.
    for (let left = this.count(); left > 0; left--) items.push(read())
    return items
  }

  /** The bytes from a position up to here. */
  since(position: number): Uint8Array {
    return this.#bytes.subarray(position, this.#position)
  }

  /** Throws if bytes are left. */
  end(): void {
    const left = this.#bytes.length - this.#position
    if (left > 0) throw this.#fail(`has ${left} bytes too many`)
  }
}
