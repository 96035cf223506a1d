/**
 * Reads the upper levels of a large JSON file. A build info can have more bytes than a string can, and most of it is never used:
 * what is below these levels is parsed when it is read.
 */

import { readSync } from 'node:fs'

/** Levels of objects that are read: `output`, `contracts`, the path of a source, and the names in it. */
const LEVELS = 4

/** Bytes up to which a value is parsed at once. */
const SMALL_BYTES = 256

/** Makes the function that reads the bytes from one offset up to another as JSON. */
type PartReader = (start: number, end: number) => () => unknown

/** The object in a file that is open; members below the upper levels are getters. @throws SyntaxError if the object has no end */
export function outlineOf(file: number, partReader: PartReader): object {
  const bytes = new FileBytes(file)
  let at = 0
  while (bytes.at(at) !== OPEN_BRACE) at++

  const objectOf = (levels: number): object => {
    const members = {}
    at++
    while (nextToken() !== CLOSE_BRACE) {
      const name = at
      at = bytes.endOfString(at) + 1
      const key: unknown = JSON.parse(bytes.text(name, at))
      // Of members with one name the last one counts, as in JSON.parse.
      Object.defineProperty(members, String(key), {
        ...memberOf(levels),
        enumerable: true,
        configurable: true,
      })
    }
    at++
    return members
  }

  const memberOf = (levels: number): PropertyDescriptor => {
    if (nextToken() === OPEN_BRACE && levels > 1) return { value: objectOf(levels - 1) }
    const start = at
    at = endOfValue(bytes, start)
    if (at - start > SMALL_BYTES) return { get: partReader(start, at) }
    const value: unknown = JSON.parse(bytes.text(start, at))
    return { value }
  }

  /** Moves to the next character that is no separator. */
  const nextToken = (): number => {
    while (isSeparator(bytes.at(at))) at++
    return bytes.at(at)
  }

  return objectOf(LEVELS)
}

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSeparator = (byte: number): boolean => byte <= SPACE || byte === COMMA || byte === COLON

/** The offset of the comma or bracket after a value. */
function endOfValue(bytes: FileBytes, start: number): number {
  let open = 0
  for (let at = start; ; at++) {
    const byte = bytes.at(at)
    if (byte === QUOTE) at = bytes.endOfString(at)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) open++
    else if (open === 0 && (byte === COMMA || byte === CLOSE_BRACE)) return at
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open--
  }
}

/** Number of bytes of a file that are in memory at a time. */
const WINDOW_BYTES = 1 << 16

/** The bytes of a file. Only some are in memory, because a buffer of a whole file stays there until the engine collects it. */
class FileBytes {
  readonly #file: number
  readonly #window = Buffer.alloc(WINDOW_BYTES)
  #start = 0
  #end = 0

  constructor(file: number) {
    this.#file = file
  }

  /** The byte at an offset. Offsets before the window are not read again. @throws SyntaxError at the end of the file */
  at(offset: number): number {
    if (offset >= this.#end) this.#move(offset)
    return this.#window[offset - this.#start] ?? 0
  }

  /** The offset of the quote that ends a string. @throws SyntaxError at the end of the file */
  endOfString(start: number): number {
    let at = start + 1
    for (;;) {
      // Most bytes are in strings: this loop has local variables only.
      const [window, from, end] = [this.#window, this.#start, this.#end]
      while (at < end) {
        const byte = window[at - from]
        if (byte === QUOTE) return at
        at += byte === BACKSLASH ? 2 : 1
      }
      this.#move(at)
    }
  }

  #move(offset: number): void {
    this.#start = offset
    this.#end = offset + readSync(this.#file, this.#window, 0, WINDOW_BYTES, offset)
    if (offset >= this.#end) throw new SyntaxError('Unexpected end of JSON input')
  }

  /** The text of bytes up to the last one that was read. */
  text(start: number, end: number): string {
    const bytes =
      start < this.#start
        ? readBytes(this.#file, start, end - start)
        : this.#window.subarray(start - this.#start, end - this.#start)
    return bytes.toString('utf8')
  }
}

/** Reads as many of the bytes from an offset on as the file has. */
export function readBytes(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}
