/**
 * Encodes plain values, such as blocks, as latin1 texts. V8 adds 16 bytes to such a text, and 200 to a byte array. Decoded values equal the original ones; only EMPTY_BYTES and the constants are the same objects.
 */

import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { present } from './invariant.ts'
import { TAG } from './value-tags.ts'

/** Names of the members of an object, in order. */
type MemberList = readonly string[]

/** Minimum characters of a text that is written once and then referred to by its number. */
const MIN_KNOWN = 18

/** Encodes and decodes values of undefined, null, booleans, numbers, bigints, texts, byte arrays, arrays and plain objects. */
export class ValueCodec {
  readonly #constants: readonly unknown[]
  readonly #constantNumbers: ReadonlyMap<unknown, number>
  /** Shapes of the objects so far. Their number is bounded, because code chooses the names of members. */
  readonly #shapes: MemberList[] = []
  readonly #writer = new ByteWriter()

  /** `constants` are frequent texts and objects, which take two bytes. */
  constructor(constants: readonly unknown[] = []) {
    this.#constants = constants
    this.#constantNumbers = new Map(constants.map((value, index) => [value, index]))
  }

  /** Encodes a value. `known` are texts that the reader will know. */
  encode(value: unknown, known: readonly string[] = []): string {
    this.#writer.begin()
    const numbers = new Map<string, number>()
    for (const text of new Set(known)) numbers.set(text, numbers.size)
    this.#write(value, numbers)
    return this.#writer.text()
  }

  /** Decodes the value that begins at an index of a text. `known` are the texts that the writer knew. */
  decode(text: string, known: readonly string[] = [], start = 0): unknown {
    return this.#read(new ByteReader(text, start), [...new Set(known)])
  }

  #write(value: unknown, known: Map<string, number>): void {
    if (typeof value === 'bigint') this.#writer.bigint(value)
    else if (typeof value === 'number') this.#writer.number(value)
    else if (typeof value === 'string') this.#writeText(value, known)
    else if (typeof value === 'object' && value !== null) this.#writeObject(value, known)
    else if (value === undefined) this.#writer.byte(TAG.undefined)
    else this.#writer.byte(value === null ? TAG.null : value === true ? TAG.true : TAG.false)
  }

  #writeText(text: string, known: Map<string, number>): void {
    const constant = this.#constantNumbers.get(text)
    const before = known.get(text)
    if (constant !== undefined) this.#writer.tagged(TAG.constant, constant)
    else if (before !== undefined) this.#writer.tagged(TAG.known, before)
    else {
      this.#writer.string(text)
      if (text.length >= MIN_KNOWN) known.set(text, known.size)
    }
  }

  #writeObject(value: object, known: Map<string, number>): void {
    const constant = this.#constantNumbers.get(value)
    if (constant !== undefined) this.#writer.tagged(TAG.constant, constant)
    else if (value instanceof Uint8Array) this.#writer.bytes(value)
    else if (Array.isArray(value)) {
      this.#writer.tagged(TAG.array, value.length)
      for (const item of value) this.#write(item, known)
    } else {
      this.#writer.tagged(TAG.object, this.#shapeOf(Object.keys(value)))
      for (const member of Object.values(value)) this.#write(member, known)
    }
  }

  /** Number of the shape with these names. */
  #shapeOf(names: MemberList): number {
    const isSame = (shape: MemberList): boolean =>
      shape.length === names.length && shape.every((name, index) => name === names[index])
    const number = this.#shapes.findIndex(isSame)
    return number < 0 ? this.#shapes.push(names) - 1 : number
  }

  #read(reader: ByteReader, known: string[]): unknown {
    const tag = reader.byte()
    if (tag >= TAG.smallInteger) return tag - TAG.smallInteger
    if (tag >= TAG.bigint) return reader.bigint(tag - TAG.bigint)
    switch (tag) {
      case TAG.undefined:
        return undefined
      case TAG.null:
        return null
      case TAG.false:
      case TAG.true:
        return tag === TAG.true
      case TAG.integer:
        return reader.length()
      case TAG.double:
        return reader.double()
      case TAG.bigintText:
        return BigInt(reader.utf8())
      case TAG.bytes:
        return reader.bytes()
      case TAG.sparseBytes:
        return reader.sparseBytes()
      case TAG.array:
        return Array.from({ length: reader.length() }, () => this.#read(reader, known))
      case TAG.object:
        return this.#readObject(reader, known)
      case TAG.known:
        return present(known[reader.length()], 'known text')
      case TAG.constant:
        return this.#constants[reader.length()]
      default:
        return readText(tag, reader, known)
    }
  }

  #readObject(reader: ByteReader, known: string[]): Readonly<Record<string, unknown>> {
    const value: Record<string, unknown> = {}
    for (const name of present(this.#shapes[reader.length()], 'shape'))
      value[name] = this.#read(reader, known)
    return value
  }
}

function readText(tag: number, reader: ByteReader, known: string[]): string {
  const text = tag === TAG.hex ? reader.hex() : tag === TAG.sparseHex ? reader.sparseHex() : reader.utf8()
  if (text.length >= MIN_KNOWN) known.push(text)
  return text
}
