/** Splits a stream of bytes into JSON values, with or without white space between them (geth's rpc/json.go). */

/** ASCII codes: line feed, quotation mark, backslash, and the brackets [ and {, ] and }. */
const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const OPENING: readonly number[] = [91, 123]
const CLOSING: readonly number[] = [93, 125]

/** Finds the ends of values. It does not check that a value is valid JSON. */
export class JsonValues {
  #parts: Buffer[] = []
  #length = 0
  #depth = 0
  #isInString = false
  #isEscaped = false

  /** Length of the incomplete value in bytes. */
  get incompleteLength(): number {
    return this.#length
  }

  /** Takes the next bytes, and returns the values that end in them. Blank lines are not values. */
  take(chunk: Buffer): readonly string[] {
    const values: string[] = []
    let start = 0
    for (const [index, byte] of chunk.entries()) {
      if (!this.#isEnd(byte)) continue
      this.#parts.push(chunk.subarray(start, index + 1))
      start = index + 1
      const value = Buffer.concat(this.#parts).toString('utf8').trim()
      this.#parts = []
      this.#length = 0
      if (value !== '') values.push(value)
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
    this.#length += chunk.length - start
    return values
  }

  /** An object or an array ends with its closing bracket. Any other value, such as an unterminated string, ends with its line. */
  #isEnd(byte: number): boolean {
    if (byte === NEWLINE && (this.#isInString || this.#depth === 0)) return this.#reset()
    if (this.#isInString) {
      if (byte === QUOTE && !this.#isEscaped) this.#isInString = false
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped
      return false
    }
    if (byte === QUOTE) this.#isInString = true
    else if (OPENING.includes(byte)) this.#depth++
    else if (CLOSING.includes(byte)) return --this.#depth <= 0 && this.#reset()
    return false
  }

  #reset(): true {
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    return true
  }
}
