/** JSON files, which are parsed when their values are needed. Build infos have megabytes, so that no content is kept for long. */

import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { isJsonObject } from '../../base/json-text.ts'
import { outlineOf, readBytes } from './json-outline.ts'

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
    return isJsonObject(this.value)
  }

  /** The value of a member. */
  at(name: string): JsonValue {
    return new JsonValue(() => {
      const { value } = this
      return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    })
  }

  /** The members of an object, in the order of the file. */
  entries(): readonly (readonly [name: string, value: JsonValue])[] {
    const { value } = this
    return isJsonObject(value) ? Object.keys(value).map((name) => [name, this.at(name)]) : []
  }
}

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

/** The content of a file, and its version. */
export interface OpenFile {
  readonly path: string
  readonly version: FileVersion
  /** The whole content. */
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

/** Number of bytes that tell whether a file contains an object. */
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
