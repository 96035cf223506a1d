/**
 * The questions of a fork to its remote whose answers never change, and the reading of answers by schemas (schema/remote.ts).
 * Answers are untrusted: a wrong member is an error that names it.
 */

import type * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import { toQuantity, type Hash } from '../base/hex.ts'
import { describeIssue } from '../config/issues.ts'
import { memberNames, type NetworkNames } from '../config/names.ts'
import { show } from '../config/values.ts'

export interface BlockId {
  readonly number: bigint
  readonly hash: Hash
}

/** A request whose answer never changes. */
export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
  /** The block whose state is read; it becomes the last param. Absent for questions about history. */
  readonly block?: BlockId | undefined
  /** Whether the failure of a call that the question contains is an answer too: `{ failure: "<message>" }`. */
  readonly mayFail?: boolean
  /** Refuses an answer of a wrong form: it is not stored, and the next remote is asked. @throws NodeError 'remoteFailed' */
  readonly check?: ((answer: unknown) => void) | undefined
}

/** The question about a block of the chain, which the first questions of a fork are. */
export const blockQuestion = (number: bigint): Question => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
})

export const ACCOUNT_METHODS = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']

export const keyOf = ({ method, params, block }: Question): string =>
  `${method} ${JSON.stringify(block === undefined ? params : [...params, block.hash])}`

/** An answer in the form of a schema; the subject names it in errors. @throws NodeError 'remoteFailed' */
export function readRemote<T>(schema: z.ZodType<T>, answer: unknown, subject: string): T {
  const parsed = schema.safeParse(answer, {
    reportInput: true,
    // Values have the error of their schema; these are the errors of lists and objects.
    error: (issue) => (issue.code === 'invalid_type' ? `expected an ${issue.expected}` : undefined),
  })
  if (parsed.success) return parsed.data
  const described = parsed.error.issues
    .slice(0, 1)
    .map((issue) => `${describeIssue(issue)}, got ${show(issue.input)}`)
  throw new NodeError('remoteFailed', `the remote's ${subject}: ${described.join()}`)
}

/** The members of an object that this node does not make, such as those of rollups. Absent without such members. */
export function unknownMembers(object: object, known: object): Readonly<Record<string, unknown>> | undefined {
  const members = Object.entries(object).filter(([name]) => !(name in known))
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** An object of a remote whose members have their neutral names, whether the remote uses them or those of the network. */
export function withNeutralNames(answer: unknown, names: NetworkNames): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const members = new Map<string, unknown>(Object.entries(answer))
  for (const [neutral, own] of memberNames(names)) {
    const value = members.get(own)
    if (value !== undefined && !members.has(neutral)) members.set(neutral, value)
  }
  return Object.fromEntries(members)
}
