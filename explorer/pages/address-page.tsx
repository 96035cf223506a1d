/** An account: balance, transactions, and of a contract its functions, code, storage and events. */

import type { VNode } from 'preact'
import { contractAt } from '../client/contracts.ts'
import type { Contract } from '../client/contracts.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { nameOf } from '../client/names.ts'
import { usePageTitle } from '../client/page-title.ts'
import { shortened } from '../format/amounts.ts'
import type { PartProps } from '../parts/account-transactions.tsx'
import { AccountTransactions } from '../parts/account-transactions.tsx'
import { BalanceHistory } from '../parts/balance-history.tsx'
import { ChainText } from '../parts/chain-text.tsx'
import { ContractCode } from '../parts/contract-code.tsx'
import { ContractEvents } from '../parts/contract-events.tsx'
import { ContractPanel } from '../parts/contract-panel.tsx'
import { ContractStorage } from '../parts/contract-storage.tsx'
import { AddressLink, AddressName, Hex } from '../parts/hex.tsx'
import { Amount, Count, Fields, Section, Showing } from '../parts/page-parts.tsx'
import { TokenBalances } from '../parts/token-balances.tsx'
import '../parts/subject.css'
import '../parts/tabs.css'

interface Account {
  readonly balance: string
  readonly nonce: string
  readonly code: string
  readonly contract: Contract | null
}

/** Parts of the page, each with its own URL. */
const TABS = [
  ['', 'Overview'],
  ['transactions', 'Transactions'],
  ['functions', 'Functions'],
  ['code', 'Code'],
  ['storage', 'Storage'],
  ['events', 'Events'],
] as const

type TabName = (typeof TABS)[number][0]

interface PageProps {
  readonly address: string
  /** The shown part, with the query, such as `events?from=3`; the overview if left out. */
  readonly part?: string | undefined
}

export function AddressPage({ address, part = '' }: PageProps): VNode {
  const [tab = '', query = ''] = part.split('?')
  const account = useLoaded(() => accountOf(address), [address, chainVersion.value])
  const name = nameOf(address)
  usePageTitle(name ?? `Account ${shortened(address)}`)
  return (
    <>
      <Showing of={account}>
        {(loaded) => {
          const names = tabsOf(loaded)
          return (
            <>
              <p class="kind">{kindOf(loaded)}</p>
              <h1>{name === undefined ? shortened(address) : <ChainText text={name} />}</h1>
              {tab !== '' && <Facts address={address} {...loaded} />}
              <nav class="tabs" aria-label="Parts of the account">
                {TABS.filter(([name]) => names.includes(name)).map(([name, label]) => (
                  <a
                    key={name}
                    href={`#/address/${address}${name === '' ? '' : `/${name}`}`}
                    aria-current={name === tab ? 'page' : undefined}
                  >
                    {label}
                  </a>
                ))}
              </nav>
              <Tab key={address} address={address} tab={tab} query={query} account={loaded} />
            </>
          )
        }}
      </Showing>
    </>
  )
}

/** Values that are shown above every part. */
const Facts = ({ address, balance, contract }: Account & { readonly address: string }): VNode => (
  <p class="facts">
    <Hex value={address} isWhole />
    {contract?.implementation !== undefined && (
      <span>
        runs <AddressName value={contract.implementation.address} />
      </span>
    )}
    <Amount wei={balance} />
  </p>
)

function kindOf({ code, contract }: Account): string {
  if (contract?.isNative === true) return 'Precompile'
  if (DELEGATION.test(code)) return 'Account with delegated code'
  if (code === '0x' && contract === null) return 'Account'
  return contract?.implementation === undefined ? 'Contract' : 'Proxy contract'
}

function tabsOf({ code, contract }: Account): readonly TabName[] {
  const always = ['', 'transactions'] as const
  if (contract?.isNative === true) {
    const hasFunctions = contract.abi.length > 0
    return hasFunctions ? [...always, 'functions', 'storage', 'events'] : always
  }
  if (code === '0x' && contract === null) return always
  return [...always, ...(contract === null ? [] : (['functions'] as const)), 'code', 'storage', 'events']
}

interface TabProps extends PartProps {
  readonly tab: string
  readonly account: Account
}

function Tab({ address, tab, query, account }: TabProps): VNode {
  const { code, contract } = account
  switch (tab) {
    case '':
      return (
        <>
          <Section title="Account">
            <Fields rows={fieldsOf(address, account)} />
          </Section>
          <BalanceHistory address={address} />
          <Section title="Transactions">
            <AccountTransactions address={address} query={query} />
          </Section>
        </>
      )
    case 'transactions':
      return (
        <section>
          <AccountTransactions address={address} query={query} />
        </section>
      )
    case 'functions':
      return contract === null ? (
        <p class="quiet">No contract is known at this address.</p>
      ) : (
        <ContractPanel address={address} contract={contract} />
      )
    case 'code':
      return code === '0x' ? (
        <p class="quiet">The account has no code.</p>
      ) : (
        <ContractCode address={address} query={query} code={code} contract={contract} />
      )
    case 'storage':
      return (
        <section>
          {code === '0x' && contract === null ? (
            <p class="quiet">The account has no code, and so no storage.</p>
          ) : (
            <ContractStorage address={address} query={query} />
          )}
        </section>
      )
    case 'events':
      return (
        <section>
          <ContractEvents address={address} query={query} contract={contract} />
        </section>
      )
  }
  return (
    <p class="error" role="alert">
      There is no such part of the page.
    </p>
  )
}

/** Code of an account that runs that of another one (EIP-7702). */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/

function fieldsOf(address: string, { balance, nonce, code, contract }: Account) {
  const delegate = DELEGATION.exec(code)?.[1]
  return [
    ['Address', <Hex value={address} isWhole />],
    ['Contract', contract === null ? undefined : <ContractName {...contract} />],
    ['Source', contract?.file && <ChainText text={contract.file} />],
    ['Compiler', contract?.compiler || undefined],
    [
      'Runs the code of',
      contract?.implementation && <AddressLink value={contract.implementation.address} isWhole />,
    ],
    ['Delegates to', delegate && <AddressLink value={`0x${delegate}`} isWhole />],
    ['Balance', <Amount wei={balance} />],
    ['Tokens', <TokenBalances address={address} />],
    ['Nonce', <Count of={nonce} />],
    ['Code', code === '0x' || contract?.isNative === true ? undefined : <CodeSize code={code} />],
  ] as const
}

const ContractName = ({ name, isNative }: Contract): VNode => (
  <>
    {name === undefined ? <span class="quiet">not known</span> : <ChainText text={name} />}
    {isNative === true && <span class="quiet">, part of the node: it has no code of its own</span>}
  </>
)

const CodeSize = ({ code }: { readonly code: string }): VNode => (
  <>
    <Count of={code.length / 2 - 1} /> bytes
  </>
)

async function accountOf(address: string): Promise<Account> {
  const [balance, nonce, code, contract] = await Promise.all([
    ask('eth_getBalance', address, 'latest'),
    ask('eth_getTransactionCount', address, 'latest'),
    ask('eth_getCode', address, 'latest'),
    contractAt(address),
  ])
  return { balance, nonce, code, contract }
}
