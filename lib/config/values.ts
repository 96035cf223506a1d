/** Schemas of values in preset files, flags and environment variables. They parse text into the types of the node. */

import * as z from 'zod'
import { asAddress, asHash, readHex, type Hex } from '../base/hex.ts'
import { MAX_UINT64, MAX_UINT256 } from '../base/limits.ts'

/** For parses at the start: zod must not compile a parser, which pays only for many values. */
export const PARSE_ONCE = { jitless: true } as const

type WholeInput = string | number | bigint

/** A value as error messages show it: as JSON, shortened to a line. */
export function show(given: unknown): string {
  if (given === undefined) return 'nothing'
  const text = typeof given === 'bigint' ? given.toString() : JSON.stringify(given)
  return text.length > 70 ? `${text.slice(0, 66)}...` : text
}

/**
 * A schema that reads a value or reports what it expected; `read` returns undefined for invalid values. `shown` writes an invalid
 * value into the report; for a secret it hides the value.
 */
export function readable<Input, Output>(
  expected: string,
  read: (given: unknown) => Output | undefined,
  shown: (given: unknown) => string = show,
) {
  return z.custom<Input>().transform((given: unknown, context) => {
    const value = read(given)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: `expected ${expected}, got ${shown(given)}` })
    return z.NEVER
  })
}

export function readWhole(given: unknown): bigint | undefined {
  if (typeof given === 'bigint') return given >= 0n ? given : undefined
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined
  if (typeof given !== 'string') return undefined
  const text = given.trim()
  return /^(\d+|0x[0-9a-fA-F]+)$/.test(text) ? BigInt(text) : undefined
}

export const quantity = readable<WholeInput, bigint>('a whole number (decimal or 0x)', readWhole)

export function quantityBetween(min: bigint, max: bigint, what = 'a whole number') {
  return readable<WholeInput, bigint>(`${what} from ${min.toString()} to ${max.toString()}`, (given) => {
    const whole = readWhole(given)
    return whole !== undefined && whole >= min && whole <= max ? whole : undefined
  })
}

/** A number of up to 64 bits, such as a nonce. */
export const uint64 = quantityBetween(0n, MAX_UINT64)

/** A number of up to 256 bits, such as an amount or a word. */
export const uint256 = quantityBetween(0n, MAX_UINT256)

/** Maximum gas limit of blocks and calls: the EVM counts gas in JavaScript numbers, which are exact up to here. */
export const MAX_GAS = BigInt(Number.MAX_SAFE_INTEGER)

/** Maximum chain id and network id: clients hold them as JavaScript numbers. */
export const MAX_CHAIN_ID = BigInt(Number.MAX_SAFE_INTEGER)

/** An amount of gas that the EVM can count. */
export const gasFrom = (min: bigint) => quantityBetween(min, MAX_GAS, 'an amount of gas')

/** A count: a whole number in a range of small numbers. */
export const count = (min: number, max: number) => quantityBetween(BigInt(min), BigInt(max)).transform(Number)

export const matching = (expected: string, form: RegExp, shown?: (given: unknown) => string) =>
  readable<string, string>(
    expected,
    (given) => (typeof given === 'string' && form.test(given) ? given : undefined),
    shown,
  )

export const text = matching('text', /\S/)

export const address = matching('a 20-byte address', /^0x[0-9a-fA-F]{40}$/).transform(asAddress)

export const hash = matching('a 32-byte hash', /^0x[0-9a-fA-F]{64}$/).transform(asHash)

/** Bytes as hex. */
export const bytes = readable<string, Uint8Array>('bytes as 0x and an even number of hex digits', (given) =>
  typeof given === 'string' ? readHex(given) : undefined,
)

/** Reads a 32-byte private key, with or without prefix. */
export function readPrivateKey(given: unknown): Hex | undefined {
  if (typeof given !== 'string') return undefined
  const digits = given.trim().replace(/^0x/, '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(digits) && /[1-9a-f]/.test(digits) ? `0x${digits}` : undefined
}

export const privateKey = readable<string, Hex>('a private key of 32 bytes as hex', readPrivateKey)

const MNEMONIC_LENGTHS = [12, 15, 18, 21, 24]

const MNEMONIC_EXPECTED = 'a mnemonic of 12, 15, 18, 21 or 24 words'

function readMnemonic(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const words = given.trim().split(/\s+/)
  return MNEMONIC_LENGTHS.includes(words.length) ? words.join(' ') : undefined
}

/** A BIP-39 mnemonic. Its words are not checked against the word list, because the seed is a hash of the text. */
export const mnemonic = readable<string, string>(MNEMONIC_EXPECTED, readMnemonic)

/** A mnemonic, or the word that asks for a new one. */
export const mnemonicOrRandom = readable<string, string>(`${MNEMONIC_EXPECTED}, or "random"`, (given) =>
  given === 'random' ? given : readMnemonic(given),
)

/** A BIP-32 path to which the index of an account is appended. Its numbers are below 2^31. */
export const derivationPath = readable<string, string>(
  "a derivation path such as m/44'/60'/0'/0",
  (given) => {
    if (typeof given !== 'string' || !/^m(\/\d+'?)+$/.test(given)) return undefined
    return given.match(/\d+/g)?.every((number) => Number(number) < 2 ** 31) === true ? given : undefined
  },
)

export function choice<const Names extends readonly string[]>(names: Names) {
  return readable<Names[number], Names[number]>(`one of ${names.join(', ')}`, (given) =>
    names.find((name) => name === given),
  )
}
