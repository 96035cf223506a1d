/** The accounts of the keystore. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { AddressLink } from '../parts/hex.tsx'
import { Amount, Count, Showing } from '../parts/page-parts.tsx'

interface KeystoreAccount {
  readonly address: string
  readonly balance: string
  readonly nonce: string
}

export function AccountsPage(): VNode {
  const accounts = useLoaded(keystoreAccounts, ['accounts', chainVersion.value])
  return (
    <>
      <h1>Accounts</h1>
      <Showing of={accounts}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">The node holds no keys.</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th>Account</th>
                  <th class="number">Balance</th>
                  <th class="number">Nonce</th>
                </tr>
              </thead>
              <tbody>
                {all.map(({ address, balance, nonce }) => (
                  <tr key={address}>
                    <td>
                      <AddressLink value={address} isWhole />
                    </td>
                    <td class="number">
                      <Amount wei={balance} />
                    </td>
                    <td class="number">
                      <Count of={nonce} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Showing>
    </>
  )
}

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
