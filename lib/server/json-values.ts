/** Splits a stream of bytes into JSON values, with or without white space between them (geth's rpc/json.go). */

const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const OPENING: readonly number[] = [91, 123]
const CLOSING: readonly number[] = [93, 125]

/** Finds where values end. The reader of a value checks that it is valid JSON. */
export class JsonValues {
  #parts: Buffer[] = []
  #length = 0
  #depth = 0
  #isInText = false
  #isEscaped = false

  /** Bytes of the incomplete value. */
  get begunLength(): number {
    return this.#length
  }

  /** Takes the next bytes, and answers the values that end in them, without blank values. */
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

  /** An object or a list ends with its bracket. Any other value, such as an unclosed text, ends with its line. */
  #isEnd(byte: number): boolean {
    if (byte === NEWLINE && (this.#isInText || this.#depth === 0)) return this.#reset()
    if (this.#isInText) {
      if (byte === QUOTE && !this.#isEscaped) this.#isInText = false
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped
      return false
    }
    if (byte === QUOTE) this.#isInText = true
    else if (OPENING.includes(byte)) this.#depth++
    else if (CLOSING.includes(byte)) return --this.#depth <= 0 && this.#reset()
    return false
  }

  #reset(): true {
    this.#depth = 0
    this.#isInText = false
    this.#isEscaped = false
    return true
  }
}
