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
import { toHex, toQuantity, type Address, type Hash } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { CONSOLE_ADDRESS, type Log } from '../../evm/outcome.ts'
import { libraryFunction } from '../artifacts/solidity-ast.ts'
import type { KnownSignatures } from '../artifacts/known-signatures.ts'
import type { CallResult, ExplanationResult, StepResult } from '../../schema/explanation-results.ts'
import { isCreation } from '../replay/call-tree.ts'
import type { ExecutedFrame, FrameAction } from './executed-frame.ts'
import type { ContractFinder, Implementations } from './implementations.ts'
import { withEnumNames, failureReason, type FailureReason } from './reason.ts'
import { passedOn } from './solidity-stack.ts'

/** Runs an explanation that may need sources of remote contracts. */
export type SourceAwaiter = <T>(explain: () => T | Promise<T>) => Promise<T>

/** Finds the sources of contracts that a fork has from its remote. */
export interface SourceFinder {
  /** Begins to look for a contract, once. */
  want(contract: RemoteContract): void
  /** Runs an explanation, and runs it again if missing contracts are found in time. */
  explained<T>(explain: () => T | Promise<T>, waitMs: number): Promise<T>
}

export interface RemoteContract {
  readonly chainId: bigint
  readonly address: Address
  readonly code: Uint8Array
  readonly codeHash: Hash
}

/** The contracts of artifacts and requests, with the texts of errors and of the console. */
export interface KnownContracts extends ContractFinder {
  readonly errorText: CustomErrorNames
  /** Names of what no contract declares. */
  readonly signatures: Pick<KnownSignatures, 'functionsOf' | 'eventOf' | 'callText' | 'load'>
  readonly consoleText: (input: Uint8Array) => string
  /** Reads new artifacts. */
  readonly refresh: () => Promise<void>
  /** Runs an explanation, and runs it again if missing sources of remote contracts are found. */
  readonly withSources: SourceAwaiter
}

interface ExplanationNames extends KnownContracts {
  readonly implementations: Implementations
}

export function explainCall(frame: ExecutedFrame, names: ExplanationNames, isCaught = false): CallResult {
  const { kind, from, to, value, gas, input, omittedSteps } = frame
  const { output, gasUsed, status } = present(frame.exit, 'end of a frame')
  const contract = frame.mapped?.contract ?? names.contractAt(to)
  const implementation = names.implementations.get(frame)
  const declaring = implementation ?? contract
  const abi = declaring?.abi ?? []
  const guessed =
    declaring === undefined && !isCreation(frame) && !frame.isPrecompile
      ? names.signatures.functionsOf(input)
      : []
  const called = isCreation(frame)
    ? undefined
    : (functionCalled(abi, input) ?? (guessed.length === 1 ? guessed[0] : undefined))
  const results = status === 'success' ? called?.outputs : undefined
  return {
    kind,
    from,
    to,
    value: toQuantity(value),
    gas: toQuantity(gas),
    input: toHex(input),
    output: toHex(output),
    gasUsed: toQuantity(gasUsed),
    status,
    isCaught: isCaught || undefined,
    omittedSteps: omittedSteps === 0 ? undefined : omittedSteps,
    contract: contract?.name,
    implementation: implementation?.name,
    function: declaring ? functionName(frame, abi) : guessed.map(fragmentSignature).join(' or ') || undefined,
    arguments: argumentsOf(frame, abi, called),
    results: results && namedValues(results, output),
    reason: status === 'success' ? undefined : shownReason(failureReason(frame, names.errorText)),
    steps: frame.steps.map((step) => explainStep(step, frame, { abi: contract?.abi ?? [], names })),
  }
}

/** A reason without the members that only a search for its place needs. */
export const shownReason = ({ kind, message }: FailureReason) => ({ kind, message })

function functionName(frame: ExecutedFrame, abi: readonly AbiFragment[]): string | undefined {
  if (isCreation(frame)) return 'constructor'
  const run = runFunction(frame, abi)
  return run && functionTitle(run)
}

/** The function that runs for call data, from an ABI or a library, whose ABI is incomplete. */
export const runFunction = (
  { mapped, input }: Pick<ExecutedFrame, 'mapped' | 'input'>,
  abi: readonly AbiFragment[],
): AbiFragment | undefined => functionRun(abi, input) ?? (mapped && libraryFunction(mapped.contract, input))

/** Arguments follow the selector, or the init code of a creation. */
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

interface StepNames {
  readonly abi: readonly AbiFragment[]
  readonly names: ExplanationNames
}

function explainStep(step: FrameAction, frame: ExecutedFrame, { abi, names }: StepNames): StepResult {
  if ('log' in step) return { event: explainEvent(step.log, frame, { abi, names }) }
  if (step.frame.to === CONSOLE_ADDRESS) return { console: names.consoleText(step.frame.input) }
  const hasFailed = step.frame.exit?.status !== 'success'
  return { call: explainCall(step.frame, names, hasFailed && passedOn(frame)?.frame !== step.frame) }
}

/** A library's events are declared in the library or in the contract that it runs for. */
function explainEvent(
  log: Log,
  { mapped }: ExecutedFrame,
  { abi, names: { contractAt, signatures } }: StepNames,
): Extract<StepResult, { readonly event: unknown }>['event'] {
  const known = eventOfLog(abi, log) ?? eventOfLog(contractAt(log.address)?.abi ?? [], log)
  const event = known ?? signatures.eventOf(log)
  const inputs = mapped ? withEnumNames(mapped.contract, event?.inputs ?? []) : event?.inputs
  return {
    address: log.address,
    event: event && fragmentSignature(event),
    values: event && eventValues({ ...event, inputs }, log),
    topics: log.topics,
    data: toHex(log.data),
  }
}

const MAX_FUNCTIONS = 3

type GasSpenders = NonNullable<ExplanationResult['gasSpent']>

/** The three functions that use the most gas, largest first; undefined if a large execution's calls were left out. */
export function largestGasSpent(root: CallResult): GasSpenders | undefined {
  const spent = new Map<string, Omit<GasSpenders[number], 'gas'> & { readonly gas: bigint }>()
  let omitted = 0
  const visit = ({ to: address, contract, gasUsed, steps, omittedSteps = 0, ...call }: CallResult): void => {
    omitted += omittedSteps
    const calls = steps.flatMap((step) => ('call' in step ? [step.call] : []))
    const key = `${address} ${call.function ?? ''}`
    const before = spent.get(key)?.gas ?? 0n
    const gas = calls.reduce((rest, inner) => rest - BigInt(inner.gasUsed), before + BigInt(gasUsed))
    spent.set(key, { address, contract, function: call.function, gas })
    calls.forEach(visit)
  }
  visit(root)
  if (omitted > 0) return undefined
  return [...spent.values()]
    .filter(({ gas }) => gas > 0n)
    .sort((one, other) => (one.gas < other.gas ? 1 : -1))
    .slice(0, MAX_FUNCTIONS)
    .map((spender) => ({ ...spender, gas: toQuantity(spender.gas) }))
}
