/** The changes by a transaction: variables, balances, tokens. */

import type { VNode } from 'preact'
import { ChainText } from './chain-text.tsx'
import type { Explanation } from '../pages/transaction-page.tsx'
import { AddressLink } from './hex.tsx'
import { Amount, Count, Section } from './page-parts.tsx'

export const Changes = ({
  explanation: { storage, balances, tokens },
}: {
  readonly explanation: Explanation
}): VNode => (
  <>
    {storage.length + balances.length + tokens.length === 0 && (
      <p class="quiet">The transaction changed no variable, balance or token.</p>
    )}
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
                  <AddressLink value={address} />
                </td>
                <td title={type}>
                  <ChainText text={variable ?? `slot ${slot}`} />
                </td>
                <td class="value">
                  <ChainText text={before} />
                </td>
                <td class="value">
                  <ChainText text={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    )}
    {balances.length > 0 && (
      <Section title="Balances">
        <table>
          <thead>
            <tr>
              <th>Account</th>
              <th class="number">Before</th>
              <th class="number">After</th>
            </tr>
          </thead>
          <tbody>
            {balances.map(({ address, before, after }) => (
              <tr key={address}>
                <td>
                  <AddressLink value={address} />
                </td>
                <td class="number">
                  <Amount wei={before} />
                </td>
                <td class="number">
                  <Amount wei={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    )}
    {tokens.length > 0 && (
      <Section title="Tokens">
        <table>
          <thead>
            <tr>
              <th>Token</th>
              <th>From</th>
              <th>To</th>
              <th class="number">Amount</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map(({ token, from, to, id, amount }, index) => (
              <tr key={index}>
                <td>
                  <AddressLink value={token} />
                </td>
                <td>
                  <AddressLink value={from} />
                </td>
                <td>
                  <AddressLink value={to} />
                </td>
                <td class="number">
                  <Count of={amount} />
                  {id !== undefined && <> of id {BigInt(id).toString()}</>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    )}
  </>
)
