/** Addresses as words of the core and as text. Those that were met lately are kept, so that neither form is made again. */

import type { Address } from '../../base/hex.ts'
import { addressOfWord, fromHex } from '../../base/hex.ts'

/** Number of places, a power of two. An address has one place, by its last bytes. */
const PLACES = 1024

/** Numbers of 32 bits in an address. */
const LIMBS = 5

/** Converts between the forms of addresses. */
export class AddressWords {
  readonly #texts = new Array<Address | undefined>(PLACES).fill(undefined)
  readonly #limbs = new Uint32Array(PLACES * LIMBS)
  readonly #places = new Map<Address, number>()

  /** The address in the word whose limbs begin at an index. */
  read(memory: Uint32Array, index: number): Address {
    const place = placeOf(memory[index] ?? 0)
    const known = this.#texts[place]
    if (known !== undefined && this.#isAt(place, memory, index)) return known
    let word = 0n
    for (let limb = LIMBS - 1; limb >= 0; limb--) word = (word << 32n) | BigInt(memory[index + limb] ?? 0)
    const address = addressOfWord(word)
    this.#keep(place, address, memory.subarray(index, index + LIMBS))
    return address
  }

  /** Writes the word of an address. */
  write(memory: Uint32Array, index: number, address: Address): void {
    const start = LIMBS * (this.#places.get(address) ?? this.#add(address))
    for (let limb = 0; limb < LIMBS; limb++) memory[index + limb] = this.#limbs[start + limb] ?? 0
    memory.fill(0, index + LIMBS, index + 8)
  }

  #isAt(place: number, memory: Uint32Array, index: number): boolean {
    const start = LIMBS * place
    for (let limb = 0; limb < LIMBS; limb++) if (this.#limbs[start + limb] !== memory[index + limb]) return false
    return true
  }

  #add(address: Address): number {
    const limbs = new Uint32Array(fromHex(address).reverse().buffer)
    const place = placeOf(limbs[0] ?? 0)
    this.#keep(place, address, limbs)
    return place
  }

  #keep(place: number, address: Address, limbs: Uint32Array): void {
    const before = this.#texts[place]
    if (before !== undefined) this.#places.delete(before)
    this.#texts[place] = address
    this.#limbs.set(limbs, LIMBS * place)
    this.#places.set(address, place)
  }
}

/** Mixed, for addresses of tests often differ in a few bits only. */
const placeOf = (limb: number): number => (Math.imul(limb, 0x9e3779b1) >>> 16) & (PLACES - 1)
