/** Numbers as people read them. */

const GROUPS = /\B(?=(\d{3})+$)/g

/** An integer with its digits in groups of three. */
export const grouped = (value: bigint | number | string): string =>
  BigInt(value).toString().replace(GROUPS, '\u202F')

/** Wei as an amount in the unit that reads best, and exactly. */
export function amountOf(wei: bigint): { readonly short: string; readonly exact: string } {
  const exact = `${grouped(wei)} wei`
  if (wei === 0n) return { short: '0 ether', exact }
  if (wei < 10n ** 6n) return { short: exact, exact }
  if (wei < 10n ** 14n) return { short: `${decimal(wei, 9)} gwei`, exact }
  return { short: `${decimal(wei, 18)} ether`, exact }
}

/** At most this many digits after the point are shown. */
const DIGITS = 6

function decimal(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).slice(0, DIGITS).replace(/0+$/, '')
  const whole = grouped(digits.slice(0, -decimals))
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** A hash or an address, shortened in the middle. */
export const shortened = (hex: string): string =>
  hex.length <= 14 ? hex : `${hex.slice(0, 8)}…${hex.slice(-6)}`

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
