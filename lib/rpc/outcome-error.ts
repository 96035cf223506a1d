/** Makes errors and short reasons from the outcomes of failed executions. */

import { PHRASES } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import { toHex, type Hash } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { FailureKind } from '../insight/explain/reason.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { Node } from '../node/node.ts'
import type { WireError } from '../schema/report-results.ts'
import { toWireError } from './error-codes.ts'
import { isCustomError, shortReason, type CustomErrorNames } from '../abi/revert-reason.ts'

/** Error data of an exception, which has no return data: test matchers recognize a failed execution by its error data. */
const NO_RETURN_DATA = { data: '0x' }

/** The exception that more gas can prevent, as the EVM names it. */
const OUT_OF_GAS = 'out of gas'

/** The error of a failed execution; `txHash` if the transaction was mined. `remark` follows the name of an exception. */
export function failureOf(outcome: Outcome, txHash?: Hash, remark = ''): NodeError {
  const mined = txHash === undefined ? {} : { txHash }
  if (outcome.status === 'reverted') {
    const data = toHex(outcome.returnData)
    return new NodeError('reverted', `execution reverted: ${shortReason(data)}`, { data, ...mined })
  }
  const exception = present(outcome.exception, 'exception of a failed execution')
  return new NodeError('executionFailed', `${exception}${remark}`, {
    ...NO_RETURN_DATA,
    ...mined,
    phrases: exception === OUT_OF_GAS ? PHRASES.outOfGas(remark) : undefined,
  })
}

/** Reasons that revert data or the name of an exception state. */
const EXPLICIT: ReadonlySet<FailureKind> = new Set([
  'text',
  'panic',
  'custom error',
  'no reason',
  'exception',
])

/** The reason that an explanation infers; undefined if revert data or exception state it. */
export const inferredText = (failure: ExplainedFailure | undefined): string | undefined =>
  failure === undefined || EXPLICIT.has(failure.reason.kind) ? undefined : failure.reason.message

/** Why an execution failed, in a few words. An inferred reason precedes the name of the exception and the revert data. */
export function failureText(
  { exception, returnData }: Outcome,
  nameOf: CustomErrorNames,
  failure?: ExplainedFailure,
): string {
  return inferredText(failure) ?? exception ?? shortReason(toHex(returnData), nameOf)
}

/** The error of a mined transaction that failed; out of gas, its message mentions the default gas that the request got. */
export function minedFailureOf(outcome: Outcome, txHash: Hash, defaultGas?: bigint): NodeError {
  if (defaultGas === undefined || outcome.exception !== OUT_OF_GAS) return failureOf(outcome, txHash)
  const remark = `: the request named no gas and got ${defaultGas}; --default-gas estimate has the node estimate it`
  return failureOf(outcome, txHash, remark)
}

/** The error of an estimate whose execution fails even with the highest allowed gas limit; in Hardhat always that of a call. */
export function estimateFailureOf(outcome: Outcome, dialect: Dialect): NodeError {
  if (outcome.status === 'reverted' || dialect === 'hardhat') return failureOf(outcome)
  const exception = present(outcome.exception, 'exception of a failed execution')
  const text =
    exception === OUT_OF_GAS ? `gas required exceeds allowance (${outcome.gasUsed}): ${exception}` : exception
  return new NodeError('estimationFailed', text, NO_RETURN_DATA)
}

/** The error of a failed execution inside a successful response; looks up custom errors. Absent if it succeeded. */
export async function wireErrorOf(
  outcome: Outcome,
  { customErrors }: Node,
  dialect: Dialect,
  explained: (outcome: Outcome) => ExplainedFailure | undefined,
): Promise<WireError | undefined> {
  if (outcome.status === 'success') return undefined
  const error = failureOf(outcome)
  const { data = '0x' } = error.details
  if (isCustomError(data)) await customErrors.resolve(data)
  return toWireError(error, dialect, { nameOf: customErrors.textOf, failure: explained(outcome) })
}
