/** Numbers as people read them. */

import { signal } from '@preact/signals'
import { decimalText } from '../../lib/base/decimal-text.ts'
import { checksummed } from './addresses.ts'

/** What the network calls its coins. */
export const coinName = signal('ether')

/** A text of the node, which says ether on every network, with the name of this network's coins: `1 coin`, `2 coins`. */
export const inCoins = (text: string): string =>
  coinName.value === 'ether'
    ? text
    : text.replace(/(?<=\d )ether\b/g, coinName.value).replace(/(?<![\d.,\u202F])1 coins\b/g, '1 coin')

const GROUPS = /\B(?=(\d{3})+$)/g

/** An integer with its digits in groups of three. */
export const grouped = (value: bigint | number | string): string =>
  BigInt(value).toString().replace(GROUPS, '\u202F')

/** An amount of wei in the unit that reads best: with three significant digits, with all of them, and in wei. */
export function amountOf(wei: bigint) {
  const amount = wei < 0n ? -wei : wei
  const [unit, decimals] = unitFor(amount)
  const sign = wei < 0n ? '−' : ''
  const [whole = '', fraction = ''] = decimalText(amount, decimals).split('.')
  const zeros = fraction.length - fraction.replace(/^0+/, '').length
  const digits = whole === '0' ? DIGITS + zeros : Math.max(0, DIGITS - whole.length)
  const text = (decimal: string): string =>
    inCoins(`${sign}${grouped(whole)}${decimal === '' ? '' : `.${decimal}`} ${unit}`)
  return {
    short: text(fraction.slice(0, digits).replace(/0+$/, '')),
    exact: text(fraction),
    inWei: `${sign}${grouped(amount)} wei`,
  }
}

/** Significant digits of a short amount. They are cut off, not rounded, so that an amount that shrank looks smaller. */
const DIGITS = 3

function unitFor(wei: bigint): readonly [unit: string, decimals: number] {
  if (wei === 0n || wei >= 10n ** 14n) return ['ether', 18]
  return wei < 10n ** 6n ? ['wei', 0] : ['gwei', 9]
}

/** A hash or an address, shortened in the middle. */
export function shortened(hex: string): string {
  if (hex.length <= 14) return hex
  const text = hex.length === 42 ? checksummed(hex) : hex
  return `${text.slice(0, 8)}…${text.slice(-6)}`
}

/** A time in seconds since the epoch, as UTC. A `Date` ends with the year 275760. */
export function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return `${seconds} s, after the year 275760`
  // Years after 9999 have a sign and six digits.
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')
    .replace(/^\+0*/, '')
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const YEAR = 365 * DAY

/** Time since a moment in one unit, such as `12 s ago`, or until it: `in 3 h`. Both in seconds since the epoch. */
export function ageOf(seconds: number, now: number): string {
  const text = spanOf(Math.abs(now - seconds))
  if (now - seconds < 0) return `in ${text}`
  return now === seconds ? 'now' : `${text} ago`
}

function spanOf(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} s`
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)} d`
  return `${Math.floor(seconds / YEAR)} y`
}
