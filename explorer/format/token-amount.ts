/** Amounts of tokens and of gas prices as people read them. */

import { decimalText } from '../../lib/base/decimal-text.ts'
import { grouped } from './amounts.ts'

/** An exact amount in units of a number of decimals, its whole part in groups of three digits. */
export function unitText(amount: bigint, decimals: number): string {
  const [whole = '', fraction] = decimalText(amount < 0n ? -amount : amount, decimals).split('.')
  return `${amount < 0n ? '−' : ''}${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`}`
}
