/** Tells which functions used the gas of an execution that ran out of it. */

import type { Address } from '../base/hex.ts'
import type { ExplainedCall } from './explained-call.ts'

/** Gas that the calls of a function used, without the gas of their own calls. */
export interface FunctionGasSpent {
  readonly address: Address
  readonly contract: string | undefined
  readonly function: string | undefined
  readonly gas: bigint
}

const MAX_FUNCTIONS = 3

/** The functions that used most gas, the largest first; undefined if calls of a large execution are left out. */
export function largestGasSpent(root: ExplainedCall): readonly FunctionGasSpent[] | undefined {
  const spent = new Map<string, FunctionGasSpent>()
  let omitted = 0
  const visit = ({
    to: address,
    contract,
    function: called,
    gasUsed,
    steps,
    omittedSteps,
  }: ExplainedCall) => {
    omitted += omittedSteps
    const calls = steps.flatMap((step) => ('call' in step ? [step.call] : []))
    const key = `${address} ${called ?? ''}`
    const before = spent.get(key)?.gas ?? 0n
    const gas = calls.reduce((rest, call) => rest - call.gasUsed, before + gasUsed)
    spent.set(key, { address, contract, function: called, gas })
    calls.forEach(visit)
  }
  visit(root)
  if (omitted > 0) return undefined
  return [...spent.values()]
    .filter(({ gas }) => gas > 0n)
    .sort((one, other) => (one.gas < other.gas ? 1 : -1))
    .slice(0, MAX_FUNCTIONS)
}
