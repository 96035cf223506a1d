/** What responses and log entries tell of an explained failure. */

import type { FailureKind } from '../explain/failure-reason.ts'
import type { ExplainedFailure } from '../explain/solidity-stack.ts'

/** The stack of a failure; undefined if it has no place in a source. */
export function knownStack(failure: ExplainedFailure | undefined): ExplainedFailure['stack'] | undefined {
  return failure?.stack.some(({ file }) => file !== undefined) === true ? failure.stack : undefined
}

/** Reasons that revert data or the name of an exception tell. */
const EXPLICIT: ReadonlySet<FailureKind> = new Set([
  'text',
  'panic',
  'custom error',
  'no reason',
  'exception',
])

/** The reason that an explanation infers: revert data and exception do not tell it. */
export const inferredText = (failure: ExplainedFailure | undefined): string | undefined =>
  failure === undefined || EXPLICIT.has(failure.reason.kind) ? undefined : failure.reason.message

/** Reasons for which Hardhat has the same words, except for figures in brackets at the end. */
const SAME_AS_HARDHAT: ReadonlySet<FailureKind> = new Set([
  'function not found',
  'not payable',
  'invalid call data',
  'library called directly',
  'no code',
  'call failed',
  'unexpected return data',
  'code too large',
])

/** Hardhat's words for other reasons. */
const OF_HARDHAT: Partial<Record<FailureKind, string>> = {
  'no result': 'Transaction reverted: function returned an unexpected amount of data',
  'out of gas': 'Transaction reverted: contract call run out of gas and made the transaction revert',
  'invalid instruction': 'VM Exception while processing transaction: invalid opcode',
}

/**
 * Hardhat's message for an inferred reason; undefined if its message is that of the revert data or of the exception.
 * The texts are those of Hardhat 2 (internal/hardhat-network/stack-traces/solidity-errors.ts).
 */
export function hardhatText({ reason: { kind, message } }: ExplainedFailure): string | undefined {
  return SAME_AS_HARDHAT.has(kind)
    ? `Transaction reverted: ${message.replace(/ \(.*$/, '')}`
    : OF_HARDHAT[kind]
}
