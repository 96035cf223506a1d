/** JSON files whose values are read one by one when they are needed. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { JsonScanner } from './json-scanner.ts'
import type { JsonPattern, JsonPlace } from './json-scanner.ts'

/** Bytes of a file that are read at a time. */
const CHUNK_BYTES = 1 << 20

/** A value in a file, or absent; its members are read by name. */
export class JsonValue {
  readonly #file: JsonFile
  readonly #place: JsonPlace | undefined

  constructor(file: JsonFile, place: JsonPlace | undefined) {
    this.#file = file
    this.#place = place
  }

  /** Whether the file has the value. */
  get isPresent(): boolean {
    return this.#place !== undefined
  }

  /** Whether it is an object whose members the pattern of the file names. */
  get isObject(): boolean {
    return this.#place?.members !== undefined
  }

  /** The value of a member. */
  at(name: string): JsonValue {
    return new JsonValue(this.#file, this.#place?.members?.get(name))
  }

  /** The members that the pattern names, in the order of the file. */
  entries(): readonly (readonly [name: string, value: JsonValue])[] {
    const members = this.#place?.members ?? new Map<string, JsonPlace>()
    return Array.from(members, ([name, place]) => [name, new JsonValue(this.#file, place)])
  }

  /** The bytes of the value in the file; absent if the file has changed since it was scanned. */
  bytes(): Uint8Array | undefined {
    return this.#place === undefined ? undefined : this.#file.bytes(this.#place)
  }

  /** The parsed value; undefined if it is absent, not JSON, or the file has changed since it was scanned. */
  parse(): unknown {
    const bytes = this.bytes()
    if (bytes === undefined) return undefined
    try {
      return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
    } catch {
      return undefined
    }
  }

  /** The value if it is a string. */
  text(): string | undefined {
    const value = this.#place?.members === undefined ? this.parse() : undefined
    return typeof value === 'string' ? value : undefined
  }
}

/** A version of a file: another one has another time or size. */
export interface FileVersion {
  readonly modifiedAtMs: number
  readonly size: number
}

/** A file in which the places of values are known. */
export class JsonFile {
  readonly path: string
  readonly version: FileVersion
  readonly #root: JsonPlace
  /** The text of a small file, until it is released. */
  #content: Uint8Array | undefined

  private constructor(found: Pick<JsonFile, 'path' | 'version'>, root: JsonPlace, content?: Uint8Array) {
    this.path = found.path
    this.version = found.version
    this.#root = root
    this.#content = content
  }

  /**
   * Scans a file with a pause after each part.
   * @throws JsonSyntaxError when it is not JSON, and the errors of the file system
   */
  static *scan(path: string, pattern: JsonPattern): Generator<void, JsonFile, void> {
    const descriptor = openSync(path, 'r')
    try {
      const version = versionOf(descriptor)
      const scanner = new JsonScanner(pattern)
      const chunk = Buffer.allocUnsafe(Math.min(version.size + 1, CHUNK_BYTES))
      let position = 0
      for (;;) {
        const count = readSync(descriptor, chunk, 0, chunk.length, position)
        if (count === 0) break
        position += count
        scanner.write(chunk.subarray(0, count))
        if (position >= CHUNK_BYTES) yield
      }
      const content = position < chunk.length ? chunk.subarray(0, position) : undefined
      return new JsonFile({ path, version }, scanner.end(), content)
    } finally {
      closeSync(descriptor)
    }
  }

  /** Scans a file without a pause. @throws JsonSyntaxError, and the errors of the file system */
  static read(path: string, pattern: JsonPattern): JsonFile {
    const scan = JsonFile.scan(path, pattern)
    for (;;) {
      const step = scan.next()
      if (step.done === true) return step.value
    }
  }

  /** The whole content. */
  get root(): JsonValue {
    return new JsonValue(this, this.#root)
  }

  /** Forgets the text. Later values are read from the disk. */
  release(): void {
    this.#content = undefined
  }

  /** The bytes at a place; absent if the file has changed. */
  bytes({ start, end }: JsonPlace): Uint8Array | undefined {
    if (this.#content !== undefined) return this.#content.subarray(start, end)
    try {
      return this.#fromDisk(start, end)
    } catch {
      return undefined
    }
  }

  #fromDisk(start: number, end: number): Uint8Array | undefined {
    const descriptor = openSync(this.path, 'r')
    try {
      const { modifiedAtMs, size } = versionOf(descriptor)
      if (modifiedAtMs !== this.version.modifiedAtMs || size !== this.version.size) return undefined
      const bytes = Buffer.allocUnsafeSlow(end - start)
      return readSync(descriptor, bytes, 0, bytes.length, start) === bytes.length ? bytes : undefined
    } finally {
      closeSync(descriptor)
    }
  }
}

function versionOf(descriptor: number): FileVersion {
  const { mtimeMs, size } = fstatSync(descriptor)
  return { modifiedAtMs: mtimeMs, size }
}
