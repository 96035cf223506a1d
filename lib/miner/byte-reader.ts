/** Reads binary data of the auxiliary chain from front to back. */

import { NodeError } from '../base/errors.ts'

/** A place in bytes that somebody handed in. Reading past the end is that somebody's fault. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #name: string
  #position = 0

  /** `name` is the param the bytes came in. */
  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes
    this.#name = name
  }

  get position(): number {
    return this.#position
  }

  /** The next byte, without reading it. */
  peek(): number | undefined {
    return this.#bytes[this.#position]
  }

  /** Reads so many bytes. @throws NodeError 'invalidParams' */
  take(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#bytes.length) {
      throw new NodeError(
        'invalidParams',
        `${this.#name}: ends after ${this.#bytes.length} bytes, expected at least ${end}`,
      )
    }
    const taken = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return taken
  }

  /** Reads a count: one byte, or a marker and two, four or eight bytes, little-endian. */
  variableInteger(): number {
    const [first = 0] = this.take(1)
    const width = [2, 4, 8][first - 0xfd]
    if (width === undefined) return first
    return this.take(width).reduceRight((value, byte) => value * 256 + byte, 0)
  }

  /** What was read since a position. */
  since(position: number): Uint8Array {
    return this.#bytes.subarray(position, this.#position)
  }

  /** @throws NodeError 'invalidParams' when something is left */
  end(): void {
    const left = this.#bytes.length - this.#position
    if (left > 0) throw new NodeError('invalidParams', `${this.#name}: ${left} bytes too many`)
  }
}
