/** JSON files, which are parsed when their values are needed. Build infos have megabytes, so that no content is kept for long. */

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { outlineOf } from './json-outline.ts'

/** A value in a file, or absent. It is read from the file whenever it is asked for. */
export class JsonValue {
  readonly #read: () => unknown

  constructor(read: () => unknown) {
    this.#read = read
  }

  /** The parsed value; undefined if it is absent or the file has changed since it was opened. */
  get value(): unknown {
    return this.#read()
  }

  /** The value if it is a string. */
  get text(): string | undefined {
    const { value } = this
    return typeof value === 'string' ? value : undefined
  }

  get isPresent(): boolean {
    return this.value !== undefined
  }

  get isObject(): boolean {
    return isObject(this.value)
  }

  /** The value of a member. */
  at(name: string): JsonValue {
    return new JsonValue(() => {
      const { value } = this
      return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    })
  }

  /** The members of an object, in the order of the file. */
  entries(): readonly (readonly [name: string, value: JsonValue])[] {
    const { value } = this
    return isObject(value) ? Object.keys(value).map((name) => [name, this.at(name)]) : []
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A version of a file: another one has another time or size. */
export interface FileVersion {
  readonly modifiedAtMs: number
  readonly size: number
}

/** Whether two versions of a file are the same. */
export const isSameVersion = (one: FileVersion | undefined, other: FileVersion): boolean =>
  one?.modifiedAtMs === other.modifiedAtMs && one.size === other.size

/** Bytes from which on a file is read in parts. */
const LARGE_BYTES = 1e6

/** An opened file. */
export class JsonFile {
  readonly path: string
  readonly version: FileVersion
  /** The whole content. */
  readonly root: JsonValue

  /** @throws SyntaxError when it is not JSON, and the errors of the file system */
  constructor(path: string) {
    this.path = path
    this.version = versionOf(path)
    const { size } = this.version
    const bytes = readPart(path, 0, size, bufferOf(size))
    if (bytes.length < LARGE_BYTES || !isObjectText(bytes)) {
      this.root = new JsonValue(this.#part(0, bytes.length, parse(bytes)))
    } else {
      const outline = outlineOf(bytes, (start, end) => this.#part(start, end))
      this.root = new JsonValue(() => outline)
    }
  }

  /** Reads a part of the file, given in bytes; its value is undefined if the file has changed since it was opened. */
  #part(start: number, end: number, parsed?: ParsedPart): () => unknown {
    // The engine keeps the value at least until the current turn of the event loop ends.
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

/** A value that was parsed, which may be no object. */
interface ParsedPart {
  readonly content: unknown
}

/** Parses JSON, also with the byte order mark of UTF-8. */
const parse = (bytes: Buffer): ParsedPart => ({
  content: JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')),
})

const isObjectText = (bytes: Buffer): boolean => /^\uFEFF?\s*\{/.test(bytes.toString('utf8', 0, 64))

/** The bytes of the last file that was opened, until the collector takes them. */
let lastBuffer: WeakRef<Buffer> | undefined

/** A buffer for a whole file. It is used again: those of many large files would wait for the collector outside of its heap. */
function bufferOf(size: number): Buffer {
  const last = lastBuffer?.deref()
  if (last !== undefined && last.length >= size) return last
  const made = Buffer.allocUnsafeSlow(size)
  lastBuffer = new WeakRef(made)
  return made
}

function readPart(
  path: string,
  start: number,
  end: number,
  buffer: Buffer = Buffer.allocUnsafe(end - start),
): Buffer {
  const file = openSync(path, 'r')
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, end - start, start))
  } finally {
    closeSync(file)
  }
}

function versionOf(path: string): FileVersion {
  const { mtimeMs, size } = statSync(path)
  return { modifiedAtMs: mtimeMs, size }
}
