/** Finds the executions of a failed test, records them, and explains in a few lines why it failed. */

import { toHex } from '../../base/hex.ts'
import { NodeError } from '../../base/errors.ts'
import { NotLoadedError } from '../../base/routine.ts'
import type { Failures, KeptFailure } from '../../insight/explain/failures.ts'
import type { TestResult } from '../../schema/explanation-results.ts'
import type { AddressNames } from '../../node/address-names.ts'
import { failureLines } from './failure-text.ts'
import { recordExecution, type ExecutedChain } from './recorded-execution.ts'
import { runsSince, type RunChains } from './recent-runs.ts'
import type { FailureReport } from './report.ts'
import type { ReportedExecution } from './report-file.ts'

export interface ReportedChain extends ExecutedChain, RunChains {
  readonly failures: Failures
  readonly loadAddressNames: () => Promise<AddressNames>
}

export interface TestDescription extends Omit<TestResult, 'failure'> {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Transaction hashes and revert data in the test's error, the most certain first. */
  readonly marks: readonly string[]
}

/** Maximum number of recorded executions per test. The last ones are kept. */
const MAX_EXECUTIONS = 20

/** Adds a failed test to the report, and returns why it failed as lines for a terminal. Undefined if no execution made it fail. */
export async function reportTest(
  report: FailureReport,
  chain: ReportedChain,
  { startedAt, marks, ...described }: TestDescription,
) {
  const failed = failuresSince(startedAt, chain)
  const culprit = culpritOf(failed, marks, described.error)
  const test: TestResult = { ...described, ...(culprit && { failure: culprit.id }) }
  const executions = await recordAll(executionsOf(failed, startedAt, chain), report, chain)
  chain.failures.assign(
    failed.map(({ id }) => id),
    { result: test },
  )
  if (executions.length > 0 || culprit !== undefined) report.add({ ...test, executions })
  if (culprit === undefined) return undefined
  const recorded = executions.find(({ id }) => id === culprit.id)
  const explanation = recorded?.explanation ?? (await culprit.explain())
  return { id: culprit.id, lines: failureLines(explanation), command: report.commandFor(culprit.id) }
}

/** Whether an execution belongs to the chain. As in dev_failures, the default chain stands for all worlds. */
const isOf = ({ worldId }: ReportedChain, { world }: { readonly world: string | undefined }): boolean =>
  worldId === undefined || world === worldId

/** The failures of a chain, oldest first. */
const failuresSince = (startedAt: number, chain: ReportedChain): readonly KeptFailure[] =>
  chain.failures.all.filter((failure) => failure.at >= startedAt && isOf(chain, failure)).reverse()

const ABOUT_EXECUTION = /revert|execution|call exception|custom error|panic|out of gas|VM Exception/i

/** The failure that the error is about. Several failures may have its revert data; then the last one counts. */
function culpritOf(
  failed: readonly KeptFailure[],
  marks: readonly string[],
  message: string,
): KeptFailure | undefined {
  for (const mark of marks) {
    const meant = failed.findLast(
      ({ mined, outcome }) =>
        mined?.receipt.transaction.hash === mark || (mark !== '0x' && toHex(outcome.returnData) === mark),
    )
    if (meant !== undefined) return meant
  }
  return ABOUT_EXECUTION.test(message) ? failed.at(-1) : undefined
}

type TimedExecution = Omit<Parameters<typeof recordExecution>[0], 'kind'> &
  Pick<ReportedExecution, 'id' | 'at' | 'kind' | 'world'>

/** The executions of a test in order: its failures, and the transactions that succeeded. */
function executionsOf(
  failed: readonly KeptFailure[],
  startedAt: number,
  chain: ReportedChain,
): readonly TimedExecution[] {
  const succeeded = runsSince(startedAt, chain)
    .filter(({ mined }) => mined.receipt.outcome.status === 'success')
    .map(({ at, world, mined }) => {
      const { outcome } = mined.receipt
      return { id: chain.failures.nextId(), at, kind: 'transaction' as const, world, mined, outcome }
    })
  return [...succeeded, ...failed].sort((one, other) => one.at - other.at).slice(-MAX_EXECUTIONS)
}

async function recordAll(
  executions: readonly TimedExecution[],
  report: FailureReport,
  chain: ReportedChain,
): Promise<readonly ReportedExecution[]> {
  const recorded: ReportedExecution[] = []
  const names = await chain.loadAddressNames()
  for (const execution of executions) {
    const { id, at, world } = execution
    const found = await recordExecution(execution, chain, report).catch(unlessKnown)
    if (found === undefined) continue
    recorded.push({ ...found.execution, id, at, world, explanation: await names.named(found.explanation) })
  }
  return recorded
}

/** Leaves out an execution whose state is gone or whose remote does not answer. */
function unlessKnown(error: unknown): undefined {
  if (!(error instanceof NodeError || error instanceof NotLoadedError)) throw error
}
