/** Reads data in the encoding of the contract ABI. */

import { bytesToBigInt } from '../base/hex.ts'

/** Length of a word in bytes. */
export const WORD = 32

/** Error for data that does not encode the expected types. */
export class AbiError extends Error {
  override readonly name = 'AbiError'
}

/** A position in encoded data. */
export class AbiReader {
  readonly #data: Uint8Array
  /** The position that offsets are relative to. */
  readonly #start: number
  #position: number

  constructor(data: Uint8Array, start = 0) {
    this.#data = data
    this.#start = start
    this.#position = start
  }

  /** Reads a word. @throws AbiError */
  word(): Uint8Array {
    return this.take(WORD)
  }

  /** Reads bytes. @throws AbiError */
  take(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#data.length) {
      throw new AbiError(`${this.#data.length} bytes of arguments, expected at least ${end}`)
    }
    const read = this.#data.subarray(this.#position, end)
    this.#position = end
    return read
  }

  /** Reads a number. If there is no data at all, it is zero (node-chain 10.2). @throws AbiError */
  number(): bigint {
    if (this.#data.length > 0) return bytesToBigInt(this.word())
    this.#position += WORD
    return 0n
  }

  /** Reads a number of bytes or items, which cannot exceed the remaining data. @throws AbiError */
  count(): number {
    const count = this.number()
    const left = Math.max(0, this.#data.length - this.#position)
    if (count > BigInt(left)) throw new AbiError(`a length of ${count} where ${left} bytes are left`)
    return Number(count)
  }

  /** Reads an offset, and returns a reader at its target. @throws AbiError */
  follow(): AbiReader {
    const offset = this.number()
    const remaining = this.#data.length - this.#start
    if (offset > BigInt(remaining)) throw new AbiError(`an offset of ${offset} in ${remaining} bytes`)
    return new AbiReader(this.#data, this.#start + Number(offset))
  }

  /** A reader whose offsets are relative to this position. */
  here(): AbiReader {
    return new AbiReader(this.#data, this.#position)
  }
}
