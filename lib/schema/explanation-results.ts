/** Schemas of explanations, for documents and tests. The node does not validate its explanations with them. */

import * as z from 'zod'
import { addressText, dataText, hashText, list, quantityText, text } from './results.ts'

const status = z.enum(['success', 'reverted', 'failed'])

/** A decoded value: numbers in decimal digits, bytes as hex, a list as an array, a tuple as an array of its named members. */
export type ValueResult = string | boolean | readonly (ValueResult | NamedValueResult)[]

/** A value with its name and its type in Solidity. */
export interface NamedValueResult {
  readonly name: string
  readonly type: string
  readonly value: ValueResult
}

const decodedValue: z.ZodType<ValueResult> = z
  .union([text, z.boolean(), list(z.lazy(() => z.union([decodedValue, namedValue])))])
  .meta({ id: 'DecodedValue' })

const namedValue: z.ZodType<NamedValueResult> = z
  .strictObject({ name: text, type: text, value: decodedValue })
  .meta({ id: 'NamedValue' })

const namedValues = list(namedValue)

const reason = z.strictObject({ kind: text, message: text })

const stackEntry = z.strictObject({
  address: addressText,
  contract: text.optional(),
  function: text.optional(),
  file: text.optional(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  excerpt: text.optional(),
})

/** The functions that ran when an execution failed, the innermost first. */
export const solidityStack = list(stackEntry)

const event = z.strictObject({
  address: addressText,
  event: text.optional(),
  values: namedValues.optional(),
  topics: list(hashText),
  data: dataText,
})

/** A call, or what it did, in order. */
export type StepResult =
  { readonly call: CallResult } | { readonly event: z.output<typeof event> } | { readonly console: string }

const callMembers = z.strictObject({
  kind: text,
  from: addressText,
  to: addressText,
  contract: text.optional(),
  implementation: text.optional(),
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
  isCaught: z.literal(true).optional(),
  /** Number of further steps of a large execution, which are left out. */
  omittedSteps: z.int().positive().optional(),
})

/** A call of an explanation. */
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

const gasSpender = z.strictObject({
  address: addressText,
  contract: text.optional(),
  function: text.optional(),
  gas: quantityText,
})

const storageChange = z.strictObject({
  address: addressText,
  slot: hashText,
  variable: text.optional(),
  type: text.optional(),
  before: text,
  after: text,
})

const tokenTransfer = z.strictObject({
  token: addressText,
  from: addressText,
  to: addressText,
  id: quantityText.optional(),
  amount: quantityText,
})

/** An explanation of an execution. Members of unknown contracts are absent. */
export const explanationObject = z.strictObject({
  status,
  gasUsed: quantityText,
  /** Why it failed. */
  reason: reason.optional(),
  /** The functions that used most gas, calls not counted, if the gas ran out. */
  gasSpent: list(gasSpender).optional(),
  stack: solidityStack.optional(),
  call,
  storage: list(storageChange),
  balances: list(z.strictObject({ address: addressText, before: quantityText, after: quantityText })),
  tokens: list(tokenTransfer),
})

/** An explanation, as a client reads it. */
export type ExplanationResult = z.output<typeof explanationObject>

/** The response to a request for the explanation of a transaction. */
export const explanationResponse = z.union([
  z.object({ result: explanationObject.nullable() }),
  z.object({ error: z.object({ message: z.string() }) }),
])
