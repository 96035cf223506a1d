/** Literals of expressions: numbers with units, addresses, texts and bytes. */

import { readHex } from '../../../base/hex.ts'
import type { Value } from '../values/value.ts'
import { addressValue, constantValue, contentValue } from './typed-values.ts'

const UNITS: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3600n,
  days: 86_400n,
  weeks: 604_800n,
}

/** Factor of a unit; undefined for another name. */
export const unitOf = (name: string): bigint | undefined =>
  Object.hasOwn(UNITS, name) ? UNITS[name] : undefined

/** Decimal digits before and after the point, at most. */
const MAX_EXPONENT = 100

/** The value of a literal; undefined if it is none. */
export function literalOf(text: string, unit = 1n): Value | undefined {
  if (/["']$/.test(text)) return contentOf(text)
  const digits = text.replaceAll('_', '')
  if (/^0x/i.test(digits)) {
    const number = BigInt(digits)
    return digits.length === 42 ? addressValue(number) : constantValue(number * unit)
  }
  const [, whole = '', part = '', power = '0'] = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/i.exec(digits) ?? []
  const exponent = Number(power) - part.length
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined
  const scaled = BigInt(whole + part) * unit
  if (exponent >= 0) return constantValue(scaled * 10n ** BigInt(exponent))
  const divisor = 10n ** BigInt(-exponent)
  return scaled % divisor === 0n ? constantValue(scaled / divisor) : undefined
}

/** The value of a text in quotes; undefined for an escape or digits that are none. */
function contentOf(text: string): Value | undefined {
  const [, prefix = '', inner = ''] = /^(hex|unicode|)["'](.*)["']$/s.exec(text) ?? []
  if (prefix === 'hex') {
    const bytes = readHex(`0x${inner.replaceAll('_', '')}`)
    return bytes && contentValue('bytes', bytes)
  }
  try {
    // JSON has the same escapes but \' and \x.
    const json = inner.replaceAll(String.raw`\'`, "'").replace(/(?<!\\)((?:\\\\)*)"/g, String.raw`$1\"`)
    return contentValue('string', Buffer.from(String(JSON.parse(`"${json}"`))))
  } catch {
    return undefined
  }
}
