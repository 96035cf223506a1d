/** A list of numbers that grows, in a typed array. */

const FIRST_LENGTH = 1024

/** Integers of 32 bits, or numbers. */
export class GrowingNumbers<Values extends Int32Array | Float64Array> {
  #values: Values
  readonly #make: (length: number) => Values
  length = 0

  constructor(make: (length: number) => Values) {
    this.#make = make
    this.#values = make(FIRST_LENGTH)
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = this.#make(2 * this.length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  /** The value at a position; 0 beyond the end. */
  at(position: number): number {
    return this.#values[position] ?? 0
  }
}

/** Integers of 32 bits. */
export const growingIntegers = () => new GrowingNumbers((length) => new Int32Array(length))

/** Numbers of any size. */
export const growingNumbers = () => new GrowingNumbers((length) => new Float64Array(length))
