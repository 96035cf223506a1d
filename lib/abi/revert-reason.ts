/** Decodes and formats the reason of a revert. */

import { bytesToBigInt, fromHex, toQuantity } from '../base/hex.ts'
import { unreachable } from '../base/invariant.ts'
import { SELECTOR_CHARACTERS } from './selector.ts'
import { decodeValues } from './values.ts'

export type RevertReason =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'panic'; readonly code: bigint }
  | { readonly kind: 'custom'; readonly data: string }
  | { readonly kind: 'empty' }

const ERROR_SELECTOR = '0x08c379a0'

const PANIC_SELECTOR = '0x4e487b71'

/** Formats a value; strings are in quotation marks. */
interface PanicMeaning {
  readonly geth: string
  readonly anvil: string
  readonly hardhat?: string
}

/** Meanings of panic codes (Solidity documentation) in the words of geth, Anvil and Hardhat: test suites compare them. */
const PANICS: Readonly<Record<string, PanicMeaning>> = {
  '0x0': { geth: 'generic panic', anvil: 'generic/unspecified error' },
  '0x1': { geth: 'assert(false)', anvil: 'assertion failed', hardhat: 'Assertion error' },
  '0x11': {
    geth: 'arithmetic underflow or overflow',
    anvil: 'arithmetic underflow or overflow',
    hardhat: 'Arithmetic operation overflowed outside of an unchecked block',
  },
  '0x12': {
    geth: 'division or modulo by zero',
    anvil: 'division or modulo by zero',
    hardhat: 'Division or modulo division by zero',
  },
  '0x21': {
    geth: 'enum overflow',
    anvil: 'failed to convert value into enum type',
    hardhat: 'Tried to convert a value into an enum, but the value was too big or negative',
  },
  '0x22': {
    geth: 'invalid encoded storage byte array accessed',
    anvil: 'storage byte array incorrectly encoded',
    hardhat: 'Incorrectly encoded storage byte array',
  },
  '0x31': {
    geth: 'out-of-bounds array access; popping on an empty array',
    anvil: 'called `.pop()` on an empty array',
    hardhat: '.pop() was called on an empty array',
  },
  '0x32': {
    geth: 'out-of-bounds access of an array or bytesN',
    anvil: 'array out-of-bounds access',
    hardhat: 'Array accessed at an out-of-bounds or negative index',
  },
  '0x41': {
    geth: 'out of memory',
    anvil: 'memory allocation error',
    hardhat: 'Too much memory was allocated, or an array was created that is too large',
  },
  '0x51': {
    geth: 'uninitialized function',
    anvil: 'called an invalid internal function',
    hardhat: 'Called a zero-initialized variable of internal function type',
  },
}

const meaningOf = (code: bigint): PanicMeaning | undefined => PANICS[toQuantity(code)]

export function revertReason(data: string): RevertReason {
  if (data === '0x') return { kind: 'empty' }
  const selector = data.slice(0, SELECTOR_CHARACTERS)
  const body = fromHex(`0x${data.slice(SELECTOR_CHARACTERS)}`)
  if (selector === PANIC_SELECTOR && body.length === 32) return { kind: 'panic', code: bytesToBigInt(body) }
  const texts = selector === ERROR_SELECTOR ? decodeValues([{ type: 'string' }], body) : undefined
  return texts === undefined ? { kind: 'custom', data } : { kind: 'text', text: String(texts[0]) }
}

export const isCustomError = (data: string): boolean => revertReason(data).kind === 'custom'

/** A panic code and its meaning in Anvil's words; `unknown code` for an undefined one. */
export function panicText(code: bigint): string {
  const meaning = meaningOf(code)?.anvil ?? 'unknown code'
  return `panic: ${meaning} (0x${code.toString(16).padStart(2, '0')})`
}

/** The meaning of a panic code in geth's words (accounts/abi/abi.go). */
export const gethPanicText = (code: bigint): string =>
  meaningOf(code)?.geth ?? `unknown panic code: 0x${code.toString(16)}`

export function hardhatPanicText(code: bigint): string {
  const meaning = meaningOf(code)?.hardhat
  const digits = `0x${code.toString(16)}`
  return meaning === undefined ? `unknown panic code ${digits}` : `panic code ${digits} (${meaning})`
}

/** Looks up the text of a custom error; undefined for an unknown error. */
export type CustomErrorNames = (data: string, isQuoted?: boolean) => string | undefined

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

export interface StatedReason {
  readonly kind: 'text' | 'panic' | 'custom error'
  readonly message: string
  /** Revert text, or name of a custom error if it is known. */
  readonly text?: string | undefined
  readonly panicCode?: bigint | undefined
}

/** The reason that revert data states, in Hardhat's words; undefined for empty data. */
export function statedReason(data: string, nameOf?: CustomErrorNames): StatedReason | undefined {
  const reason = revertReason(data)
  switch (reason.kind) {
    case 'text':
      return { ...reason, message: `reverted with reason string '${reason.text}'` }
    case 'panic':
      return {
        kind: 'panic',
        message: `reverted with ${hardhatPanicText(reason.code)}`,
        panicCode: reason.code,
      }
    case 'custom':
      return customReason(data, nameOf?.(data))
    case 'empty':
      return undefined
    default:
      return unreachable(reason)
  }
}

function customReason(data: string, shown: string | undefined): StatedReason {
  const message =
    shown === undefined
      ? `reverted with an unrecognized custom error (return data: ${data})`
      : `reverted with custom error '${shown}'`
  return { kind: 'custom error', message, text: shown?.replace(/\(.*$/s, '') }
}
