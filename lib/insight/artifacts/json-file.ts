/** JSON files that are parsed when their values are needed. Build infos have megabytes, so no content is kept for long. */

import { closeSync, openSync, readFileSync, statSync, readSync } from 'node:fs'
import { isJsonObject } from '../../base/json-text.ts'

/** A value in a file, possibly absent. It is read from the file at each use. */
export class JsonValue {
  readonly #read: () => unknown

  constructor(read: () => unknown) {
    this.#read = read
  }

  /** The parsed value; undefined if it is absent or the file has changed since it was opened. */
  get value(): unknown {
    return this.#read()
  }

  get text(): string | undefined {
    const { value } = this
    return typeof value === 'string' ? value : undefined
  }

  get isPresent(): boolean {
    return this.value !== undefined
  }

  get isObject(): boolean {
    return isJsonObject(this.value)
  }

  at(name: string): JsonValue {
    return new JsonValue(() => {
      const { value } = this
      return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    })
  }

  entries(): readonly (readonly [name: string, value: JsonValue])[] {
    const { value } = this
    return isJsonObject(value) ? Object.keys(value).map((name) => [name, this.at(name)]) : []
  }
}

/** Identifies a version of a file by time and size. */
export interface FileVersion {
  readonly modifiedAtMs: number
  readonly size: number
}

export const isSameVersion = (one: FileVersion | undefined, other: FileVersion): boolean =>
  one?.modifiedAtMs === other.modifiedAtMs && one.size === other.size

/** Files of at least this many bytes are read in parts. */
const LARGE_BYTES = 1e6

export interface OpenFile {
  readonly path: string
  readonly version: FileVersion
  readonly root: JsonValue
}

export class JsonFile implements OpenFile {
  readonly path: string
  readonly version: FileVersion
  readonly root: JsonValue

  /** @throws SyntaxError when it is not JSON, and the errors of the file system */
  constructor(path: string) {
    this.path = path
    this.version = versionOf(path)
    const { size } = this.version
    if (size < LARGE_BYTES || !isObjectText(readPart(path, 0, BEGIN_BYTES))) {
      this.root = new JsonValue(this.#part(0, size, parse(readFileSync(path))))
    } else {
      const outline = withFile(path, (file) => outlineOf(file, (start, end) => this.#part(start, end)))
      this.root = new JsonValue(() => outline)
    }
  }

  /** Reads a part of the file, given in bytes. Its value is undefined if the file has changed since it was opened. */
  #part(start: number, end: number, parsed?: ParsedPart): () => unknown {
    // The engine keeps the value at least until the end of this turn of the event loop.
    let known = parsed && new WeakRef(parsed)
    return () => {
      const kept = known?.deref()
      if (kept !== undefined) return kept.content
      try {
        if (!isSameVersion(this.version, versionOf(this.path))) return undefined
        const read = parse(readPart(this.path, start, end))
        known = new WeakRef(read)
        return read.content
      } catch {
        return undefined
      }
    }
  }
}

/** A parsed value, which may not be an object. */
interface ParsedPart {
  readonly content: unknown
}

/** Parses JSON, with or without UTF-8's byte order mark. */
const parse = (bytes: Buffer): ParsedPart => ({
  content: JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')),
})

/** This many bytes show whether a file contains an object. */
const BEGIN_BYTES = 64

const isObjectText = (bytes: Buffer): boolean => /^\uFEFF?\s*\{/.test(bytes.toString('utf8'))

const readPart = (path: string, start: number, end: number): Buffer =>
  withFile(path, (file) => readBytes(file, start, end - start))

function withFile<T>(path: string, read: (file: number) => T): T {
  const file = openSync(path, 'r')
  try {
    return read(file)
  } finally {
    closeSync(file)
  }
}

function versionOf(path: string): FileVersion {
  const { mtimeMs, size } = statSync(path)
  return { modifiedAtMs: mtimeMs, size }
}

/** Levels of objects that are read: `output`, `contracts`, the path of a source, and the names in it. */
const LEVELS = 4

/** Values of up to this many bytes are parsed at once. */
const SMALL_BYTES = 256

/** Makes the function that reads the bytes from one offset up to another as JSON. */
type PartReader = (start: number, end: number) => () => unknown

/**
 * Reads the upper levels of the object in an open file. A build info may be longer than the longest string, and most of it is never
 * used: what is below these levels is parsed when it is read. @throws SyntaxError if the object has no end
 */
function outlineOf(file: number, partReader: PartReader): object {
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
      // If members share a name the last one counts, as in JSON.parse.
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

/** The bytes of a file. Only some are in memory, because a buffer of the whole file would stay there until garbage collection. */
class FileBytes {
  readonly #file: number
  readonly #window = Buffer.alloc(WINDOW_BYTES)
  #start = 0
  #end = 0

  constructor(file: number) {
    this.#file = file
  }

  /** The byte at an offset. The window moves only forwards. @throws SyntaxError at the end of the file */
  at(offset: number): number {
    if (offset >= this.#end) this.#move(offset)
    return this.#window[offset - this.#start] ?? 0
  }

  /** The offset of the quote that ends a string. @throws SyntaxError at the end of the file */
  endOfString(start: number): number {
    let at = start + 1
    for (;;) {
      // Most bytes are in strings, so this loop uses local variables only.
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

  text(start: number, end: number): string {
    const bytes =
      start < this.#start
        ? readBytes(this.#file, start, end - start)
        : this.#window.subarray(start - this.#start, end - this.#start)
    return bytes.toString('utf8')
  }
}

/** Reads as many bytes from an offset as the file has. */
function readBytes(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}
