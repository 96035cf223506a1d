/** The changes by a transaction: tokens, balances, variables. */

import type { VNode } from 'preact'
import type { Explanation } from '../pages/transaction-page.tsx'
import { AddressLink, AddressName } from './hex.tsx'
import { NamedText } from './named-text.tsx'
import { Amount, Section } from './page-parts.tsx'
import { StoredValue, TokenAmount } from './token-amount.tsx'

interface ChangesProps {
  readonly explanation: Explanation
}

export const Changes = ({ explanation }: ChangesProps): VNode => {
  const { storage, balances, tokens } = explanation
  return (
    <>
      {storage.length + balances.length + tokens.length === 0 && (
        <p class="quiet">The transaction changed no variable, balance or token.</p>
      )}
      <Movements explanation={explanation} />
      {storage.length > 0 && (
        <Section title="Storage">
          <table>
            <thead>
              <tr>
                <th>Contract</th>
                <th>Variable</th>
                <th>Before</th>
                <th>After</th>
              </tr>
            </thead>
            <tbody>
              {storage.map(({ address, slot, variable, type, before, after }) => (
                <tr key={address + slot + String(variable)}>
                  <td>
                    <AddressName value={address} />
                  </td>
                  <td class="value" title={type}>
                    <NamedText text={variable ?? `slot ${slot}`} />
                  </td>
                  <td class="value">
                    <StoredValue address={address} variable={variable} type={type} text={before} />
                  </td>
                  <td class="value">
                    <StoredValue address={address} variable={variable} type={type} text={after} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </>
  )
}

export const hasMovements = ({ balances, tokens }: Explanation): boolean =>
  balances.length + tokens.length > 0

/** Transfers of tokens, and changes of balances; nothing if there are none. */
export const Movements = ({ explanation: { balances, tokens } }: ChangesProps): VNode => (
  <>
    {tokens.length > 0 && (
      <Section title="Token transfers">
        <ul class="movements">
          {tokens.map(({ token, from, to, id, amount }, index) => (
            <li key={index}>
              <span>
                <Party address={from} label="minted" /> <span class="quiet">→</span>{' '}
                <Party address={to} label="burned" />
              </span>
              <TokenAmount token={token} amount={amount} id={id} />
            </li>
          ))}
        </ul>
      </Section>
    )}
    {balances.length > 0 && (
      <Section title="Balances">
        <ul class="movements">
          {balances.map(({ address, before, after }) => (
            <li key={address}>
              <AddressLink value={address} />
              <span>
                <Difference wei={BigInt(after) - BigInt(before)} />{' '}
                <span class="quiet">
                  to <Amount wei={after} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Section>
    )}
  </>
)

const ZERO_ADDRESS = /^0x0{40}$/

/** Sender or receiver of a token; the zero address stands for a supply that grows or shrinks. */
const Party = ({ address, label }: { readonly address: string; readonly label: string }): VNode =>
  ZERO_ADDRESS.test(address) ? <span class="badge">{label}</span> : <AddressName value={address} />

/** A change of a balance with its sign. */
const Difference = ({ wei }: { readonly wei: bigint }): VNode => (
  <b class={wei < 0n ? 'number failure' : 'number gain'}>
    {wei < 0n ? '' : '+'}
    <Amount wei={wei} />
  </b>
)
