/** The pages that a text can mean: of blocks, transactions, accounts, contracts, and their functions and events. */

import { ask } from './json-rpc.ts'
import { headNumber } from './live.ts'

/** A page, and how it is found. */
export interface Suggestion {
  readonly page: string
  readonly kind: 'block' | 'transaction' | 'account' | 'contract' | 'token' | 'function' | 'event'
  /** What is found, such as `Vault.deposit` or a hash. */
  readonly text: string
  /** The address of an account or contract, which tells those with one name apart. */
  readonly address?: string
}

/** Shortest beginning of an address or a selector that is sought: 0x and three digits. */
const MIN_DIGITS = 5

/** A whole hash or address, also as other programs write it: without 0x, or in capitals. */
const WHOLE_HEX = /^(?:0x)?(?=.*[a-f])([0-9a-f]{40}|[0-9a-f]{64})$/i

/** What a text can mean, the likeliest first; empty if nothing is found. */
export async function suggestionsFor(typed: string): Promise<readonly Suggestion[]> {
  if (typed === '') return []
  const text = typed.replace(WHOLE_HEX, '0x$1')
  if (/^\d+$/.test(text)) return [...blockAt(Number(text)), ...(await accountAt(Number(text)))]
  const index = /^(?:account\s*|#)(\d+)$/i.exec(text)?.[1]
  if (index !== undefined) return accountAt(Number(index))
  if (/^0x[0-9a-f]{64}$/i.test(text)) return [await hashed(text.toLowerCase())]
  if (/^0x[0-9a-f]{40}$/i.test(text)) return [{ page: `/address/${text}`, kind: 'account', text }]
  if (/^0x[0-9a-f]*$/i.test(text)) return beginningWith(text.toLowerCase())
  return named(text)
}

const blockAt = (number: number): readonly Suggestion[] =>
  number <= (headNumber.value ?? 0)
    ? [{ page: `/block/${number}`, kind: 'block', text: `Block ${number}` }]
    : []

async function accountAt(index: number): Promise<readonly Suggestion[]> {
  const address = (await ask('eth_accounts'))[index]
  return address === undefined ? [] : [accountOf(address, index)]
}

const accountOf = (address: string, index: number): Suggestion => ({
  page: `/address/${address}`,
  kind: 'account',
  text: `account ${index}`,
  address,
})

/** A hash that is of no block is taken for that of a transaction, which its page looks for further. */
async function hashed(hash: string): Promise<Suggestion> {
  const block = await ask('eth_getBlockByHash', hash, false)
  return block === null
    ? { page: `/tx/${hash}`, kind: 'transaction', text: hash }
    : { page: `/block/${hash}`, kind: 'block', text: `Block ${Number(block.number)}` }
}

async function beginningWith(digits: string): Promise<readonly Suggestion[]> {
  if (digits.length < 3) return []
  const [hashes, accounts, contracts] = await Promise.all([
    ask('dev_findTransactions', digits),
    ask('eth_accounts'),
    digits.length < MIN_DIGITS ? [] : named(digits),
  ])
  return [
    ...hashes.map((hash): Suggestion => ({ page: `/tx/${hash}`, kind: 'transaction', text: hash })),
    ...accounts.map(accountOf).filter(({ address }) => address?.startsWith(digits) === true),
    ...contracts,
  ]
}

const startsWith = (text: string, start: string): boolean =>
  text.toLowerCase().startsWith(start.toLowerCase())

/** A text as the page shows it, such as `Vault.deposit(uint256)`: the contract, and the name of its function or event. */
const WRITTEN = /^(?:([^.(]+)\.)?([^.(]*)(?:\(.*)?$/s

async function named(text: string): Promise<readonly Suggestion[]> {
  const [, owner = '', item = text] = WRITTEN.exec(text) ?? []
  const { contracts } = await ask('dev_findContracts', item)
  const { names } = await ask(
    'dev_nameAddresses',
    contracts.map(({ address }) => address),
  )
  const called = contracts.map((one) => ({ ...one, name: names[one.address] ?? one.name }))
  return called
    .filter(({ name }) => startsWith(name, owner))
    .flatMap(({ address, name, functions, events, symbol }): readonly Suggestion[] => {
      const page = `/address/${address}`
      const items = [
        ...functions.map((one) => ({ page: `${page}/functions`, kind: 'function', text: one }) as const),
        ...events.map((one) => ({ page: `${page}/events`, kind: 'event', text: one }) as const),
      ]
      if (items.length > 0) return items.map((one) => ({ ...one, text: `${name}.${one.text}`, address }))
      if (symbol !== undefined) return [{ page, kind: 'token', text: `${symbol} (${name})`, address }]
      return [{ page, kind: 'contract', text: name, address }]
    })
}
