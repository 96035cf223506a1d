/** Methods that name accounts and transactions for people, as the log does. */

import * as z from 'zod'
import { withPowers } from '../../base/decimal-text.ts'
import { accountNames } from '../../schema/explanation-results.ts'
import { list, text } from '../../schema/results.ts'
import { address, hash } from '../../schema/wire.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { failureText } from '../outcome-error.ts'
import { COW1, SENT } from './examples.ts'

/** Maximum number of accounts or transactions in one request. */
const MAX_ITEMS = 1000

/** A param that is a list of such items. */
const many = <Name extends string, Item>(name: Name, item: z.ZodType<Item>) =>
  param(
    name,
    z.array(item, `expected a list of ${name}`).max(MAX_ITEMS, `expected at most ${MAX_ITEMS} items`),
    `At most ${MAX_ITEMS} ${name}.`,
  )

export const nameAddresses = readMethod({
  name: 'dev_nameAddresses',
  summary:
    'Names of accounts by address: of contracts from the artifacts or dev_addContract, `account <index>` for accounts of the node, precompiles, well-known contracts, symbols of tokens; in `units` symbol and decimals of the tokens. Accounts without a name are left out.',
  params: [many('addresses', address)],
  result: accountNames,
  example: { params: [[COW1]] },
  run: async ({ addresses }, { loadAddressNames }) => {
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
  run: async ({ hashes }, { chain, mempool, customErrors, loadAddressNames }) => {
    const names = await loadAddressNames()
    const described: (z.input<typeof describedTransaction> | null)[] = []
    for (const wanted of hashes) {
      const pooled = mempool.get(wanted)?.transaction
      const receipt = pooled === undefined ? chain.receipt(wanted)?.receipt : undefined
      const transaction = pooled ?? receipt?.transaction
      if (transaction === undefined) {
        described.push(null)
        continue
      }
      const outcome = receipt?.outcome
      const words = await names.describe(transaction, outcome)
      const hasFailed = outcome !== undefined && outcome.status !== 'success'
      const reason = hasFailed ? withPowers(failureText(outcome, customErrors.textOf)) : undefined
      described.push({ ...words, reason })
    }
    return described
  },
})
