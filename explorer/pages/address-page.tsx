/** An account: balance, nonce, code. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { ContractPanel } from '../parts/contract-panel.tsx'
import { AddressLink, Hex } from '../parts/hex.tsx'
import { Amount, Count, Fields, Section, Showing } from '../parts/page-parts.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

interface Account {
  readonly balance: string
  readonly nonce: string
  readonly code: string
}

export function AddressPage({ address }: { readonly address: string }): VNode {
  const account = useLoaded(() => accountOf(address), [address, chainVersion.value])
  return (
    <>
      <h1>Account</h1>
      <Showing of={account}>
        {({ balance, nonce, code }) => (
          <Fields
            rows={[
              ['Address', <Hex value={address} isWhole />],
              ['Balance', <Amount wei={balance} />],
              ['Nonce', <Count of={nonce} />],
              ['Code', code === '0x' ? undefined : <CodeSize code={code} />],
            ]}
          />
        )}
      </Showing>
      <Contract address={address} />
      <Section title="Transactions">
        <Transactions address={address} />
      </Section>
    </>
  )
}

/** What is known of the contract at the address. */
function Contract({ address }: { readonly address: string }): VNode {
  const contract = useLoaded(() => ask('dev_getContract', address), [address, chainVersion.value])
  return (
    <Showing of={contract}>
      {(found) =>
        found === null ? (
          <></>
        ) : (
          <>
            <Section title={`Contract ${found.name ?? found.implementation?.name ?? ''}`}>
              <Fields
                rows={[
                  ['Source', found.file],
                  ['Compiler', found.compiler],
                  [
                    'Runs',
                    found.implementation && <AddressLink value={found.implementation.address} isWhole />,
                  ],
                  ['as', found.implementation?.name],
                ]}
              />
            </Section>
            <ContractPanel address={address} abi={[...(found.implementation?.abi ?? []), ...found.abi]} />
          </>
        )
      }
    </Showing>
  )
}

/** The transactions that a page shows. */
const NEWEST = 50

function Transactions({ address }: { readonly address: string }): VNode {
  const found = useLoaded(
    () => ask('ots_searchTransactionsBefore', address, 0, NEWEST),
    [address, chainVersion.value],
  )
  return (
    <Showing of={found}>
      {({ txs, lastPage }) =>
        txs.length === 0 ? (
          <p class="quiet">No transaction has touched this account.</p>
        ) : (
          <>
            <TransactionTable transactions={txs} />
            {!lastPage && <p class="quiet">Older ones are not shown.</p>}
          </>
        )
      }
    </Showing>
  )
}

const CodeSize = ({ code }: { readonly code: string }): VNode => (
  <>
    <Count of={code.length / 2 - 1} /> bytes <Hex value={code} />
  </>
)

async function accountOf(address: string): Promise<Account> {
  const [balance, nonce, code] = await Promise.all([
    ask('eth_getBalance', address, 'latest'),
    ask('eth_getTransactionCount', address, 'latest'),
    ask('eth_getCode', address, 'latest'),
  ])
  return { balance, nonce, code }
}
