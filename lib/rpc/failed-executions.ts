/** The failed executions of a request or block, explained if contracts are known, and the errors made from them. */

import { isCustomError, shortReason, type CustomErrorNames } from '../abi/revert-reason.ts'
import { NodeError } from '../base/errors.ts'
import { toHex, type Hash } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import { NotLoadedError } from '../base/routine.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { LoggedBlock } from '../chain/filters/console-log.ts'
import type { TransactionRequest } from '../chain/simulation/transaction-request.ts'
import type { Dialect } from '../config/dialect.ts'
import { PHRASES } from '../config/phrases.ts'
import type { FailedRun, NodeHooks } from '../config/request-log.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { ExplainedFailures, ObservedCalls } from '../insight/explain/explainer.ts'
import type { FailureExplainer } from '../insight/explain/failure-explainer.ts'
import type { FailureKind } from '../insight/explain/reason.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { ExplainedExecution, LoggedExecution, SimulatedExecution } from '../kernel/request-context.ts'
import type { Node } from '../node/node.ts'
import type { WireError } from '../schema/report-results.ts'
import { knownStack, toWireError } from './error-codes.ts'

export const minedExecution = ({ transaction: { hash, to }, outcome }: Receipt): LoggedExecution => ({
  kind: 'transaction',
  hash,
  to,
  outcome,
})

/** What to explain of a failure. */
export type ExplainedPart = 'message' | 'stack'

const NOTHING = new Uint8Array()

interface SimulationLog {
  readonly logSimulation: (run: SimulatedExecution) => void
}

interface EndedSimulation {
  readonly kind: SimulatedExecution['kind']
  readonly request: TransactionRequest
  readonly outcome: Outcome
  /** The block in whose state it ran. */
  readonly block: Block
  readonly prepare: Parameters<FailureExplainer['call']>[1]
}

/** A chain that keeps and explains failed executions. */
export type ExplainingChain = Pick<
  Node,
  'failures' | 'failureExplainer' | 'loadExplainer' | 'startCallTimer' | 'worldId'
>

/** Logs a simulated execution. The node keeps it if it failed. */
export function logSimulated(
  { logSimulation }: SimulationLog,
  { failures, failureExplainer, loadExplainer, startCallTimer, worldId: world }: ExplainingChain,
  { kind, request: { to, data }, outcome, block, prepare }: EndedSimulation,
): void {
  if (outcome.status !== 'success') {
    const explain = async () => (await loadExplainer()).call(prepare, startCallTimer())
    const [height, inputLength] = [block.header.number, data?.length ?? 0]
    failures.add({ kind, outcome, height, world, inputLength, explain, prepare })
  }
  const explain = () => failureExplainer.call(outcome, prepare)
  const explainNow = () => failureExplainer.callNow(outcome, prepare)
  logSimulation({ kind, to, outcome, prepare, explain, explainNow })
}

export class FailedExecutions {
  readonly #services: Pick<Node, 'customErrors' | 'failureExplainer'>
  readonly #onFault: NodeHooks['onFault']
  readonly #failed: ExplainedExecution[] = []
  /** Undefined for executions without an explanation. */
  readonly #explained = new Map<Outcome, ExplainedFailure | undefined>()

  constructor(services: Pick<Node, 'customErrors' | 'failureExplainer'>, onFault?: NodeHooks['onFault']) {
    this.#services = services
    this.#onFault = onFault
  }

  addSimulated(run: SimulatedExecution): void {
    if (run.outcome.status === 'success') return
    this.#failed.push({ ...run, explain: () => this.#attempt(run.explain) })
  }

  addMined({ entry, receipts }: Pick<LoggedBlock, 'entry' | 'receipts'>): void {
    const failed = receipts.filter(({ outcome }) => outcome.status !== 'success')
    const { failureExplainer } = this.#services
    let failures: Promise<ExplainedFailures | undefined> | undefined
    for (const receipt of failed) {
      const explain = async () => {
        failures ??= this.#attempt(() => failureExplainer.transactions(entry, failed))
        return (await failures)?.get(receipt.index)
      }
      const explainNow = () => failureExplainer.transactionNow(entry, receipt)
      this.#failed.push({ ...minedExecution(receipt), explain, explainNow })
    }
  }

  get isEmpty(): boolean {
    return this.#failed.length === 0
  }

  /** The outcome of the last simulated execution, if it failed. */
  get lastSimulated(): Outcome | undefined {
    return this.#failed.findLast(({ kind }) => kind !== 'transaction')?.outcome
  }

