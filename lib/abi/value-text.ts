/** Values of the contract ABI as people write them: how each type of a signature is read from encoded data. */

import type { Address } from '../base/hex.ts'
import { toHex } from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { AbiError, WORD } from './reader.ts'
import type { AbiReader } from './reader.ts'
import { address, bool, bytes, signed, unsigned } from './types.ts'

/** A type whose values can be read as text. */
export interface TextType {
  /** As it stands in a signature. */
  readonly name: string
  /** Whether an offset stands in its place, and the value elsewhere. */
  readonly isDynamic: boolean
  /** @throws AbiError */
  readonly read: (reader: AbiReader, budget: Budget) => string
}

/** How many more words and values are read: offsets that point to one place many times would have no end. */
interface Budget {
  left: number
}

/** Most words and values of one decoding. */
const MOST_READ = 20_000

/** The values as texts. What follows them is ignored. @throws AbiError when the data does not encode the types */
export function readTexts(types: readonly TextType[], reader: AbiReader): readonly string[] {
  return readAll(types, reader, { left: MOST_READ })
}

function readAll(types: Iterable<TextType>, reader: AbiReader, budget: Budget): string[] {
  const texts: string[] = []
  for (const type of types) {
    spend(budget, 1)
    texts.push(type.read(type.isDynamic ? reader.follow() : reader, budget))
  }
  return texts
}

function spend(budget: Budget, amount: number): void {
  budget.left -= amount
  if (budget.left < 0) throw new AbiError(`more than ${MOST_READ} words and values`)
}

function content(reader: AbiReader, budget: Budget): Uint8Array {
  const found = bytes.decode(reader)
  spend(budget, found.length / WORD)
  return found
}

const NUMBER = /^(u?)int(\d*)$/
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[0-2])$/

/** An elementary type by its name; absent for what is none. A string is read without quotation marks. */
export function elementary(name: string): TextType | undefined {
  const number = NUMBER.exec(name)
  if (number !== null) return numberType(name, number[1] === '', Number(number[2] || '256'))
  const fixed = FIXED_BYTES.exec(name)
  if (fixed !== null) return fixedBytes(name, Number(fixed[1]))
  return SIMPLE.get(name)
}

function numberType(name: string, isSigned: boolean, bits: number): TextType | undefined {
  if (bits === 0 || bits > 256 || bits % 8 !== 0) return undefined
  const type = isSigned ? signed(bits) : unsigned(bits)
  return { name, isDynamic: false, read: (reader) => type.decode(reader).toString() }
}

const fixedBytes = (name: string, length: number): TextType => ({
  name,
  isDynamic: false,
  read: (reader) => toHex(reader.word().subarray(0, length)),
})

const SIMPLE: ReadonlyMap<string, TextType> = new Map(
  [
    { name: 'bool', isDynamic: false, read: (reader: AbiReader) => String(bool.decode(reader)) },
    { name: 'address', isDynamic: false, read: (reader: AbiReader) => checksummed(address.decode(reader)) },
    // An address and a selector.
    fixedBytes('function', 24),
    {
      name: 'bytes',
      isDynamic: true,
      read: (reader: AbiReader, budget: Budget) => toHex(content(reader, budget)),
    },
    // What is no UTF-8 is shown all the same, with U+FFFD in its place.
    {
      name: 'string',
      isDynamic: true,
      read: (reader: AbiReader, budget: Budget) => new TextDecoder().decode(content(reader, budget)),
    },
  ].map((type) => [type.name, type]),
)

/** The address with capital letters that tell typing mistakes (EIP-55), as other tools print it. */
function checksummed(plain: Address): string {
  const digits = plain.slice(2)
  const hash = toHex(keccak256(new TextEncoder().encode(digits))).slice(2)
  const isCapital = (index: number): boolean => Number.parseInt(hash.charAt(index), 16) >= 8
  return `0x${digits.replace(/[a-f]/g, (digit, index: number) => (isCapital(index) ? digit.toUpperCase() : digit))}`
}

/** The same strings between quotation marks, so that they stand apart from what is around them. */
export const quoted = (type: TextType): TextType =>
  type.name === 'string' ? { ...type, read: (reader, budget) => `"${type.read(reader, budget)}"` } : type

/** A list, of fixed length where one is given. */
export function listOf(item: TextType, length?: number): TextType {
  const isDynamic = length === undefined || (item.isDynamic && length > 0)
  return {
    name: `${item.name}[${length ?? ''}]`,
    isDynamic,
    read: (reader, budget) => {
      const count = length ?? reader.count()
      const items = readAll(repeated(item, count), isDynamic ? reader.here() : reader, budget)
      return `[${items.join(', ')}]`
    },
  }
}

function* repeated(item: TextType, count: number): Iterable<TextType> {
  for (let index = 0; index < count; index++) yield item
}

/** Values of different types in a row. */
export function tupleOf(members: readonly TextType[]): TextType {
  const isDynamic = members.some((member) => member.isDynamic)
  return {
    name: `(${members.map(({ name }) => name).join(',')})`,
    isDynamic,
    read: (reader, budget) => `(${readAll(members, isDynamic ? reader.here() : reader, budget).join(', ')})`,
  }
}

/** Bytes of a selector. */
export const SELECTOR_LENGTH = 4

/** The first four bytes of the hash of a signature, as hex. */
export function selectorOf(name: string, types: readonly { readonly name: string }[]): string {
  const signature = `${name}(${types.map((type) => type.name).join(',')})`
  return toHex(keccak256(new TextEncoder().encode(signature)).subarray(0, SELECTOR_LENGTH))
}
