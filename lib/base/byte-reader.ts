/** Reads integers, texts and bytes of encoded values (value-codec.ts). */

import { EMPTY_BYTES, toHex } from './hex.ts'

/** A cursor over the bytes of an encoded value. It does not check them, because this process has encoded them. */
export class ByteReader {
  readonly #bytes: Buffer
  #at: number

  /** Reads a latin1 text from the character `start` on. */
  constructor(text: string, start: number) {
    this.#bytes = Buffer.from(text, 'latin1')
    this.#at = start
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0
  }

  /** A length or an index: seven bits per byte, lowest first; the top bit marks that more follow. */
  length(): number {
    let length = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte()
      length += (byte % 128) * unit
      if (byte < 128) return length
    }
  }

  double(): number {
    this.#at += 8
    return this.#bytes.readDoubleBE(this.#at - 8)
  }

  /** A bigint of `length` bytes. */
  bigint(length: number): bigint {
    if (length === 0) return 0n
    const start = this.#skip(length)
    if (length <= 6) return BigInt(this.#bytes.readUIntBE(start, length))
    return BigInt(`0x${this.#bytes.toString('hex', start, this.#at)}`)
  }

  utf8(): string {
    const start = this.#skip(this.length())
    return this.#bytes.toString('utf8', start, this.#at)
  }

  hex(): string {
    const start = this.#skip(this.length())
    return `0x${this.#bytes.toString('hex', start, this.#at)}`
  }

  /** A copy: a view would keep the whole encoded text in memory. */
  bytes(): Uint8Array {
    const length = this.length()
    if (length === 0) return EMPTY_BYTES
    const start = this.#skip(length)
    return new Uint8Array(this.#bytes.subarray(start, this.#at))
  }

  /** Alternately a number of bytes with the bytes, and a number of zeros. */
  sparseBytes(): Uint8Array {
    const bytes = new Uint8Array(this.length())
    for (let at = 0; at < bytes.length; at += this.length()) {
      const count = this.length()
      const start = this.#skip(count)
      bytes.set(this.#bytes.subarray(start, this.#at), at)
      at += count
    }
    return bytes
  }

  sparseHex(): string {
    return toHex(this.sparseBytes())
  }

  /** Skips bytes. Returns the position of the first one. */
  #skip(count: number): number {
    const start = this.#at
    this.#at += count
    return start
  }
}
