/**
 * The questions of a fork to its remote whose answers never change. Answers are untrusted: schemas (schema/remote.ts) read them,
 * and the error names the wrong member.
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
  /** The block whose state is read; it becomes the last param. Absent in questions about history. */
  readonly block?: BlockId | undefined
  /** Whether a failure of the call in the question is an answer too: `{ failure: "<message>" }`. */
  readonly mayFail?: boolean
  /** Refuses an invalid answer: it is not stored, and the next remote is asked. @throws NodeError 'remoteFailed' */
  readonly check?: ((answer: unknown) => void) | undefined
}

/** The question for a block of the chain. A fork begins with these. */
export const blockQuestion = (number: bigint): Question => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
})

export const ACCOUNT_METHODS = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']

export const keyOf = ({ method, params, block }: Question): string =>
  `${method} ${JSON.stringify(block === undefined ? params : [...params, block.hash])}`

/** Reads an answer by a schema. Errors name the subject. @throws NodeError 'remoteFailed' */
export function readRemote<T>(schema: z.ZodType<T>, answer: unknown, subject: string): T {
  const parsed = schema.safeParse(answer, {
    reportInput: true,
    // Values have their schema's error; these are the errors of lists and objects.
    error: (issue) => (issue.code === 'invalid_type' ? `expected an ${issue.expected}` : undefined),
  })
  if (parsed.success) return parsed.data
  const described = parsed.error.issues
    .slice(0, 1)
    .map((issue) => `${describeIssue(issue)}, got ${show(issue.input)}`)
  throw new NodeError('remoteFailed', `the remote's ${subject}: ${described.join()}`)
}

/** Members that this node does not produce, such as those of rollups. Absent if there are none. */
export function unknownMembers(object: object, known: object): Readonly<Record<string, unknown>> | undefined {
  const members = Object.entries(object).filter(([name]) => !(name in known))
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** A remote's object with neutral member names. The remote may use these or the network's own names. */
export function withNeutralNames(answer: unknown, names: NetworkNames): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const members = new Map<string, unknown>(Object.entries(answer))
  for (const [neutral, own] of memberNames(names)) {
    const value = members.get(own)
    if (value !== undefined && !members.has(neutral)) members.set(neutral, value)
  }
  return Object.fromEntries(members)
}
