/** Finds the places of values in JSON text of any length, without parsing the values and without keeping the text. */

/** The values to find: members of objects by name, `*` for names that are not listed, and true for a whole value. */
export interface JsonPattern {
  readonly [member: string]: JsonPattern | true
}

/** The place of a value in a text, in bytes, and those of its members if the pattern names members. */
export interface JsonPlace {
  readonly start: number
  readonly end: number
  readonly members: ReadonlyMap<string, JsonPlace> | undefined
}

/** Error for text that is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
}

/** An object whose members are searched. */
interface OpenObject {
  readonly start: number
  readonly pattern: JsonPattern
  readonly members: Map<string, JsonPlace>
  /** Name of the current member. */
  name: string
}

/** A value that is passed over; its place is kept if it is wanted. */
interface OpenValue {
  readonly start: number
  readonly isWanted: boolean
  /** Objects and arrays that are open inside it. */
  depth: number
}

/** Reads from a position of the current chunk and returns the position of the first byte that it has not read. */
type ScanStep = (chunk: Buffer, at: number) => number

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The byte order mark of UTF-8 is passed over like white space. */
const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte >= 0xbb

/** Reads a text in chunks. Text inside of values that are passed over is not checked. */
export class JsonScanner {
  readonly #objects: OpenObject[] = []
  /** The step inside of a token; absent between tokens. */
  #step: ScanStep | undefined
  #expected: 'value' | 'name' | 'colon' | 'end' = 'value'
  /** Position of the current chunk in the text. */
  #offset = 0
  /** The pattern of the next value; absent if it is not wanted. */
  #pattern: JsonPattern | true | undefined
  #value: OpenValue = { start: 0, isWanted: false, depth: 0 }
  #isEscaped = false
  #name: Uint8Array[] = []
  #root: JsonPlace | undefined

  constructor(pattern: JsonPattern) {
    this.#pattern = pattern
  }

  /** Reads the next part of the text. The chunk can be changed afterwards. @throws JsonSyntaxError */
  write(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      const byte = chunk[at] ?? 0
      if (this.#step !== undefined) at = this.#step(chunk, at)
      else if (isBlank(byte)) at++
      else at = this.#begin(byte, at)
    }
    this.#offset += chunk.length
  }

