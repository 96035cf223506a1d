/** Texts in memory that are rarely read. Many similar ones are compressed together, to a third of their length. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Level of compression: higher ones take twice the time to save a hundredth. */
const LEVEL = 1

const LENGTH_BYTES = 4

/** A list of Latin-1 texts, compressed together. */
class CompressedTexts {
  readonly #bytes: Uint8Array
  readonly #count: number
  /** The texts, as long as other code uses them. */
  #texts: WeakRef<readonly string[]> | undefined

  constructor(texts: readonly string[]) {
    const lengths = Buffer.alloc(texts.length * LENGTH_BYTES)
    texts.forEach((text, index) => lengths.writeUInt32LE(text.length, index * LENGTH_BYTES))
    const bytes = Buffer.concat([lengths, Buffer.from(texts.join(''), 'latin1')])
    // A copy, because zlib returns a part of a larger buffer.
    this.#bytes = new Uint8Array(deflateRawSync(bytes, { level: LEVEL }))
    this.#count = texts.length
  }

  /** Bytes in memory of each text, on average. */
  get averageSize(): number {
    return this.#bytes.length / this.#count
  }

  at(index: number): string {
    return (this.#texts?.deref() ?? this.#decompress())[index] ?? ''
  }

  #decompress(): readonly string[] {
    const bytes = inflateRawSync(this.#bytes)
    let end = this.#count * LENGTH_BYTES
    const texts = Array.from({ length: this.#count }, (_, index) => {
      const start = end
      end += bytes.readUInt32LE(index * LENGTH_BYTES)
      return bytes.toString('latin1', start, end)
    })
    this.#texts = new WeakRef(texts)
    return texts
  }
}

/** A Latin-1 text that can be compressed together with others. */
export class CompressibleText {
  #text: string | CompressedTexts
  #index = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The text. Those that are compressed together are decompressed together. */
  get text(): string {
    return typeof this.#text === 'string' ? this.#text : this.#text.at(this.#index)
  }

  get isCompressed(): boolean {
    return typeof this.#text !== 'string'
  }

  /** Approximate bytes in memory. */
  get size(): number {
    return typeof this.#text === 'string' ? this.#text.length : this.#text.averageSize
  }

  /** Compresses texts together, except those that are compressed already. */
  static compress(all: readonly CompressibleText[]): void {
    const plain = all.filter(({ isCompressed }) => !isCompressed)
    if (plain.length === 0) return
    const compressed = new CompressedTexts(plain.map(({ text }) => text))
    plain.forEach((one, index) => {
      one.#text = compressed
      one.#index = index
    })
  }
}
