/** The accounts of the keystore, and what can be done with them. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { isReadOnly } from '../client/mode.ts'
import { usePageTitle } from '../client/page-title.ts'
import { checksummed } from '../format/addresses.ts'
import { AccountActions, NewAccounts } from '../parts/account-actions.tsx'
import { AddressLink } from '../parts/hex.tsx'
import { Amount, Count, Showing } from '../parts/page-parts.tsx'

interface KeystoreAccount {
  readonly address: string
  readonly balance: string
  readonly nonce: string
}

export function AccountsPage({ chosen }: { readonly chosen: string | undefined }): VNode {
  usePageTitle('Accounts')
  const [changes, setChanges] = useState(0)
  const version = `${chainVersion.value} ${changes}`
  const changed = (): void => setChanges((count) => count + 1)
  const accounts = useLoaded(keystoreAccounts, ['accounts', version])
  return (
    <>
      <h1>Accounts</h1>
      <Showing of={accounts}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <p class="quiet">The node holds no keys.</p>
            ) : (
              <section>
                <AccountTable accounts={all} chosen={chosen} />
              </section>
            )}
            {!isReadOnly && chosen !== undefined && (
              <AccountActions key={chosen} address={chosen} changed={changed} />
            )}
          </>
        )}
      </Showing>
      {!isReadOnly && <NewAccounts changed={changed} />}
    </>
  )
}

const AccountTable = ({
  accounts,
  chosen,
}: {
  readonly accounts: readonly KeystoreAccount[]
  readonly chosen: string | undefined
}): VNode => (
  <div class="wide">
    <table>
      <thead>
        <tr>
          <th>Account</th>
          <th class="number">Balance</th>
          <th class="number">Nonce</th>
          {!isReadOnly && <th>Actions</th>}
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ address, balance, nonce }) => (
          <tr key={address} class={address === chosen ? 'chosen' : undefined}>
            <td>
              <AddressLink value={address} isWhole />
            </td>
            <td class="number">
              <Amount wei={balance} />
            </td>
            <td class="number">
              <Count of={nonce} />
            </td>
            {!isReadOnly && (
              <td>
                <a
                  href={`#/accounts/${address}`}
                  aria-label={`Send, fund or lock account ${checksummed(address)}`}
                  aria-current={address === chosen}
                >
                  Send, fund or lock
                </a>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

async function keystoreAccounts(): Promise<readonly KeystoreAccount[]> {
  const addresses = await ask('eth_accounts')
  return Promise.all(
    addresses.map(async (address) => {
      const [balance, nonce] = await Promise.all([
        ask('eth_getBalance', address, 'latest'),
        ask('eth_getTransactionCount', address, 'latest'),
      ])
      return { address, balance, nonce }
    }),
  )
}
