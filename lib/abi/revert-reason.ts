/** Decodes and formats the reason of a revert. */

import { bytesToBigInt, fromHex } from '../base/hex.ts'
import { unreachable } from '../base/invariant.ts'
import { AbiError } from './reader.ts'
import { SELECTOR_CHARACTERS } from './selector.ts'
import { decodeValues } from './values.ts'

/** Decoded revert data. */
export type RevertReason =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'panic'; readonly code: bigint }
  | { readonly kind: 'custom'; readonly data: string }
  | { readonly kind: 'empty' }

/** Selector of `Error(string)`. */
const ERROR_SELECTOR = '0x08c379a0'

/** Selector of `Panic(uint256)`. */
const PANIC_SELECTOR = '0x4e487b71'

/**
 * Meanings of panic codes (Solidity documentation, "Panic via assert and Error via require") in the words of Hardhat
 * and of Anvil: test suites compare them.
 */
const PANICS: ReadonlyMap<bigint, { readonly hardhat?: string; readonly anvil: string }> = new Map([
  [0x00n, { anvil: 'generic/unspecified error' }],
  [0x01n, { hardhat: 'Assertion error', anvil: 'assertion failed' }],
  [
    0x11n,
    {
      hardhat: 'Arithmetic operation overflowed outside of an unchecked block',
      anvil: 'arithmetic underflow or overflow',
    },
  ],
  [0x12n, { hardhat: 'Division or modulo division by zero', anvil: 'division or modulo by zero' }],
  [
    0x21n,
    {
      hardhat: 'Tried to convert a value into an enum, but the value was too big or negative',
      anvil: 'failed to convert value into enum type',
    },
  ],
  [
    0x22n,
    { hardhat: 'Incorrectly encoded storage byte array', anvil: 'storage byte array incorrectly encoded' },
  ],
  [0x31n, { hardhat: '.pop() was called on an empty array', anvil: 'called `.pop()` on an empty array' }],
  [
    0x32n,
    { hardhat: 'Array accessed at an out-of-bounds or negative index', anvil: 'array out-of-bounds access' },
  ],
  [
    0x41n,
    {
      hardhat: 'Too much memory was allocated, or an array was created that is too large',
      anvil: 'memory allocation error',
    },
  ],
  [
    0x51n,
    {
      hardhat: 'Called a zero-initialized variable of internal function type',
      anvil: 'called an invalid internal function',
    },
  ],
])

/** Reads revert data. */
export function revertReason(data: string): RevertReason {
  if (data === '0x') return { kind: 'empty' }
  const selector = data.slice(0, SELECTOR_CHARACTERS)
  const body = fromHex(`0x${data.slice(SELECTOR_CHARACTERS)}`)
  if (selector === PANIC_SELECTOR && body.length === 32) return { kind: 'panic', code: bytesToBigInt(body) }
  const text = selector === ERROR_SELECTOR ? onlyString(body) : undefined
  return text === undefined ? { kind: 'custom', data } : { kind: 'text', text }
}

/** The string that the data encodes; undefined if it does not encode one string. */
function onlyString(data: Uint8Array): string | undefined {
  try {
    return String(decodeValues([{ type: 'string' }], data)[0])
  } catch (error) {
    if (error instanceof AbiError) return undefined
    throw error
  }
}

/** Whether revert data is that of a custom error. */
export const isCustomError = (data: string): boolean => revertReason(data).kind === 'custom'

/** A panic code and its meaning in Anvil's words. */
export function panicText(code: bigint): string {
  return `panic: ${panicMeaning(code)} (0x${code.toString(16).padStart(2, '0')})`
}

/** Meaning of a panic code; `unknown code` for an undefined one. */
export const panicMeaning = (code: bigint): string => PANICS.get(code)?.anvil ?? 'unknown code'

/** A panic code and its meaning in Hardhat's words. */
export function hardhatPanicText(code: bigint): string {
  const meaning = PANICS.get(code)?.hardhat
  const digits = `0x${code.toString(16)}`
  return meaning === undefined ? `unknown panic code ${digits}` : `panic code ${digits} (${meaning})`
}

/** Looks up the text of a custom error; undefined for an unknown error. */
export type CustomErrorNames = (data: string) => string | undefined

const noNames: CustomErrorNames = () => undefined

/** The reason in a few words, without any client's phrase around it. */
export function shortReason(data: string, nameOf: CustomErrorNames = noNames): string {
  const reason = revertReason(data)
  switch (reason.kind) {
    case 'text':
      return reason.text
    case 'panic':
      return panicText(reason.code)
    case 'custom':
      return `custom error ${nameOf(reason.data) ?? reason.data.slice(0, SELECTOR_CHARACTERS)}`
    case 'empty':
      return 'no reason'
    default:
      return unreachable(reason)
  }
}
