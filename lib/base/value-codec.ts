/**
 * Encodes plain values, such as blocks, as latin1 texts, because V8 needs 16 bytes for such a text besides its content, and
 * 200 bytes for a byte array. Decoded values equal the original ones; only EMPTY_BYTES and the constants are the same
 * objects.
 */

import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { present } from './invariant.ts'
import { TAG } from './value-tags.ts'

/** Names of the members of an object, in order. */
type MemberList = readonly string[]

/** Minimum length of a text that is written once. Where it occurs again, its number is written. */
const MIN_KNOWN = 18

/** Encodes and decodes values of undefined, null, booleans, numbers, bigints, texts, byte arrays, arrays and plain objects. */
export class ValueCodec {
  readonly #constants: readonly unknown[]
  readonly #constantNumbers: ReadonlyMap<unknown, number>
  /**
   * Lists of member names of the objects so far. Their number is bounded, because the names come from the code, not from
   * clients.
   */
  readonly #memberLists: MemberList[] = []
  readonly #writer = new ByteWriter()

  /** `constants` are frequent texts and objects, each of which is written as two bytes. */
  constructor(constants: readonly unknown[] = []) {
    this.#constants = constants
    this.#constantNumbers = new Map(constants.map((value, index) => [value, index]))
  }

  /** Encodes a value. `known` are texts that the caller of `decode` will pass too; they are written as numbers. */
  encode(value: unknown, known: readonly string[] = []): string {
    this.#writer.begin()
    const numbers = new Map<string, number>()
    for (const text of new Set(known)) numbers.set(text, numbers.size)
    this.#write(value, numbers)
    return this.#writer.text()
  }

  /** Decodes the value that begins at an index of a text. `known` are those that were passed to `encode`. */
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
      this.#writer.tagged(TAG.object, this.#memberListNumber(Object.keys(value)))
      for (const member of Object.values(value)) this.#write(member, known)
    }
  }

  /** Number of the list of these member names. */
  #memberListNumber(names: MemberList): number {
    const isSame = (list: MemberList): boolean =>
      list.length === names.length && list.every((name, index) => name === names[index])
    const number = this.#memberLists.findIndex(isSame)
    return number < 0 ? this.#memberLists.push(names) - 1 : number
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
    for (const name of present(this.#memberLists[reader.length()], 'member list'))
      value[name] = this.#read(reader, known)
    return value
  }
}

function readText(tag: number, reader: ByteReader, known: string[]): string {
  const text = tag === TAG.hex ? reader.hex() : tag === TAG.sparseHex ? reader.sparseHex() : reader.utf8()
  if (text.length >= MIN_KNOWN) known.push(text)
  return text
}
