/** Amounts as people write them. */

import { Value } from 'ox'

/** Decimals of ether and gwei. */
const DECIMALS = { ether: 18, gwei: 9 } as const

/** Wei of an amount such as 1.5, as a quantity. @throws Error for a text that is no amount */
export function weiOf(text: string, unit: keyof typeof DECIMALS): string {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`expected an amount of ${unit} such as 1.5, got "${text}"`)
  return `0x${Value.from(text, DECIMALS[unit]).toString(16)}`
}
