/** Amounts of tokens in their units. */

import type { VNode } from 'preact'
import { unitOf } from '../client/names.ts'
import { grouped } from '../format/amounts.ts'
import { unitText } from '../format/token-amount.ts'
import { ChainText } from './chain-text.tsx'
import { AddressName } from './hex.tsx'
import { AmountIn, NamedText } from './named-text.tsx'

interface TokenAmountProps {
  /** Address of the token. */
  readonly token: string
  readonly amount: string | bigint
  /** Of a token that is not fungible. */
  readonly id?: string | undefined
}

/** Such as `12 MTK`, with a link to the token. */
export const TokenAmount = ({ token, amount, id }: TokenAmountProps): VNode => {
  const unit = unitOf(token)
  const value = BigInt(amount)
  return (
    <span class="number" title={grouped(value)}>
      {unit === undefined ? grouped(value) : unitText(value, unit.decimals)}
      {id !== undefined && <> of id {BigInt(id).toString()}</>}{' '}
      {unit === undefined ? (
        <AddressName value={token} />
      ) : (
        <a class="name" href={`#/address/${token}`} title={token}>
          <ChainText text={unit.symbol} />
        </a>
      )}
    </span>
  )
}

/** Variables of tokens that hold amounts, by the names that they usually have. */
const AMOUNTS = /(^|\.|_)(balances?|balanceOf|allowances?|totalSupply)\b/i

interface StoredValueProps {
  /** Address of the contract. */
  readonly address: string
  readonly variable: string | undefined
  readonly type: string | undefined
  readonly text: string
}

/** The value of a state variable, in the unit of the token if it is one of its amounts. */
export function StoredValue({ address, variable = '', type, text }: StoredValueProps): VNode {
  const unit =
    type === 'uint256' && AMOUNTS.test(variable) && /^\d+$/.test(text) ? unitOf(address) : undefined
  if (unit !== undefined) return <AmountIn amount={text} unit={unit} />
  return text === '' ? <span class="quiet">empty text</span> : <NamedText text={text} />
}
