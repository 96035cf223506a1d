/** Methods that describe contracts and name accounts and transactions for people, like the log. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { readAbi } from '../../abi/fragments.ts'
import type { DescribedContract } from '../../insight/explain/account-contract.ts'
import { toQuantity, type Address } from '../../base/hex.ts'
import { contractActivity } from '../../chain/contract-activity.ts'
import type { AddressNames } from '../../node/address-names.ts'
import type { Node } from '../../node/node.ts'
import { contractList, contractSearch, accountNames } from '../../schema/explanation-results.ts'
import { address, hash } from '../../schema/wire.ts'
import { addressText, dataText, list, text } from '../../schema/results.ts'
import { command } from '../../kernel/control.ts'
import { param, readMethod } from '../../kernel/method.ts'
import type { ExplainedChain } from './explain.ts'
import { COW1, stateBlock, SENT } from './params.ts'
import { withPowers } from '../../base/decimal-text.ts'
import { failureText } from '../failed-executions.ts'

type DescribedChain = ExplainedChain & Pick<Node, 'chain' | 'customErrors' | 'mempool' | 'precompiles'>

const NAME_EXPECTED = 'expected the name of the contract'

const named = z.strictObject(
  {
    name: z.string(NAME_EXPECTED).min(1, NAME_EXPECTED),
    abi: z.array(z.looseObject({ type: z.string() }), 'expected the ABI, a list of objects'),
  },
  'expected an object with name and abi',
)

export const addContract = command({
  name: 'dev_addContract',
  summary:
    'Gives the contract at an address a name and an ABI: the log and errors then name its custom errors. A revert keeps the name; a later call replaces it.',
  params: [
    param('address', address, 'Address of the contract, which may be created later.'),
    param('contract', named, 'Name and ABI of the contract.'),
  ],
  example: {
    params: [COW1, { name: 'Bank', abi: [{ type: 'error', name: 'Broke', inputs: [] }] }],
    result: null,
  },
  run: ({ address: at, contract: { name, abi } }, { namedContracts }: Pick<Node, 'namedContracts'>) => {
    const wrong = abi.findIndex((item) => readAbi([item]).length === 0)
    if (wrong !== -1) throw invalidParams(`invalid contract: abi[${wrong}] is not an item of an ABI`)
    namedContracts.set(at, { name, abi: readAbi(abi) })
  },
})

const described = z.strictObject({
  address: addressText,
  name: text.optional(),
  /** The source's path, as the compiler names it. */
  file: text.optional(),
  compiler: text.optional(),
  /** The ABI as compilers write it. */
  abi: list(z.looseObject({ type: text })),
})

/** ABI items are plain objects, as they were read. */
function rendered(contract: DescribedContract): z.input<typeof described> {
  const { address: at, name, file, compiler, abi } = contract
  return { address: at, name, file, compiler, abi: abi.map((item) => ({ ...item })) }
}

/** A contract that is part of the node. Those of network 33 are called by selectors and have an ABI. */
function nativeContract(at: Address, { precompiles }: Pick<Node, 'precompiles'>) {
  const precompile = precompiles.get(at)
  if (precompile === undefined) return null
  const { abi, bySelector } = precompile.interface?.() ?? { abi: [], bySelector: [] }
  return {
    address: at,
    name: precompile.name,
    isNative: true as const,
    abi: abi.map((item) => ({ ...item })),
    bySelector: bySelector.map((item) => ({ ...item })),
  }
}

export const getContract = readMethod({
  name: 'dev_getContract',
  summary:
    'What is known of the contract at an address, from the artifacts or from dev_addContract: name, source, ABI; of a proxy or a clone also the contract that it runs. A contract that is part of the node has `isNative`; on network 33 it has an ABI, and in `bySelector` the items whose selector or topic is not the hash of their signature. Null if nothing is known.',
  params: [param('address', address, 'Address of the contract.'), stateBlock],
  result: described
    .extend({
      implementation: described.optional(),
      isNative: z.literal(true).optional(),
      bySelector: list(z.looseObject({ type: text, selector: dataText })).optional(),
    })
    .nullable(),
  example: { params: [COW1, 'latest'], result: null },
  run: async ({ address: at, block }, node: DescribedChain) => {
    const { state } = node.blockResolver.at(block)
    const contracts = await (await node.loadExplainer()).accountContracts()
    const contract = await node.withSources(() => contracts.at(at, state))
    if (contract === undefined) return nativeContract(at, node)
    const { implementation } = contract
    return { ...rendered(contract), implementation: implementation && rendered(implementation) }
  },
})

/** Maximum number of contracts in one answer. */
const MAX_FOUND = 100

const MAX_CHARACTERS = 200

const PART_EXPECTED = 'expected a part of a name'

const partOfName = z
  .string(PART_EXPECTED)
  .min(1, PART_EXPECTED)
  .max(MAX_CHARACTERS, `expected at most ${MAX_CHARACTERS} characters`)

