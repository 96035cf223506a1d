/** What the page of a short chain has room for: the last failure, and the first accounts. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { withNames } from '../client/names.ts'
import { ChainText } from './chain-text.tsx'
import { AddressLink } from './hex.tsx'
import { Amount, Section, Showing } from './page-parts.tsx'

/** Accounts that are shown; their page has all. */
const ACCOUNTS = 5

export const ShortChain = (): VNode => (
  <div class="columns uneven">
    <LastFailure />
    <FirstAccounts />
  </div>
)

function LastFailure(): VNode {
  const failures = useLoaded(() => ask('dev_failures', 1), ['last failure', calmVersion.value])
  return (
    <Section title="Last failure">
      <Showing of={failures}>
        {([failure]) =>
          failure === undefined ? (
            <p class="quiet">
              No execution has failed. If one does, you see its line of Solidity here.{' '}
              <code>--artifacts</code> names the folder of your compiler.
            </p>
          ) : (
            <>
              <p class="failure">
                <ChainText text={withNames(failure.reason)} />
              </p>
              <p>
                <a href={`#/failure/${failure.id}`}>Why it failed</a> ·{' '}
                <a href={`#/failure/${failure.id}/debug`}>Debug it</a>
              </p>
            </>
          )
        }
      </Showing>
    </Section>
  )
}

function FirstAccounts(): VNode {
  const accounts = useLoaded(async () => {
    const addresses = (await ask('eth_accounts')).slice(0, ACCOUNTS)
    const balances = await Promise.all(addresses.map((address) => ask('eth_getBalance', address, 'latest')))
    return addresses.map((address, index) => ({ address, balance: balances[index] ?? '0x0' }))
  }, ['first accounts', calmVersion.value])
  return (
    <Section title="Accounts">
      <Showing of={accounts}>
        {(shown) => (
          <>
            <table>
              <tbody>
                {shown.map(({ address, balance }) => (
                  <tr key={address}>
                    <td>
                      <AddressLink value={address} />
                    </td>
                    <td class="number">
                      <Amount wei={balance} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p>
              <a href="#/accounts">All accounts</a>
            </p>
          </>
        )}
      </Showing>
    </Section>
  )
}
