/** Why an execution reverted, in words. */

import { bytesToBigInt, fromHex } from '../base/hex.ts'
import { unreachable } from '../base/invariant.ts'

/** Revert data, understood. */
export type RevertReason =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'panic'; readonly code: bigint }
  | { readonly kind: 'custom'; readonly data: string }
  | { readonly kind: 'empty' }

/** Selector of `Error(string)`. */
const ERROR_SELECTOR = '0x08c379a0'

/** Selector of `Panic(uint256)`. */
const PANIC_SELECTOR = '0x4e487b71'

/** Meanings of panic codes (Solidity documentation, "Panic via assert and Error via require"). */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assertion error'],
  [0x11n, 'arithmetic operation overflowed outside of an unchecked block'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'conversion to a value outside of an enum'],
  [0x22n, 'incorrectly encoded storage byte array'],
  [0x31n, 'pop on an empty array'],
  [0x32n, 'array index out of bounds'],
  [0x41n, 'too much memory was allocated'],
  [0x51n, 'call of a zero-initialized variable of internal function type'],
])

/** Reads revert data. */
export function revertReason(data: string): RevertReason {
  if (data === '0x') return { kind: 'empty' }
  const selector = data.slice(0, 10)
  const body = fromHex(`0x${data.slice(10)}`)
  if (selector === PANIC_SELECTOR && body.length === 32) return { kind: 'panic', code: bytesToBigInt(body) }
  const text = selector === ERROR_SELECTOR ? abiString(body) : undefined
  return text === undefined ? { kind: 'custom', data } : { kind: 'text', text }
}

/** Whether revert data is that of an error which only its contract knows. */
export const isCustomError = (data: string): boolean => revertReason(data).kind === 'custom'

/** What a panic code means; `unknown panic` for one nobody defined. */
export function panicMeaning(code: bigint): string {
  return PANICS.get(code) ?? 'unknown panic'
}

/** Knows the names of custom errors; absent for those it does not know. */
export type CustomErrorNames = (data: string) => string | undefined

const noNames: CustomErrorNames = () => undefined

/** The reason in a few words, without any client's phrase around it. */
export function shortReason(data: string, nameOf: CustomErrorNames = noNames): string {
  const reason = revertReason(data)
  switch (reason.kind) {
    case 'text':
      return reason.text
    case 'panic':
      return `panic: ${panicMeaning(reason.code)} (0x${reason.code.toString(16)})`
    case 'custom':
      return `custom error ${nameOf(reason.data) ?? reason.data.slice(0, 10)}`
    case 'empty':
      return 'no reason'
    default:
      return unreachable(reason)
  }
}

/** The only argument of an ABI encoding, a string; absent when the encoding is broken. */
function abiString(body: Uint8Array): string | undefined {
  const offset = wordAt(body, 0n)
  const length = offset === undefined ? undefined : wordAt(body, offset)
  if (offset === undefined || length === undefined) return undefined
  const start = offset + 32n
  if (start + length > BigInt(body.length)) return undefined
  return new TextDecoder().decode(body.subarray(Number(start), Number(start + length)))
}

function wordAt(body: Uint8Array, offset: bigint): bigint | undefined {
  if (offset + 32n > BigInt(body.length)) return undefined
  return bytesToBigInt(body.subarray(Number(offset), Number(offset) + 32))
}