export const findContracts = readMethod({
  name: 'dev_findContracts',
  summary:
    'Searches the contracts of the newest block. At most 100 contracts are found by a part of their name or of the name of a function or an event, in any letter case, or by the beginning of their address or of a selector; then at most 100 tokens by the beginning of their symbol. On a fork, only contracts whose accounts differ from those of the remote.',
  params: [
    param('text', partOfName, 'Part of a name, the beginning of a symbol, or 0x and the first digits.'),
  ],
  result: contractSearch,
  example: { params: ['Bank'], result: { contracts: [], hasMore: false } },
  run: async ({ text: part }, { chain, loadExplainer, loadAddressNames }: DescribedChain) => {
    const contracts = await (await loadExplainer()).accountContracts()
    const { state } = chain.head
    const matches = contracts.search(part, state, MAX_FOUND)
    const tokens = contracts.search('symbol', state, MAX_FOUND).contracts
    const units = await (await loadAddressNames()).unitsOf(tokens.map((token) => token.address))
    const matching = tokens.flatMap(({ address: at, name }) => {
      const symbol = units[at]?.symbol
      const isFound = symbol?.toLowerCase().startsWith(part.toLowerCase()) === true
      return isFound ? [{ address: at, name, functions: [], events: [], symbol }] : []
    })
    return { ...matches, contracts: [...matches.contracts, ...matching] }
  },
})

const MAX_LISTED = 1000

export const contracts = readMethod({
  name: 'dev_contracts',
  summary: `The contracts of the newest block, newest first, at most ${MAX_LISTED}, with the number of all: name, source, the contract behind a proxy, balance, creation, and the transactions that were sent to them. On a fork, only contracts whose accounts differ from those of the remote.`,
  result: contractList,
  run: async (_, { chain, loadExplainer }: DescribedChain) => {
    const known = await (await loadExplainer()).accountContracts()
    const all = contractActivity(chain)
    const { state } = chain.head
    const listed = all.slice(0, MAX_LISTED).map(([at, { block, gasUsed, ...activity }]) => {
      const { name, file, implementation } = known.at(at, state) ?? {}
      return {
        ...activity,
        address: at,
        name,
        file,
        implementation: implementation?.address,
        balance: toQuantity(state.balance(at)),
        blockNumber: block === undefined ? null : toQuantity(block),
        gasUsed: toQuantity(gasUsed),
      }
    })
    return { contracts: listed, total: all.length }
  },
})

const MAX_ITEMS = 1000

const many = <Name extends string, Item>(name: Name, item: z.ZodType<Item>) =>
  param(
    name,
    z.array(item, `expected a list of ${name}`).max(MAX_ITEMS, `expected at most ${MAX_ITEMS} items`),
    `At most ${MAX_ITEMS} ${name}.`,
  )

/** A chain whose accounts have names, or a file of failures. */
export interface NamedChain {
  readonly loadAddressNames: () => Promise<Pick<AddressNames, 'namesIn' | 'unitsOf'>>
}

export const nameAddresses = readMethod({
  name: 'dev_nameAddresses',
  summary:
    'Names of accounts by address: of contracts from the artifacts or dev_addContract, `account <index>` for accounts of the node, precompiles, well-known contracts, symbols of tokens; in `units` symbol and decimals of the tokens. Accounts without a name are left out.',
  params: [many('addresses', address)],
  result: accountNames,
  example: { params: [[COW1]] },
  run: async ({ addresses }, { loadAddressNames }: NamedChain) => {
    const names = await loadAddressNames()
    return { names: await names.namesIn(addresses.join(' ')), units: await names.unitsOf(addresses) }
  },
})

const describedTransaction = z.strictObject({
  /** Name or address of the sender. */
  from: text,
  call: text,
  /** Why it failed. */
  reason: text.optional(),
})

export const describeTransactions = readMethod({
  name: 'dev_describeTransactions',
  summary:
    'Mined and pooled transactions in words: sender and call with names, such as `Vault.deposit(12 MTK)`, `1.5 ether to account 2` or `new Vault at 0x...`, and the reason of a failed one; null for an unknown hash.',
  params: [many('hashes', hash)],
  result: list(describedTransaction.nullable()),
  example: { after: [SENT.step], params: [[SENT.hash]] },
  run: async ({ hashes }, { chain, mempool, customErrors, loadAddressNames }: DescribedChain) => {
    const names = await loadAddressNames()
    const descriptions: (z.input<typeof describedTransaction> | null)[] = []
    for (const wanted of hashes) {
      const pooled = mempool.get(wanted)?.transaction
      const receipt = pooled === undefined ? chain.receipt(wanted)?.receipt : undefined
      const transaction = pooled ?? receipt?.transaction
      if (transaction === undefined) {
        descriptions.push(null)
        continue
      }
      const outcome = receipt?.outcome
      const words = await names.describe(transaction, outcome)
      const hasFailed = outcome !== undefined && outcome.status !== 'success'
      const reason = hasFailed ? withPowers(failureText(outcome, customErrors.textOf)) : undefined
      descriptions.push({ ...words, reason })
    }
    return descriptions
  },
})
