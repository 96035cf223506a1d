/** Amounts with units as people write them. */

import { Value } from 'ox'
import { decimalText } from '../../lib/base/decimal-text.ts'

/** Decimals of the units. */
export const UNITS: Readonly<Record<string, number>> = { ether: 18, gwei: 9, wei: 0 }

/** An amount such as 1.5 in wei; nothing is zero. @throws Error if it is no amount of the unit */
export function weiIn(text: string, unit: string): bigint {
  return text.trim() === '' ? 0n : wei(text.trim(), unit)
}

/** An amount such as 1.5 in wei, as a quantity. @throws Error for a text that is no amount of the unit */
export const weiOf = (text: string, unit: string): string => `0x${wei(text, unit).toString(16)}`

/** A price in wei as a field of gwei has it. */
export const inGwei = (price: string): string => decimalText(BigInt(price), 9)

function wei(text: string, unit: string): bigint {
  const decimals = UNITS[unit] ?? 0
  const fraction = /^\d+(?:\.(\d+))?$/.exec(text)?.[1] ?? ''
  if (!/^\d+(\.\d+)?$/.test(text) || fraction.length > decimals)
    throw new Error(`expected an amount of ${unit} such as 1.5, got "${text}"`)
  return Value.from(text, decimals)
}
