/** Formats calls of `console.log` in the libraries of Hardhat and Foundry as text. */

import { toHex } from '../base/hex.ts'
import { once } from '../base/once.ts'
import { SELECTOR_LENGTH, selectorOf } from './selector.ts'
import { decodeValues } from './values.ts'

/** Types of the arguments: a call takes up to four, in any order. */
const COMBINED = ['string', 'uint256', 'int256', 'bool', 'address', 'bytes']

/** Early versions of the libraries hashed the short names of number types, and contracts compiled with them use those selectors. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['uint256', 'uint'],
  ['int256', 'int'],
])

const MAX_ARGUMENTS = 4

interface LoggedCalls {
  readonly inputs: readonly Uint8Array[]
  readonly omitted: number
}

/** The argument types of each call by its selector. The table has some 2,400 entries and is computed at the first call. */
const signatures = once((): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>()
  const add = (names: readonly string[]): void => {
    found.set(selectorOf(`log(${names.join(',')})`), names)
  }
  for (let length = 1; length <= 32; length++) add([`bytes${length}`])
  let rows: readonly (readonly string[])[] = [[]]
  for (let count = 0; count <= MAX_ARGUMENTS; count++) {
    for (const names of rows) {
      add(names)
      const short = names.map((name) => SHORT_NAMES.get(name) ?? name)
      if (short.join() !== names.join()) add(short)
    }
    rows = rows.flatMap((names) => COMBINED.map((name) => [...names, name]))
  }
  return found
})

/** A text for each call of the console, and one more if later calls were dropped. */
export function consoleTexts({ inputs, omitted }: LoggedCalls): readonly string[] {
  const texts = inputs.map(consoleText)
  return omitted === 0 ? texts : [...texts, `(${omitted} more not kept)`]
}

export function consoleText(input: Uint8Array): string {
  const types = signatures().get(toHex(input.subarray(0, SELECTOR_LENGTH)))
  const parameters = types?.map((type) => ({ type }))
  const values = parameters && decodeValues(parameters, input.subarray(SELECTOR_LENGTH))
  return types && values ? formatted(types, values.map(String)) : unreadable(input)
}

/** Maximum number of bytes shown of undecodable call data. */
const MAX_SHOWN = 256

function unreadable(input: Uint8Array): string {
  const rest = input.length > MAX_SHOWN ? `... (${input.length} bytes)` : ''
  return `(unknown console call) ${toHex(input.subarray(0, MAX_SHOWN))}${rest}`
}

const PLACEHOLDER = /%([%sdifoOxj])/g

/** Replaces placeholders like util.format. Remaining values are appended after spaces. */
function formatted(types: readonly string[], texts: readonly string[]): string {
  const [first, ...rest] = texts
  if (first === undefined || types[0] !== 'string') return texts.join(' ')
  let taken = 0
  const text = first.replace(PLACEHOLDER, (placeholder, kind: string) => {
    // As in util.format of Node, `%%` stays as it is if there are no further values.
    if (kind === '%') return rest.length === 0 ? placeholder : '%'
    const value = rest[taken]
    if (value === undefined) return placeholder
    const isNumber = /^u?int/.test(types[++taken] ?? '')
    return kind === 'x' && isNumber ? hexadecimal(BigInt(value)) : value
  })
  return [text, ...rest.slice(taken)].join(' ')
}

const hexadecimal = (value: bigint): string =>
  value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
