/** Amounts as text, in units of a number of decimals. */

/** An exact amount without zeros at the end, such as `1.5` for 1500000 with six decimals. */
export function decimalText(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const rest = decimals === 0 ? '' : (amount % unit).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${amount / unit}${rest === '' ? '' : `.${rest}`}`
}
