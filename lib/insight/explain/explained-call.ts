/** The calls of an execution with names and decoded values, as far as the contracts are known. */

import {
  eventOfLog,
  eventValues,
  fragmentSignature,
  functionCalled,
  functionRun,
  functionTitle,
  namedValues,
} from '../../abi/fragments.ts'
import type { AbiFragment, NamedValue } from '../../abi/fragments.ts'
import type { CustomErrorNames } from '../../abi/revert-reason.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import type { Address } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { CONSOLE_ADDRESS } from '../../evm/outcome.ts'
import type { EnterEvent, ExitEvent } from '../../evm/observer.ts'
import type { Log } from '../../evm/outcome.ts'
import { isCreation } from '../trace/call-tree.ts'
import type { ExecutedFrame, FrameAction } from './executed-frame.ts'
import type { FailureReason } from './failure-reason.ts'
import type { ContractFinder, Implementations } from './implementations.ts'
import { failureReason } from './reason.ts'
import { passedOn } from './solidity-stack.ts'

/** A call, a creation or a self-destruct. Names and decoded values are undefined where the contract is not known. */
export interface ExplainedCall
  extends Omit<EnterEvent, 'depth' | 'isPrecompile'>, Pick<ExitEvent, 'output' | 'gasUsed' | 'status'> {
  readonly contract: string | undefined
  /** The contract behind a proxy, which has the function; undefined for other contracts. */
  readonly implementation: string | undefined
  /** Signature of the function, `constructor`, `receive` or `fallback`. */
  readonly function: string | undefined
  readonly arguments: readonly NamedValue[] | undefined
  readonly results: readonly NamedValue[] | undefined
  /** Undefined after a success. */
  readonly failure: FailureReason | undefined
  /** Whether it failed and its caller continued, or failed for another reason. */
  readonly isCaught: boolean
  /** Calls, events and console output of the frame, in order. */
  readonly steps: readonly ExplainedStep[]
  /** Number of further steps, which are left out. */
  readonly omittedSteps: number
}

/** A log with its event; undefined members where it is not known. */
interface ExplainedEvent {
  readonly log: Log
  /** Signature of the event. */
  readonly event: string | undefined
  readonly values: readonly NamedValue[] | undefined
}

/** Something that a frame did. */
export type ExplainedStep =
  { readonly call: ExplainedCall } | { readonly event: ExplainedEvent } | { readonly console: string }

/** The sources of the names in an explanation. */
export interface ExplanationNames {
  readonly errorText: CustomErrorNames
  readonly contractAt: ContractFinder['contractAt']
  readonly implementations: Implementations
  readonly consoleText: (input: Uint8Array) => string
}

/** Explains the calls of a frame. */
export function explainCall(frame: ExecutedFrame, names: ExplanationNames, isCaught = false): ExplainedCall {
  const { kind, from, to, value, gas, input, omittedSteps } = frame
  const { output, gasUsed, status } = present(frame.exit, 'end of a frame')
  const contract = frame.mapped?.contract ?? names.contractAt(to)
  const implementation = names.implementations.get(frame)
  const declaring = implementation ?? contract
  const abi = declaring?.abi ?? []
  const called = isCreation(frame) ? undefined : functionCalled(abi, input)
  const results = status === 'success' ? called?.outputs : undefined
  return {
    kind,
    from,
    to,
    value,
    gas,
    input,
    output,
    gasUsed,
    status,
    isCaught,
    omittedSteps,
    contract: contract?.name,
    implementation: implementation?.name,
    function: declaring && functionName(frame, abi),
    arguments: argumentsOf(frame, abi, called),
    results: results && namedValues(results, output),
    failure: status === 'success' ? undefined : failureReason(frame, names.errorText),
    steps: frame.steps.map((step) => explainStep(step, frame, { abi: contract?.abi ?? [], names })),
  }
}

function functionName(frame: ExecutedFrame, abi: readonly AbiFragment[]): string | undefined {
  if (isCreation(frame)) return 'constructor'
  const run = functionRun(abi, frame.input)
  return run && functionTitle(run)
}

/** Arguments follow the selector, or the code of a creation. */
function argumentsOf(
  frame: ExecutedFrame,
  abi: readonly AbiFragment[],
  called?: AbiFragment,
): readonly NamedValue[] | undefined {
  if (called !== undefined) return namedValues(called.inputs ?? [], frame.input.subarray(SELECTOR_LENGTH))
  if (!isCreation(frame) || frame.mapped === undefined) return undefined
  const { inputs = [] } = abi.find(({ type }) => type === 'constructor') ?? {}
  return namedValues(inputs, frame.input.subarray(frame.mapped.compiled?.bytes.length ?? frame.input.length))
}

function explainStep(
  step: FrameAction,
  frame: ExecutedFrame,
  { abi, names }: { readonly abi: readonly AbiFragment[]; readonly names: ExplanationNames },
): ExplainedStep {
  if ('log' in step) return { event: explainEvent(step.log, abi, names) }
  if (step.frame.to === CONSOLE_ADDRESS) return { console: names.consoleText(step.frame.input) }
  const hasFailed = step.frame.exit?.status !== 'success'
  return { call: explainCall(step.frame, names, hasFailed && passedOn(frame)?.frame !== step.frame) }
}

/** A library's events are declared by the library, or by the contract that it runs for. */
function explainEvent(
  log: Log,
  abi: readonly AbiFragment[],
  { contractAt }: ExplanationNames,
): ExplainedEvent {
  const event = eventOfLog(abi, log) ?? eventOfLog(contractAt(log.address)?.abi ?? [], log)
  return { log, event: event && fragmentSignature(event), values: event && eventValues(event, log) }
}

/** Gas that the calls of a function used, without the gas of their own calls. */
export interface FunctionGasSpent {
  readonly address: Address
  readonly contract: string | undefined
  readonly function: string | undefined
  readonly gas: bigint
}

const MAX_FUNCTIONS = 3

/** The three functions with the largest use of gas, largest first; undefined if calls of a large execution are left out. */
export function largestGasSpent(root: ExplainedCall): readonly FunctionGasSpent[] | undefined {
  const spent = new Map<string, FunctionGasSpent>()
  let omitted = 0
  const visit = ({ to: address, contract, gasUsed, steps, omittedSteps, ...call }: ExplainedCall): void => {
    omitted += omittedSteps
    const calls = steps.flatMap((step) => ('call' in step ? [step.call] : []))
    const key = `${address} ${call.function ?? ''}`
    const before = spent.get(key)?.gas ?? 0n
    const gas = calls.reduce((rest, inner) => rest - inner.gasUsed, before + gasUsed)
    spent.set(key, { address, contract, function: call.function, gas })
    calls.forEach(visit)
  }
  visit(root)
  if (omitted > 0) return undefined
  return [...spent.values()]
    .filter(({ gas }) => gas > 0n)
    .sort((one, other) => (one.gas < other.gas ? 1 : -1))
    .slice(0, MAX_FUNCTIONS)
}