  /** The place of the whole value, after the last chunk. @throws JsonSyntaxError when the text ends too early */
  end(): JsonPlace {
    if (this.#step === this.#inScalar && this.#objects.length === 0) this.#close(0)
    if (this.#root !== undefined) return this.#root
    if (this.#offset === 0) throw new JsonSyntaxError('it is empty')
    throw new JsonSyntaxError(`it ends after ${this.#offset} bytes in the middle of a value`)
  }

  /** Reads the first byte of a token, which determines the next step. */
  #begin(byte: number, at: number): number {
    const object = this.#objects.at(-1)
    if (this.#expected === 'value') return this.#beginValue(byte, at)
    if (object === undefined) throw this.#unexpected(byte, at)
    if (this.#expected === 'colon' && byte === COLON) this.#expectValue(object)
    else if (this.#expected === 'end' && byte === COMMA) this.#expected = 'name'
    else if (this.#expected === 'name' && byte === QUOTE) {
      this.#name = []
      this.#step = this.#inName
    } else if (this.#expected !== 'colon' && byte === CLOSE_OBJECT) this.#closeObject(object, at + 1)
    else throw this.#unexpected(byte, at)
    return at + 1
  }

  #expectValue(object: OpenObject): void {
    object.name = textOfName(Buffer.concat(this.#name).toString('utf8'))
    this.#pattern = memberOf(object.pattern, object.name)
    this.#expected = 'value'
  }

  #beginValue(byte: number, at: number): number {
    const start = this.#offset + at
    if (byte === OPEN_OBJECT && typeof this.#pattern === 'object') {
      this.#objects.push({ start, pattern: this.#pattern, members: new Map(), name: '' })
      this.#expected = 'name'
      return at + 1
    }
    const isNested = byte === OPEN_OBJECT || byte === OPEN_LIST
    if (!isNested && byte !== QUOTE && !isScalar(byte)) throw this.#unexpected(byte, at)
    this.#value = { start, isWanted: this.#pattern !== undefined, depth: isNested ? 1 : 0 }
    this.#step = isNested ? this.#inNested : byte === QUOTE ? this.#inString : this.#inScalar
    return at + 1
  }

  /** Inside of an object or array that is passed over. Most of the bytes of a file are read here. */
  readonly #inNested: ScanStep = (chunk, at) => {
    let { depth } = this.#value
    for (let position = at; position < chunk.length; position++) {
      const byte = chunk[position]
      if (byte === QUOTE) {
        position = endOfString(chunk, position + 1)
        if (position < chunk.length) continue
        this.#isEscaped = endsWithEscape(chunk, 0, chunk.length)
        this.#step = this.#inString
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0)
        return this.#close(position + 1)
    }
    this.#value.depth = depth
    return chunk.length
  }

  readonly #inString: ScanStep = (chunk, at) => {
    const end = this.#endOfString(chunk, at)
    if (end >= chunk.length) return chunk.length
    if (this.#value.depth === 0) return this.#close(end + 1)
    this.#step = this.#inNested
    return end + 1
  }

  readonly #inScalar: ScanStep = (chunk, at) => {
    let position = at
    while (position < chunk.length && isScalar(chunk[position] ?? 0)) position++
    return position === chunk.length ? position : this.#close(position)
  }

  readonly #inName: ScanStep = (chunk, at) => {
    const end = this.#endOfString(chunk, at)
    this.#name.push(Buffer.from(chunk.subarray(at, end)))
    if (end >= chunk.length) return chunk.length
    this.#step = undefined
    this.#expected = 'colon'
    return end + 1
  }

  /** Position of the quotation mark that ends the string; the length of the chunk or more if it is in a later one. */
  #endOfString(chunk: Buffer, at: number): number {
    const from = this.#isEscaped ? at + 1 : at
    const end = endOfString(chunk, from)
    this.#isEscaped = end >= chunk.length && endsWithEscape(chunk, from, chunk.length)
    return end
  }

  /** Ends the value that is passed over, and returns its end in the chunk. */
  #close(at: number): number {
    const { start, isWanted } = this.#value
    if (isWanted) this.#keep({ start, end: this.#offset + at, members: undefined })
    this.#step = undefined
    this.#expected = 'end'
    return at
  }

  #closeObject({ start, members }: OpenObject, at: number): void {
    this.#objects.pop()
    this.#keep({ start, end: this.#offset + at, members })
    this.#expected = 'end'
  }

  #keep(place: JsonPlace): void {
    const parent = this.#objects.at(-1)
    if (parent === undefined) this.#root = place
    else parent.members.set(parent.name, place)
  }

  #unexpected(byte: number, at: number): JsonSyntaxError {
    const shown = JSON.stringify(String.fromCharCode(byte))
    return new JsonSyntaxError(`it has ${shown} at byte ${this.#offset + at}, which is not JSON`)
  }
}

/** Bytes of a string that are read one by one, because a search takes longer to begin. */
const SHORT_STRING = 16

/** Position of the quotation mark that ends a string; the length of the chunk or more without one. */
function endOfString(chunk: Buffer, from: number): number {
  let position = from
  while (position < chunk.length) {
    const searchAt = Math.min(position + SHORT_STRING, chunk.length)
    for (; position < searchAt; position++) {
      const byte = chunk[position]
      if (byte === BACKSLASH) position++
      else if (byte === QUOTE) return position
    }
    const quote = chunk.indexOf(QUOTE, position)
    if (quote === -1) break
    if (!endsWithEscape(chunk, position, quote)) return quote
    position = quote + 1
  }
  return Math.max(position, chunk.length)
}

/** Whether the byte after a part of a string is escaped: the part ends with an odd number of backslashes. */
function endsWithEscape(chunk: Uint8Array, start: number, end: number): boolean {
  let count = 0
  while (end - count > start && chunk[end - 1 - count] === BACKSLASH) count++
  return count % 2 === 1
}

/** Whether a byte can be in a number, true, false or null. */
const isScalar = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45

function textOfName(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch (cause) {
    throw new JsonSyntaxError(`it has the name "${raw}", which is not JSON`, { cause })
  }
}

const memberOf = (pattern: JsonPattern, name: string): JsonPattern | true | undefined =>
  Object.hasOwn(pattern, name) ? pattern[name] : pattern['*']
