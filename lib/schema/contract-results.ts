/** Schemas of what is known of contracts: their names and their state. For types, documents and tests. */

import * as z from 'zod'
import { addressText, flag, hashText, list, quantityText, text } from './results.ts'

export const contractSearch = z.strictObject({
  contracts: list(
    z.strictObject({
      address: addressText,
      /** Name of the contract, or of the one behind a proxy without a name. */
      name: text,
      /** Names of the functions and events that match, without repetition; empty if the contract itself matches. */
      functions: list(text),
      events: list(text),
      /** Symbol of the token, if that matches. */
      symbol: text.optional(),
    }),
  ),
  /** Whether there are more than the limit. */
  hasMore: flag,
})

export type ContractSearch = z.output<typeof contractSearch>

/** Contracts of a chain, and the number of all. */
export const contractList = z.strictObject({
  contracts: list(
    z.strictObject({
      address: addressText,
      name: text.optional(),
      /** Path of the source, as the compiler names it. */
      file: text.optional(),
      implementation: addressText.optional(),
      balance: quantityText,
      /** The first block with its code; null if the states before it are not known. */
      blockNumber: quantityText.nullable(),
      /** The transaction that created it; null if a contract, the genesis block or an edit of the state did. */
      transactionHash: hashText.nullable(),
      /** Transactions to it and its creation, those of them that failed, and their gas. */
      transactions: z.int(),
      failed: z.int(),
      gasUsed: quantityText,
    }),
  ),
  total: z.int(),
})

/** State variables, or parts of them. */
export const storedVariablesObject = z.strictObject({
  variables: list(
    z.strictObject({
      /** Such as `owner`, `queue[3].amount` or `balances[0x...]`. */
      variable: text,
      /** Type in Solidity. */
      type: text,
      slot: hashText,
      /** Position of its lowest byte, counted from the lowest byte of the slot. */
      offset: z.int().nonnegative(),
      /** Value as text; absent for a mapping, whose keys are not stored. */
      value: text.optional(),
    }),
  ),
  /** Whether no limit has cut the answer: no item of an array, no byte of a text, no key that was to be tried. */
  isWhole: flag,
})

/** State variables. */
export type StoredVariables = z.output<typeof storedVariablesObject>
