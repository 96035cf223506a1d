/** Schemas of explanations and of what is known of contracts, for documents, tests and types. The node does not validate its explanations with them. */

import * as z from 'zod'
import type { DecodedValue, NamedValue } from '../abi/fragments.ts'
import { addressText, count, dataText, hashText, list, quantityText, text, flag } from './results.ts'

const status = z.enum(['success', 'reverted', 'failed'])

const decodedValue: z.ZodType<DecodedValue> = z
  .union([text, z.boolean(), list(z.lazy(() => z.union([decodedValue, namedValue])))])
  .meta({ id: 'DecodedValue' })

const namedValue: z.ZodType<NamedValue> = z
  .strictObject({ name: text, type: text, value: decodedValue })
  .meta({ id: 'NamedValue' })

const namedValues = list(namedValue)

/** Names of accounts and units of tokens, by address in lower case. */
export const accountNames = z.strictObject({
  names: z.record(z.string(), text),
  units: z.record(z.string(), z.strictObject({ symbol: text, decimals: z.int().nonnegative() })),
})

const reason = z.strictObject({ kind: text, message: text })

const stackEntry = z.strictObject({
  address: addressText,
  contract: text.optional(),
  function: text.optional(),
  file: text.optional(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  excerpt: text.optional(),
  /** How to get the line, if the artifacts lack what it needs. */
  hint: text.optional(),
})

/** The functions that ran when an execution failed, the innermost first. */
export const solidityStack = list(stackEntry)

const event = z.strictObject({
  address: addressText,
  /** Signature of the event. */
  event: text.optional(),
  values: namedValues.optional(),
  topics: list(hashText),
  data: dataText,
})

/** A call, or what it did, in order. */
export type StepResult =
  | { readonly call: CallResult }
  | { readonly event: z.output<typeof event> }
  | { readonly console: string }

/** Names and decoded values are absent where the contract is not known. */
const callMembers = z.strictObject({
  kind: text,
  from: addressText,
  to: addressText,
  contract: text.optional(),
  /** The contract behind a proxy, which has the function. */
  implementation: text.optional(),
  /** Signature of the function, `constructor`, `receive` or `fallback`. */
  function: text.optional(),
  arguments: namedValues.optional(),
  results: namedValues.optional(),
  input: dataText,
  output: dataText,
  value: quantityText,
  gas: quantityText,
  gasUsed: quantityText,
  status,
  reason: reason.optional(),
  /** It failed and its caller continued, or failed for another reason. */
  isCaught: z.literal(true).optional(),
  /** Number of further steps of a large execution, which are left out. */
  omittedSteps: z.int().positive().optional(),
})

/** A call, a creation or a self-destruct, with the calls, events and console output of the frame. */
export interface CallResult extends z.output<typeof callMembers> {
  readonly steps: readonly StepResult[]
}

const call: z.ZodType<CallResult> = callMembers
  .extend({
    get steps() {
      return list(step)
    },
  })
  .meta({ id: 'ExplainedCall' })

const step: z.ZodType<StepResult> = z.union([
  z.strictObject({ call }),
  z.strictObject({ event }),
  z.strictObject({ console: text }),
])

/** A function with the gas that its calls used, without the gas of their own calls. */
const gasSpender = z.strictObject({
  address: addressText,
  contract: text.optional(),
  function: text.optional(),
  gas: quantityText,
})

/** A variable that changed, or a slot whose variable is not known. */
const storageChange = z.strictObject({
  address: addressText,
  slot: hashText,
  /** Such as `balances[0x...]`. */
  variable: text.optional(),
  /** Type of the variable in Solidity. */
  type: text.optional(),
  /** Values as text: decimal numbers, or hex for a slot whose variable is not known. */
  before: text,
  after: text,
})

/** A movement of tokens (ERC-20, ERC-721, or ERC-1155 of one id). */
const tokenTransfer = z.strictObject({
  token: addressText,
  from: addressText,
  to: addressText,
  /** Absent for tokens without ids (ERC-20). */
  id: quantityText.optional(),
  amount: quantityText,
})

/** An explanation of an execution. Members of unknown contracts are absent. */
export const explanationObject = z.strictObject({
  status,
  gasUsed: quantityText,
  /** Why it failed. */
  reason: reason.optional(),
  /** The functions that used most gas, calls not counted, if the gas ran out and no calls are left out. */
  gasSpent: list(gasSpender).optional(),
  stack: solidityStack.optional(),
  call,
  storage: list(storageChange),
  balances: list(z.strictObject({ address: addressText, before: quantityText, after: quantityText })),
  tokens: list(tokenTransfer),
  /** Time of the revert that removed the transaction. */
  removedAt: text.optional(),
  ...accountNames.partial().shape,
})

export type ExplanationResult = z.output<typeof explanationObject>

/** Changes that were not reverted. */
export type StateChanges = Pick<ExplanationResult, 'storage' | 'balances'>

export type TokenTransfer = ExplanationResult['tokens'][number]

/** A test that failed, as its runner describes it. */
export const testObject = z.strictObject({
  title: text,
  /** Path of its file. */
  file: text.optional(),
  /** Line of the file at which it failed. */
  line: z.int().positive().optional(),
  /** Message of its error. */
  error: text,
  /** Id of the failure by which it failed; absent if it is not certain, or if no execution failed. */
  failure: z.int().positive().optional(),
})

export type TestResult = z.output<typeof testObject>

/** A failed execution that the node keeps. */
export const failureObject = z.strictObject({
  /** Later failures have higher ids. */
  id: z.int().positive(),
  kind: z.enum(['transaction', 'call', 'estimate']),
  /** Of a transaction. */
  hash: hashText.optional(),
  world: text.nullable(),
  time: text,
  removedAt: text.optional(),
  gasUsed: quantityText,
  reason: text,
  /** What was called; a function and its arguments if the contract is known. */
  to: addressText.optional(),
  contract: text.optional(),
  function: text.optional(),
  arguments: namedValues.optional(),
  /** Where it failed, if that is known, or how to know it. */
  place: stackEntry.optional(),
  /** The failed test in which it ran. */
  test: testObject.optional(),
  /** The ids of the executions that ran in the test, in order; those that succeeded too. Of failures of a report only. */
  executions: list(z.int().positive()).optional(),
})

/** A failed execution, as a client reads it. */
export type FailureResult = z.output<typeof failureObject>

/** What `dev-node exec --json` prints when its command has ended. */
export const endedEvent = z.strictObject({
  event: z.literal('ended'),
  /** Exit code of the command. */
  code: count,
  /** If the command failed: those that made tests fail, newest first, or all if no runner has told which tests failed. */
  failures: list(failureObject),
})

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

export type StoredVariables = z.output<typeof storedVariablesObject>