  /** Looks up the names of custom errors, and explains the failures. Never rejects. */
  async explain(): Promise<void> {
    for (const { outcome } of this.#failed) {
      const data = toHex(outcome.returnData)
      if (outcome.status === 'reverted' && isCustomError(data))
        await this.#services.customErrors.resolve(data)
    }
    for (const { outcome, explain } of this.#failed) {
      if (this.#explained.has(outcome)) continue
      this.#explained.set(outcome, undefined)
      this.#explained.set(outcome, await explain())
    }
  }

  /** Explains one of the failures without pauses. */
  explainNow(outcome: Outcome | undefined, part: ExplainedPart): void {
    const failed = this.#failed.find((one) => one.outcome === outcome)
    const data = toHex(failed?.outcome.returnData ?? NOTHING)
    // Data contains the reason, whose text only needs the names of custom errors.
    if (part === 'message' && data !== '0x') {
      if (isCustomError(data)) this.#services.customErrors.resolveNow(data)
      return
    }
    try {
      if (failed !== undefined) this.#explained.set(failed.outcome, failed.explainNow?.())
    } catch (error) {
      this.#report(error)
    }
  }

  /** How an execution failed; undefined without an explanation. */
  of(outcome: Outcome): ExplainedFailure | undefined {
    return this.#explained.get(outcome)
  }

  /** Why an execution failed, in a few words. */
  textOf(outcome: Outcome): string {
    return failureText(outcome, this.#services.customErrors.textOf, this.of(outcome))
  }

  /** The failures for the log, except one outcome's. */
  logged(except?: Outcome): readonly FailedRun[] {
    return this.#failed
      .filter(({ outcome }) => outcome !== except)
      .map(({ kind, hash, to = null, outcome }) => {
        const solidityStack = knownStack(this.of(outcome))
        return { kind, hash, to, reason: this.textOf(outcome), ...(solidityStack && { solidityStack }) }
      })
  }

  /** A failure whose explanation fails is reported without one, because its request has its own error. */
  async #attempt<Explained>(explain: () => Promise<Explained>): Promise<Explained | undefined> {
    try {
      return await explain()
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }

  #report(error: unknown): void {
    const isExpected =
      error instanceof NotLoadedError || (error instanceof NodeError && error.kind !== 'internal')
    if (!isExpected) this.#onFault?.(error)
  }
}

/**
 * Logs the calls of a simulation by position. Their failures are explained together, because each call depends on earlier ones:
 * `simulate` runs the simulation again.
 */
export function logCalls(
  { logSimulation }: SimulationLog,
  { failureExplainer }: { readonly failureExplainer: FailureExplainer },
  calls: ReadonlyMap<number, Pick<SimulatedExecution, 'outcome' | 'to'>>,
  simulate: ObservedCalls,
): void {
  const outcomes = new Map([...calls].map(([position, { outcome }]) => [position, outcome]))
  let failures: ReturnType<FailureExplainer['calls']> | undefined
  for (const [position, { outcome, to }] of calls) {
    const explain = async () => {
      failures ??= failureExplainer.calls(outcomes, simulate)
      return (await failures).get(position)
    }
    logSimulation({ kind: 'call', to, outcome, explain })
  }
}

/** Error data of an exception, which has no return data. Test matchers recognize failed executions by error data. */
const NO_RETURN_DATA = { data: '0x' }

/** The exception that more gas can prevent, as the EVM names it. */
const OUT_OF_GAS = 'out of gas'

/** The error of a failed execution; `txHash` if the transaction was mined. `remark` follows the exception's name. */
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

/** Reasons that revert data or the exception's name contain. */
const EXPLICIT: ReadonlySet<FailureKind> = new Set([
  'text',
  'panic',
  'custom error',
  'no reason',
  'exception',
])

/** The reason that an explanation infers; undefined if revert data or exception contain it. */
export const inferredText = (failure: ExplainedFailure | undefined): string | undefined =>
  failure === undefined || EXPLICIT.has(failure.reason.kind) ? undefined : failure.reason.message

/** Why an execution failed, in a few words. An inferred reason comes before the exception's name and the revert data. */
export function failureText(
  { exception, returnData }: Outcome,
  nameOf: CustomErrorNames,
  failure?: ExplainedFailure,
): string {
  return inferredText(failure) ?? exception ?? shortReason(toHex(returnData), nameOf)
}

/** The error of a mined transaction that failed. If it ran out of gas, the message mentions the default gas. */
export function minedFailureOf(outcome: Outcome, txHash: Hash, defaultGas?: bigint): NodeError {
  if (defaultGas === undefined || outcome.exception !== OUT_OF_GAS) return failureOf(outcome, txHash)
  const remark = `: the request named no gas and got ${defaultGas}; --default-gas estimate has the node estimate it`
  return failureOf(outcome, txHash, remark)
}

/** The error of an estimate whose execution fails even with the highest gas limit. In Hardhat it is always a call's error. */
export function estimateFailureOf(outcome: Outcome, dialect: Dialect): NodeError {
  if (outcome.status === 'reverted' || dialect === 'hardhat') return failureOf(outcome)
  const exception = present(outcome.exception, 'exception of a failed execution')
  const text =
    exception === OUT_OF_GAS ? `gas required exceeds allowance (${outcome.gasUsed}): ${exception}` : exception
  return new NodeError('estimationFailed', text, NO_RETURN_DATA)
}

/** The error of a failed execution inside a successful response. Looks up custom errors. Absent after a success. */
export async function wireErrorOf(
  outcome: Outcome,
  { customErrors }: Pick<Node, 'customErrors'>,
  dialect: Dialect,
  explained: (outcome: Outcome) => ExplainedFailure | undefined,
): Promise<WireError | undefined> {
  if (outcome.status === 'success') return undefined
  const error = failureOf(outcome)
  const { data = '0x' } = error.details
  if (isCustomError(data)) await customErrors.resolve(data)
  return toWireError(error, dialect, { nameOf: customErrors.textOf, failure: explained(outcome) })
}
