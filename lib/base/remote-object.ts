/** Reads members of JSON objects that a remote node returned. They are untrusted: a wrong member is an error that names it. */

import { NodeError } from './errors.ts'
import { asAddress, asHash, fromHex, isHexData } from './hex.ts'
import type { Address, Hash } from './hex.ts'
import { MAX_UINT64 } from './limits.ts'

/** The form of a value in JSON: a phrase for errors, and a function that reads the value, or nothing if it has another form. */
export interface JsonForm<T> {
  readonly expected: string
  readonly read: (value: unknown) => T | undefined
}

/** A form of text. */
function textForm<T>(
  expected: string,
  pattern: RegExp,
  convert: (text: string) => T | undefined,
): JsonForm<T> {
  const read = (value: unknown) =>
    typeof value === 'string' && pattern.test(value) ? convert(value) : undefined
  return { expected, read }
}

/** QUANTITY of up to 256 bits. Leading zeros are accepted: some nodes write them. */
export const QUANTITY: JsonForm<bigint> = textForm('a quantity', /^0x[0-9a-fA-F]{1,64}$/, BigInt)

/** QUANTITY of up to 64 bits: numbers of blocks, times, gas, nonces. */
export const QUANTITY_64: JsonForm<bigint> = textForm(
  'a quantity of up to 64 bits',
  /^0x[0-9a-fA-F]{1,64}$/,
  (text) => (BigInt(text) <= MAX_UINT64 ? BigInt(text) : undefined),
)

/** An index, a count, or a number of bytes. */
export const INDEX: JsonForm<number> = textForm('an index', /^0x0*[0-9a-fA-F]{1,8}$/, Number)

/** Type of a transaction (EIP-2718). */
export const TYPE: JsonForm<number> = textForm('a type of one byte', /^0x0*[0-9a-fA-F]{1,2}$/, Number)

/** DATA of 20 bytes. */
export const ADDRESS: JsonForm<Address> = textForm('an address', /^0x[0-9a-fA-F]{40}$/, asAddress)

/** DATA of 32 bytes. */
export const HASH: JsonForm<Hash> = textForm('a 32-byte hash', /^0x[0-9a-fA-F]{64}$/, asHash)

/** DATA of any length. */
export const DATA: JsonForm<Uint8Array> = {
  expected: 'hex data',
  read: (value) => (typeof value === 'string' && isHexData(value) ? fromHex(value) : undefined),
}

/** DATA of eight bytes; shorter texts get leading zeros. */
export const NONCE: JsonForm<Uint8Array> = textForm('8 bytes', /^0x[0-9a-fA-F]{0,16}$/, (text) =>
  fromHex(`0x${text.slice(2).padStart(16, '0')}`),
)

/** A list of any values. */
export const LIST: JsonForm<readonly unknown[]> = {
  expected: 'a list',
  read: (value) => (Array.isArray(value) ? value : undefined),
}

/** A number of JSON that is a whole number of at most 16 bits. */
export const NUMBER_16: JsonForm<number> = {
  expected: 'a number of up to 16 bits',
  read: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 16 ? value : undefined,
}

type JsonMembers = Readonly<Record<string, unknown>>

const OBJECT: JsonForm<JsonMembers> = {
  expected: 'an object',
  read: (value) => (isObject(value) ? value : undefined),
}

const isObject = (value: unknown): value is JsonMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A complete result of a remote node; the subject names it in errors. @throws NodeError 'remoteFailed' */
export function readRemote<T>(value: unknown, subject: string, form: JsonForm<T>): T {
  const read = form.read(value)
  if (read !== undefined) return read
  throw new NodeError(
    'remoteFailed',
    `the remote's ${subject}: expected ${form.expected}, got ${shown(value)}`,
  )
}

/** Other names of members, by their names in our schemas (config/names.ts, memberNames). */
export type OtherNames = ReadonlyMap<string, string>

const NO_OTHER_NAMES: OtherNames = new Map()

/** A JSON object of a remote node. */
export class RemoteObject {
  readonly #members: JsonMembers
  /** What the remote returned, for errors: `block 12`. */
  readonly #subject: string
  readonly #path: string
  readonly #otherNames: OtherNames

  private constructor(members: JsonMembers, subject: string, path: string, otherNames: OtherNames) {
    this.#members = members
    this.#subject = subject
    this.#path = path
    this.#otherNames = otherNames
  }

  /** @throws NodeError 'remoteFailed' if the value is not an object */
  static of(value: unknown, subject: string, otherNames: OtherNames = NO_OTHER_NAMES): RemoteObject {
    return new RemoteObject(readRemote(value, subject, OBJECT), subject, '', otherNames)
  }

  /** The same object with another subject for errors. */
  about(subject: string): RemoteObject {
    return new RemoteObject(this.#members, subject, this.#path, this.#otherNames)
  }

  /** Whether a member is there and not null. */
  has(name: string): boolean {
    const value = this.#value(name)
    return value !== undefined && value !== null
  }

  /** What the group of a pattern matches in the name of a member. */
  nameLike(pattern: RegExp): string | undefined {
    for (const name in this.#members) {
      const found = pattern.exec(name)?.[1]
      if (found !== undefined) return found
    }
    return undefined
  }

  /** A member that must be there. @throws NodeError 'remoteFailed' */
  get<T>(name: string, form: JsonForm<T>): T {
    return this.#read(name, this.#value(name), form)
  }

  /** A member that may be absent or null. @throws NodeError 'remoteFailed' */
  find<T>(name: string, form: JsonForm<T>): T | undefined {
    return this.has(name) ? this.get(name, form) : undefined
  }

  /** The items of a list. @throws NodeError 'remoteFailed' */
  list<T>(name: string, form: JsonForm<T>): readonly T[] {
    const items = this.get(name, LIST)
    return items.map((item, index) => this.#read(`${name}[${index}]`, item, form))
  }

  /** The items of a list of objects. @throws NodeError 'remoteFailed' */
  objects(name: string): readonly RemoteObject[] {
    const items = this.list(name, OBJECT)
    return items.map(
      (item, index) =>
        new RemoteObject(item, this.#subject, `${this.#path}${name}[${index}].`, this.#otherNames),
    )
  }

  #read<T>(name: string, value: unknown, form: JsonForm<T>): T {
    const read = form.read(value)
    if (read !== undefined) return read
    throw new NodeError(
      'remoteFailed',
      `the remote's ${this.#subject}: expected "${this.#path}${name}" to be ${form.expected}, got ${shown(value)}`,
    )
  }

  #value(name: string): unknown {
    const value = this.#members[name]
    if (value !== undefined) return value
    const other = this.#otherNames.get(name)
    return other === undefined ? undefined : this.#members[other]
  }
}

/** Characters of a value that an error shows. */
const MAX_SHOWN_VALUE = 80

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length <= MAX_SHOWN_VALUE ? text : `${text.slice(0, MAX_SHOWN_VALUE)}...`
}
