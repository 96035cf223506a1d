/** Writes encoded values (value-codec.ts) into a buffer that grows. */

import { MAX_BIGINT_BYTES, SMALL_INTEGERS, TAG } from './value-tags.ts'

/** Runs of this many zeros are written as their length. */
const MIN_RUN = 4

/** Byte strings of fewer bytes are not searched for zeros. */
const MIN_SPARSE = 12

/** Bigints below it are converted to a number first, which is faster. */
const MAX_NUMBER = 2n ** 48n

/** Values of lower-case hex digits by their character codes; 16 for other characters. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code))
  return digit < 0 ? 16 : digit
})

const digitAt = (text: string, index: number): number => DIGITS[text.charCodeAt(index)] ?? 16

/** The bytes of a value that is being encoded. */
export class ByteWriter {
  #output = Buffer.alloc(4096)
  #end = 0

  /** Empties the buffer. */
  begin(): void {
    this.#end = 0
  }

  /** The written bytes as a Latin-1 text, which takes less memory than a small array. */
  text(): string {
    return this.#output.toString('latin1', 0, this.#end)
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#output[this.#end++] = byte
  }

  /** Writes a tag and a number, which is often a length. */
  tagged(tag: number, number: number): void {
    this.byte(tag)
    this.#varint(number)
  }

  number(value: number): void {
    if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
      if (value < SMALL_INTEGERS) this.byte(TAG.smallInteger + value)
      else this.tagged(TAG.integer, value)
      return
    }
    this.byte(TAG.double)
    this.#reserve(8)
    this.#end = this.#output.writeDoubleBE(value, this.#end)
  }

  bigint(value: bigint): void {
    if (value >= 0n && value < MAX_NUMBER) {
      this.#shortBigint(Number(value))
      return
    }
    const digits = value.toString(16)
    const length = (digits.length + 1) >> 1
    if (value < 0n || length > MAX_BIGINT_BYTES) {
      this.byte(TAG.bigintText)
      this.#utf8(value.toString())
      return
    }
    this.byte(TAG.bigint + length)
    this.#reserve(length)
    this.#hexDigits(digits.length % 2 === 0 ? digits : `0${digits}`, 0)
  }

  bytes(bytes: Uint8Array): void {
    this.tagged(TAG.bytes, bytes.length)
    this.#reserve(bytes.length)
    this.#output.set(bytes, this.#end)
    this.#end += bytes.length
    this.#shorten(bytes.length, TAG.sparseBytes)
  }

  string(text: string): void {
    const start = this.#end
    if (text.length % 2 === 0 && text.startsWith('0x')) {
      const length = text.length / 2 - 1
      this.tagged(TAG.hex, length)
      this.#reserve(length)
      if (this.#hexDigits(text, 2)) {
        this.#shorten(length, TAG.sparseHex)
        return
      }
      this.#end = start
    }
    this.byte(TAG.text)
    this.#utf8(text)
  }

  #utf8(text: string): void {
    const length = Buffer.byteLength(text)
    this.#varint(length)
    this.#reserve(length)
    this.#end += this.#output.write(text, this.#end)
  }

  /** Writes a whole number, seven bits per byte, the lowest first; the top bit of all but the last byte is set. */
  #varint(number: number): void {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte(128 + (rest % 128))
    this.byte(rest)
  }

  #shortBigint(value: number): void {
    let length = 0
    for (let rest = value; rest >= 1; rest /= 256) length++
    this.byte(TAG.bigint + length)
    this.#reserve(length)
    this.#end = length === 0 ? this.#end : this.#output.writeUIntBE(value, this.#end, length)
  }

  /** Writes the bytes of hex digits from an index on. Returns false if a character is not a lower-case hex digit. */
  #hexDigits(text: string, start: number): boolean {
    for (let index = start; index < text.length; index += 2) {
      const [high, low] = [digitAt(text, index), digitAt(text, index + 1)]
      if (high > 15 || low > 15) return false
      this.#output[this.#end++] = high * 16 + low
    }
    return true
  }

  /** If the last bytes have long runs of zeros, writes them again, under another tag, with each run as its length. */
  #shorten(length: number, tag: number): void {
    if (length < MIN_SPARSE) return
    const start = this.#end - length
    if (zerosFrom(this.#output, start, this.#end).start === this.#end) return
    const content = new Uint8Array(this.#output.subarray(start, this.#end))
    this.#end = start - 1 - sizeOfLength(length)
    this.tagged(tag, length)
    for (let at = 0; at < length;) {
      const zeros = zerosFrom(content, at, length)
      this.#varint(zeros.start - at)
      this.#reserve(zeros.start - at)
      // Byte by byte: most pieces are so short that a view of each takes longer.
      for (; at < zeros.start; at++) this.#output[this.#end++] = content[at] ?? 0
      this.#varint(zeros.end - zeros.start)
      at = zeros.end
    }
  }

  /** Grows the buffer if it lacks space for `count` bytes. */
  #reserve(count: number): void {
    if (this.#end + count <= this.#output.length) return
    const larger = Buffer.alloc(2 * (this.#end + count))
    larger.set(this.#output.subarray(0, this.#end))
    this.#output = larger
  }
}

/** Number of bytes that `#length` writes. */
function sizeOfLength(length: number): number {
  let size = 1
  for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) size++
  return size
}

/** Finds the first long run of zeros from an index on. Without one, it returns an empty run at the end. */
function zerosFrom(bytes: Uint8Array, from: number, end: number): { start: number; end: number } {
  let zeros = 0
  for (let index = from; index < end; index++) {
    if (bytes[index] === 0) zeros++
    else if (zeros >= MIN_RUN) return { start: index - zeros, end: index }
    else zeros = 0
  }
  return { start: zeros >= MIN_RUN ? end - zeros : end, end }
}
