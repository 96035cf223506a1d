/** Explanations as the results of methods. */

import type * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import type { ExplainedCall, ExplainedStep } from '../../insight/explain/explained-call.ts'
import type { Explanation } from '../../insight/explain/explainer.ts'
import type { FailureReason } from '../../insight/explain/failure-reason.ts'
import type { explanationObject } from '../../schema/explanation-results.ts'

type WireExplanation = z.input<typeof explanationObject>
type WireCall = WireExplanation['call']

/** An explanation. JSON leaves out what is undefined. */
export function renderExplanation(explanation: Explanation): WireExplanation {
  const { outcome, failure, gasSpent, call, storage, balances, transfers } = explanation
  return {
    status: outcome.status,
    gasUsed: toQuantity(outcome.gasUsed),
    reason: failure && renderReason(failure.reason),
    gasSpent: gasSpent?.map(({ gas, ...spender }) => ({ ...spender, gas: toQuantity(gas) })),
    stack: failure?.stack,
    call: renderCall(call),
    storage,
    balances: balances.map(({ address, before, after }) => ({
      address,
      before: toQuantity(before),
      after: toQuantity(after),
    })),
    tokens: transfers.map(({ id, amount, ...transfer }) => ({
      ...transfer,
      id: id === undefined ? undefined : toQuantity(id),
      amount: toQuantity(amount),
    })),
  }
}

const renderReason = ({ kind, message }: FailureReason) => ({ kind, message })

function renderCall(explained: ExplainedCall): WireCall {
  const { value, gas, gasUsed, input, output, failure, isCaught, steps, omittedSteps, ...call } = explained
  return {
    ...call,
    value: toQuantity(value),
    gas: toQuantity(gas),
    gasUsed: toQuantity(gasUsed),
    input: toHex(input),
    output: toHex(output),
    reason: failure && renderReason(failure),
    isCaught: isCaught || undefined,
    steps: steps.map(renderStep),
    omittedSteps: omittedSteps === 0 ? undefined : omittedSteps,
  }
}

function renderStep(step: ExplainedStep) {
  if ('call' in step) return { call: renderCall(step.call) }
  if ('console' in step) return step
  const { log, event, values } = step.event
  return { event: { address: log.address, event, values, topics: log.topics, data: toHex(log.data) } }
}
