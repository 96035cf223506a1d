/** Schemas of what is known of contracts: their names and their state. For types, documents and tests. */

import * as z from 'zod'
import { addressText, flag, hashText, list, text } from './results.ts'

/** The result of a search for contracts. */
export const contractSearch = z.strictObject({
  contracts: list(
    z.strictObject({
      address: addressText,
      /** Name of the contract, or of the one behind a proxy without a name. */
      name: text,
      /** Names of the functions that match, without repetition; empty if the name of the contract matches. */
      functions: list(text),
    }),
  ),
  /** Whether there are more than the limit. */
  hasMore: flag,
})

/** The result of a search for contracts. */
export type ContractSearch = z.output<typeof contractSearch>

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
