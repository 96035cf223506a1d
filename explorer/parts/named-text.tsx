/** Texts in which addresses are links by their names, and amounts of tokens have their units. */

import { createContext } from 'preact'
import type { VNode } from 'preact'
import { useContext } from 'preact/hooks'
import type { Unit } from '../client/names.ts'
import { withPowers } from '../../lib/base/decimal-text.ts'
import { grouped } from '../format/amounts.ts'
import { unitText } from '../format/token-amount.ts'
import { ChainText } from './chain-text.tsx'
import { AddressName } from './hex.tsx'

/** Units by amounts, in decimal digits, that calls of tokens have in the shown transaction: other contracts get the same amounts. */
export const AmountUnits = createContext<ReadonlyMap<string, Unit>>(new Map())

const ADDRESS = /\b(0x[0-9a-fA-F]{40})\b/
const ADDRESS_OR_AMOUNT = /\b(0x[0-9a-fA-F]{40}|\d+)\b/

/** Characters up to which addresses and amounts are looked for. */
const MAX_SEARCHED = 1000

export function NamedText({ text }: { readonly text: string }): VNode {
  const units = useContext(AmountUnits)
  if (text.length > MAX_SEARCHED) return <ChainText text={text} />
  return (
    <>
      {text.split(units.size === 0 ? ADDRESS : ADDRESS_OR_AMOUNT).map((part, index) => {
        const unit = units.get(part)
        if (part.startsWith('0x') && index % 2 === 1) return <AddressName key={index} value={part} />
        if (unit !== undefined) return <AmountIn key={index} amount={part} unit={unit} />
        return part !== '' && <ChainText key={index} text={withPowers(part)} />
      })}
    </>
  )
}

/** An amount in its unit. */
export const AmountIn = ({ amount, unit }: { readonly amount: string; readonly unit: Unit }): VNode => (
  <span class="number" title={grouped(amount)}>
    {unitText(BigInt(amount), unit.decimals)} <ChainText text={unit.symbol} />
  </span>
)
