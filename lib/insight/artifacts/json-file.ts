/** JSON files, which are parsed when their values are needed. Build infos have megabytes, so that no content is kept for long. */

import { readFileSync, statSync } from 'node:fs'

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

/** An opened file. */
export class JsonFile {
  readonly path: string
  readonly version: FileVersion
  /** The whole content. */
  readonly root = new JsonValue(() => this.#content())
  /** The content as long as the engine keeps it: at least until the current turn of the event loop ends. */
  #parsed: WeakRef<{ readonly content: unknown }>

  /** @throws SyntaxError when it is not JSON, and the errors of the file system */
  constructor(path: string) {
    this.path = path
    this.version = versionOf(path)
    this.#parsed = new WeakRef(parse(path))
  }

  #content(): unknown {
    const known = this.#parsed.deref()
    if (known !== undefined) return known.content
    try {
      if (!isSameVersion(this.version, versionOf(this.path))) return undefined
      const parsed = parse(this.path)
      this.#parsed = new WeakRef(parsed)
      return parsed.content
    } catch {
      return undefined
    }
  }
}

/** Parses a file, also one with the byte order mark of UTF-8. */
const parse = (path: string): { readonly content: unknown } => ({
  content: JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')),
})

function versionOf(path: string): FileVersion {
  const { mtimeMs, size } = statSync(path)
  return { modifiedAtMs: mtimeMs, size }
}
