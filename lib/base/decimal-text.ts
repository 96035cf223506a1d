/** Amounts as text, in units of a number of decimals. */

/** An exact amount without zeros at the end, such as `1.5` for 1500000 with six decimals. */
export function decimalText(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const rest = decimals === 0 ? '' : (amount % unit).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${amount / unit}${rest === '' ? '' : `.${rest}`}`
}

/** Amounts up to a gwei are shown in wei. */
const MAX_WEI = 10n ** 9n

/** An exact amount of wei in ether; a small one in wei. */
export const etherText = (wei: bigint): string =>
  wei > 0n && wei < MAX_WEI ? `${wei} wei` : `${decimalText(wei, 18)} ether`

/** A quoted text, or a decimal number of 16 digits or more that is not part of a longer number or word. */
const LONG_NUMBER = /"(?:[^"\\]|\\.)*"|(?<![\w.])\d{16,}(?![\w.])/g

/** Writes long round numbers as Solidity does, such as `1.5e18` for 1500000000000000000. Quoted texts stay unchanged. */
export const withPowers = (text: string): string =>
  text.replace(LONG_NUMBER, (digits) =>
    digits.endsWith('000000000') ? `${decimalText(BigInt(digits), 18)}e18` : digits,
  )
