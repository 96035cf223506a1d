/** Caches conversions between words in the memory of the core and the hexadecimal texts of addresses and hashes. */

import { fromHex, type Hex } from '../../base/hex.ts'

/** Number of entries, a power of two. The last bytes of a word determine its entry. */
const ENTRIES = 2048

/** Limbs of a word: numbers of 32 bits, the least significant first. */
const WORD_LIMBS = 8

export class HexCache<T extends Hex> {
  /** Number of limbs of an address or a hash. */
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

  /** The text of the word that begins at an index. */
  read(memory: Uint32Array, index: number): T {
    const entry = entryOf(memory[index] ?? 0)
    const known = this.#texts[entry]
    return known !== undefined && this.#isAt(entry, memory, index) ? known : this.#make(memory, index)
  }

  /** Writes the word of a text. */
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
