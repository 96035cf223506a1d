/** Signatures of messages (EIP-191), and the hash of typed structured data for signing (EIP-712). */

import { invalidParams, type NodeError } from '../base/errors.ts'
import { getOrAdd } from '../base/once.ts'
import { bigIntToBytes32, padTo32, readHex, toHex, type Address, type Hex } from '../base/hex.ts'
import { isJsonObject } from '../base/json-text.ts'
import { shortJson, shorten } from '../base/shorten.ts'
import { recoverAddress } from '../crypto/address.ts'
import { asRecovery } from '../crypto/curve.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { curve } from '../crypto/secp256k1.ts'

export interface TypedMember {
  readonly name: string
  readonly type: string
}

type Members = Readonly<Record<string, unknown>>

export interface TypedData {
  /** Members of structs by name; `EIP712Domain` may be missing. */
  readonly types: ReadonlyMap<string, readonly TypedMember[]>
  readonly primaryType: string
  readonly domain: Members
  readonly message: Members
}

const DOMAIN = 'EIP712Domain'

/** Members a domain may have, in their order (EIP-712, "Definition of domainSeparator"). */
const DOMAIN_MEMBERS: readonly TypedMember[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

const MAX_DEPTH = 100

/**
 * The hash to sign. A message whose type is the domain itself is not hashed a second time (as in eth-sig-util).
 * @throws NodeError 'invalidParams' naming the member of `typedData` that is wrong
 */
export function hashTypedData({ types, primaryType, domain, message }: TypedData): Uint8Array {
  const known = types.has(DOMAIN) ? types : new Map([...types, [DOMAIN, domainMembers(domain)]])
  const encoder = new Encoder(known)
  const parts = [Uint8Array.of(0x19, 0x01), encoder.hashStruct(DOMAIN, domain, 'typedData.domain')]
  if (primaryType !== DOMAIN) parts.push(encoder.hashStruct(primaryType, message, 'typedData.message'))
  return keccak256(Buffer.concat(parts))
}

/** The domain's type if the client omits it: the standard members that the domain has. */
function domainMembers(domain: Members): readonly TypedMember[] {
  const unusual = Object.keys(domain).find((key) => !DOMAIN_MEMBERS.some(({ name }) => name === key))
  if (unusual === undefined)
    return DOMAIN_MEMBERS.filter(({ name }) => (memberOf(domain, name) ?? undefined) !== undefined)
  const usual = DOMAIN_MEMBERS.map(({ name }) => name).join(', ')
  throw invalidParams(
    `${shorten(`typedData.domain.${unusual}`)}: expected one of ${usual}, or a type ${DOMAIN}`,
  )
}

class Encoder {
  readonly #types: ReadonlyMap<string, readonly TypedMember[]>
  readonly #typeHashes = new Map<string, Uint8Array>()

  constructor(types: ReadonlyMap<string, readonly TypedMember[]>) {
    this.#types = types
    checkTypes(types)
  }

  hashStruct(type: string, value: unknown, path: string, depth = 0): Uint8Array {
    const members = this.#types.get(type)
    if (members === undefined) throw unknownType(type, 'typedData.primaryType')
    if (!isJsonObject(value)) throw mismatch(path, `an object of type ${shorten(type)}`, value)
    const words = members.map(({ name, type: memberType }) =>
      this.#word(memberType, memberOf(value, name), `${path}.${name}`, depth + 1),
    )
    return keccak256(Buffer.concat([this.#typeHash(type), ...words]))
  }

  #word(type: string, value: unknown, path: string, depth: number): Uint8Array {
    if (depth > MAX_DEPTH) {
      throw invalidParams(`${shorten(path)}: nested deeper than ${MAX_DEPTH} levels`)
    }
    if (type.endsWith(']')) return this.#arrayWord(type, value, path, depth)
    if (this.#types.has(type)) {
      // Null ends the recursion of a struct that refers to itself (eth-sig-util, V4).
      return value === null || value === undefined
        ? new Uint8Array(32)
        : this.hashStruct(type, value, path, depth)
    }
    const known = elementary(type)
    if (known === undefined) throw unknownType(type, path)
    const word = known.wordOf(value)
    if (word === undefined) throw mismatch(path, known.expected, value)
    return word
  }

  #arrayWord(type: string, value: unknown, path: string, depth: number): Uint8Array {
    const { element, length } = arrayOf(type)
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
      throw mismatch(path, length === undefined ? 'an array' : `an array of ${length}`, value)
    }
    const words = value.map((item: unknown, index) =>
      this.#word(element, item, `${path}[${index}]`, depth + 1),
    )
    return keccak256(Buffer.concat(words))
  }

  #typeHash(type: string): Uint8Array {
    return getOrAdd(this.#typeHashes, type, () => hashOfText(encodeType(type, this.#types)))
  }
}

/** A struct as text, then every struct it refers to in the order of their names (EIP-712, "encodeType"). */
export function encodeType(type: string, types: ReadonlyMap<string, readonly TypedMember[]>): string {
  const names = new Set([type])
  // The loop also visits names that are added during iteration.
  for (const name of names) {
    for (const member of types.get(name) ?? []) {
      const base = baseOf(member.type)
      if (types.has(base)) names.add(base)
    }
  }
  const others = [...names].filter((name) => name !== type).sort()
  return [type, ...others].map((name) => `${name}(${signatureOf(types.get(name) ?? [])})`).join('')
}

const signatureOf = (members: readonly TypedMember[]): string =>
  members.map(({ name, type }) => `${type} ${name}`).join(',')

function baseOf(type: string): string {
  const bracket = type.indexOf('[')
  return bracket < 0 ? type : type.slice(0, bracket)
}

function arrayOf(type: string): { readonly element: string; readonly length: number | undefined } {
  const bracket = type.lastIndexOf('[')
  const count = type.slice(bracket + 1, -1)
  return { element: type.slice(0, bracket), length: count === '' ? undefined : Number(count) }
}

/** Checks the names of structs and members, that no struct has the name of an elementary type, and that all types exist. */
function checkTypes(types: ReadonlyMap<string, readonly TypedMember[]>): void {
  for (const [name, members] of types) {
    if (!isName(name) || elementary(name) !== undefined) {
      throw mismatch('typedData.types', 'names of structs', name)
    }
    const path = `typedData.types.${name}`
    const names = new Set<string>()
    for (const member of members) {
      if (!isName(member.name) || names.has(member.name)) {
        throw mismatch(path, 'members with names of their own', member.name)
      }
      names.add(member.name)
      checkType(member.type, types, path)
    }
  }
}

/** Whether a name has none of the punctuation that types use. */
const isName = (text: string): boolean => /^[^\s()[\],]+$/.test(text)

function checkType(type: string, types: ReadonlyMap<string, unknown>, path: string): void {
  const base = baseOf(type)
  if (!/^(\[\d{0,9}\])*$/.test(type.slice(base.length))) throw unknownType(type, path)
  if (!types.has(base) && elementary(base) === undefined) throw unknownType(type, path)
}

function unknownType(type: string, path: string): NodeError {
  const hint = /^u?int(\[|$)/.test(type) ? ' (EIP-712 has no aliases: say uint256 or int256)' : ''
  return mismatch(path, `a type that is defined${hint}`, type)
}

/** An own member of the client's object, never an inherited one. */
const memberOf = (value: Members, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const mismatch = (path: string, expected: string, value: unknown): NodeError =>
  invalidParams(`${shorten(path)}: expected ${expected}, got ${shortJson(value)}`)

/** A type whose values are encoded as words of 32 bytes; `expected` describes a value in errors. */
interface Elementary {
  readonly expected: string
  /** Returns undefined for a value of another type. */
  readonly wordOf: (value: unknown) => Uint8Array | undefined
}

/** The elementary type of a name; undefined for other types. */
function elementary(type: string): Elementary | undefined {
  if (type === 'address') return { expected: 'an address', wordOf: (value) => hexWord(value, padTo32, 20) }
  if (type === 'bool') return { expected: 'true or false', wordOf: boolWord }
  if (type === 'string') return { expected: 'text', wordOf: textWord }
  if (type === 'bytes')
    return {
      expected: 'bytes as 0x and an even number of hex digits',
      wordOf: (value) => hexWord(value, keccak256),
    }
  const [, length, sign, bits] = /^(?:bytes([1-9]\d?)|(u?)int([1-9]\d{0,2}))$/.exec(type) ?? []
  if (length !== undefined) return Number(length) <= 32 ? fixedBytes(Number(length)) : undefined
  if (bits === undefined || Number(bits) % 8 !== 0 || Number(bits) > 256) return undefined
  return sign === 'u'
    ? integer(`a ${type}`, (number) => BigInt.asUintN(Number(bits), number))
    : integer(`an ${type}`, (number) => BigInt.asIntN(Number(bits), number))
}

/** The word for a text of hex digits; undefined if it does not have `length` bytes. */
function hexWord(
  value: unknown,
  wordOf: (bytes: Uint8Array) => Uint8Array,
  length?: number,
): Uint8Array | undefined {
  const bytes = typeof value === 'string' ? readHex(value) : undefined
  return bytes === undefined || bytes.length !== (length ?? bytes.length) ? undefined : wordOf(bytes)
}

const boolWord = (value: unknown): Uint8Array | undefined =>
  typeof value === 'boolean' ? bigIntToBytes32(value ? 1n : 0n) : undefined

const textWord = (value: unknown): Uint8Array | undefined =>
  typeof value === 'string' ? hashOfText(value) : undefined

const hashOfText = (text: string): Uint8Array => keccak256(new TextEncoder().encode(text))

/** Bytes at the left of the word (EIP-712, "encodeData"). */
const fixedBytes = (length: number): Elementary => ({
  expected: `${length} bytes as 0x and ${2 * length} hex digits`,
  wordOf: (value) => hexWord(value, (bytes) => Buffer.concat([bytes], 32), length),
})

/** Integers that `wrap` does not change. Negative numbers are in two's complement of 256 bits. */
const integer = (expected: string, wrap: (number: bigint) => bigint): Elementary => ({
  expected,
  wordOf: (value) => {
    const number = readInteger(value)
    if (number === undefined || wrap(number) !== number) return undefined
    return bigIntToBytes32(BigInt.asUintN(256, number))
  },
})

/** Reads a number: a JSON number, or decimal or hex text with an optional sign. */
function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  const [, sign, digits] = /^(-?)(0x[0-9a-fA-F]{1,80}|\d{1,80})$/.exec(value) ?? []
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}

/** Signs a hash: r, s and v (27 or 28), 65 bytes. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Hex {
  const { r, s, recovery } = curve.sign(hash, privateKey)
  return toHex(Buffer.concat([r, s, Uint8Array.of(27 + recovery)]))
}

/** The hash to sign for a message. With the prefix a signed message cannot be a signed transaction (EIP-191, version 0x45). */
export function messageHash(message: Uint8Array): Uint8Array {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`)
  return keccak256(Buffer.concat([prefix, message]))
}

/**
 * Recovers the account that signed a hash from the 65 bytes of `signHash`. `v` is 27 or 28, or 0 or 1 as some wallets write.
 * @throws NodeError 'invalidParams' if no key can have made the signature
 */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array): Address {
  const v = signature[64] ?? 0
  const recovery = asRecovery(v >= 27 ? v - 27 : v)
  return recoverAddress(hash, { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery })
}
