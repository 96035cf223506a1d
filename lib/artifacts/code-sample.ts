/** Samples of codes, which tell most codes apart without the codes themselves. */

import type { MaskedCode } from './code.ts'

/** Number of bytes in a sample. */
const SAMPLE_BYTES = 24

/** In place of a byte that can differ. */
const ANY = -1

/** Some bytes of a code at even distances. */
export class CodeSample {
  readonly length: number
  readonly #bytes: Int16Array

  constructor({ bytes, masks }: MaskedCode) {
    this.length = bytes.length
    const isMasked = (place: number): boolean =>
      masks.some(({ start, length }) => place >= start && place < start + length)
    this.#bytes = Int16Array.from({ length: SAMPLE_BYTES }, (_, index) => {
      const place = this.#placeOf(index)
      return isMasked(place) ? ANY : (bytes[place] ?? ANY)
    })
  }

  /** Whether a code can begin with the sampled one. */
  canBegin(code: Uint8Array): boolean {
    return (
      code.length >= this.length &&
      this.#bytes.every((byte, index) => byte === ANY || byte === code[this.#placeOf(index)])
    )
  }

  #placeOf(index: number): number {
    return Math.floor((this.length * (index + 0.5)) / SAMPLE_BYTES)
  }
}
