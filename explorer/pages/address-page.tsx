/** An account: balance, transactions, and of a contract its functions, code, storage and events. */

import type { VNode } from 'preact'
import { contractAt } from '../client/contracts.ts'
import type { Contract } from '../client/contracts.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import type { PartProps } from '../parts/account-transactions.tsx'
import { AccountTransactions } from '../parts/account-transactions.tsx'
import { BalanceHistory } from '../parts/balance-history.tsx'
import { ChainText } from '../parts/chain-text.tsx'
import { ContractCode } from '../parts/contract-code.tsx'
import { ContractEvents } from '../parts/contract-events.tsx'
import { ContractPanel } from '../parts/contract-panel.tsx'
import { ContractStorage } from '../parts/contract-storage.tsx'
import { AddressLink, Hex } from '../parts/hex.tsx'
import { Amount, Count, Fields, Section, Showing } from '../parts/page-parts.tsx'
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
  return (
    <>
      <h1>Account</h1>
      <Showing of={account}>
        {(loaded) => {
          const names = tabsOf(loaded)
          return (
            <>
              <Fields rows={fieldsOf(address, loaded)} />
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
              <Tab key={address} address={address} tab={tab} query={query} {...loaded} />
            </>
          )
        }}
      </Showing>
    </>
  )
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

function Tab({ address, tab, query, code, contract }: Account & PartProps & { readonly tab: string }): VNode {
  switch (tab) {
    case '':
      return (
        <>
          <BalanceHistory address={address} />
          <Section title="Transactions">
            <AccountTransactions address={address} query={query} />
          </Section>
        </>
      )
    case 'transactions':
      return <AccountTransactions address={address} query={query} />
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
        <ContractCode address={address} query={query} code={code} />
      )
    case 'storage':
      return <ContractStorage address={address} query={query} />
    case 'events':
      return <ContractEvents address={address} query={query} contract={contract} />
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
    ['Runs the code of', contract?.implementation && <Implementation {...contract.implementation} />],
    ['Delegates to', delegate && <AddressLink value={`0x${delegate}`} isWhole />],
    ['Balance', <Amount wei={balance} />],
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

const Implementation = ({ address, name }: NonNullable<Contract['implementation']>): VNode => (
  <>
    {name !== undefined && (
      <>
        <ChainText text={name} /> at{' '}
      </>
    )}
    <AddressLink value={address} isWhole />
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
