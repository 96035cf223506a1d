/** Names in place of addresses, and units in place of plain amounts. */

import { decimalText } from './decimal-text.ts'

/** An address in a text or in JSON; not the beginning of a longer word. */
const ADDRESS = /\b0x[0-9a-fA-F]{40}\b/g

/** The addresses in a text, in lower case, without repetition. */
export const addressesIn = (text: string): readonly string[] => [
  ...new Set((text.match(ADDRESS) ?? []).map((address) => address.toLowerCase())),
]

/** The text with names in place of the addresses that have one. */
export const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(ADDRESS, (address) => names[address.toLowerCase()] ?? address)

/** Symbol and decimals of a token. */
export interface TokenUnit {
  readonly symbol: string
  readonly decimals: number
}

/**
 * The text with an amount of a token in its unit, such as `12 MTK` in place of 12000000000000000000. Short amounts stay: the same digits
 * may be something else.
 */
export function withUnit(text: string, amount: bigint, { symbol, decimals }: TokenUnit): string {
  if (2 * String(amount).length <= decimals || decimals === 0) return text
  return text.replaceAll(
    new RegExp(`\\b${amount}\\b`, 'g'),
    () => `${decimalText(amount, decimals)} ${symbol}`,
  )
}
