/** Names in place of addresses, and units in place of plain amounts. */

import { decimalText } from './decimal-text.ts'

/** An address in text or JSON. A longer word that begins like an address does not match. */
const ADDRESS = /\b0x[0-9a-fA-F]{40}\b/g

/** The addresses in a text, in lower case, without repetition. */
export const addressesIn = (text: string): readonly string[] => [
  ...new Set((text.match(ADDRESS) ?? []).map((address) => address.toLowerCase())),
]

export const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(ADDRESS, (address) => names[address.toLowerCase()] ?? address)

export interface TokenUnit {
  readonly symbol: string
  readonly decimals: number
}

/**
 * The text with amounts of tokens in their units, such as `12 MTK` in place of 12000000000000000000; the units are those of the digits.
 * Short amounts stay: the same digits may be something else.
 */
export const withUnits = (text: string, units: ReadonlyMap<string, TokenUnit>): string =>
  text.replace(/\b\d+\b/g, (digits) => {
    const { symbol, decimals } = units.get(digits) ?? { symbol: '', decimals: 0 }
    if (2 * digits.length <= decimals || decimals === 0) return digits
    return `${decimalText(BigInt(digits), decimals)} ${symbol}`
  })
