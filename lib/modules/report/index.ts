/**
 * Failures of tests that outlive their run: a file with each failed test, its executions and what they need to run again anywhere.
 *
 * A test runner says which test has failed (dev_testFailed; embed/testing has the hooks of the runners). The node finds the executions
 * of that test by their times, runs each once more, and notes what it reads of the state and which contracts run: that is all that a
 * reader needs. A file is written when the node closes. opened-report.ts opens one.
 *
 * @example createNode({ report: 'failures.dnr' }) writes the failures of its tests to that file when it closes.
 */

import * as z from 'zod'
import { declare, inGroup, toggle } from '../../config/option-description.ts'
import { reportFile } from '../../config/option-values.ts'
import { text as path } from '../../config/values.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { testObject } from '../../schema/explanation-results.ts'
import { list, text } from '../../schema/results.ts'
import type { ReportedChain, TestDescription } from './failed-test.ts'
import { RecentRuns } from './recent-runs.ts'
import { FailureReport, reportPath } from './report.ts'

/** What the module adds to the node. */
interface ReportPart {
  readonly failureReport: FailureReport
}

/** What it adds to each chain. */
interface RunsPart {
  readonly recentRuns: RecentRuns
}

const failedTest = testObject
  .omit({ failure: true })
  .extend({ startedAt: z.number(), marks: z.array(z.string()) })
  .strict()

const testFailed = readMethod({
  name: 'dev_testFailed',
  summary:
    'Keeps a failed test for the file of failures (--report): its executions since `startedAt`, in milliseconds since the epoch, are recorded, and those that failed are marked with the test in dev_failures. `marks` are hashes of transactions and revert data in its error, by which the execution is found that made it fail. The result says in lines why it failed, with the command that says more; null if that is not certain. With null, it tells that tests run: if none fails, the file of an earlier run at the default place is removed. Runners call it by the set-ups of dev-node.',
  params: [param('test', failedTest.nullable(), '{title, file, line, error, startedAt, marks}, or null.')],
  result: z.strictObject({ id: z.int().positive(), lines: list(text), command: text.nullable() }).nullable(),
  example: {
    params: [{ title: 'pays', error: 'expected 1 to be 2', startedAt: 32_503_680_000_000, marks: [] }],
    result: null,
  },
  run: async (
    { test }: { test: TestDescription | null },
    { failureReport, ...chain }: ReportPart & ReportedChain,
  ) => {
    failureReport.hasRun = true
    if (test === null) return null
    const { reportTest } = await import('./failed-test.ts')
    return (await reportTest(failureReport, chain, test)) ?? null
  },
})

const reportOptions = inGroup('Output', {
  report: declare(
    reportFile.default(true),
    'File for the failures of tests, which `dev-node show` and `dev-node explain` open later. If it is false, no file is written.',
    { form: 'maybe-value', defaultDescription: 'node_modules/.cache/dev-node/last-run.dnr' },
  ),
  summary: declare(
    path.optional(),
    'File for a summary of failed tests in Markdown, written if tests have failed. GitHub Actions shows it by itself.',
    { defaultDescription: 'none' },
  ),
  junit: declare(
    path.optional(),
    'File for failed tests with their reasons as XML of JUnit, written if tests have failed.',
    { defaultDescription: 'none' },
  ),
  reportMerge: toggle('Add the failures of tests to those of the file; otherwise it is replaced.'),
})

type ReportScope = Scope<typeof reportOptions>

export const report = {
  name: 'failures of tests',
  options: reportOptions,
  start: ({ options, network, host, isWorker, failures }) => {
    if (isWorker || options.reportMerge) failures.beginOwnRange()
    return { failureReport: new FailureReport(network, options, host, isWorker) }
  },
  openChain: ({ host }, { chain, worldId }) => ({ recentRuns: new RecentRuns(chain, worldId, host.now) }),
  methods: [testFailed],
  close: ({ failureReport }, isAbandoned) => failureReport.close(isAbandoned),
  closingText: async ({ failureReport }) => failureReport.closingText,
  parallel: {
    laterNodes: { reportMerge: true },
    reportPath: ({ options: { report: file, summary, junit } }) => reportPath(file) ?? summary ?? junit,
    handOver: ({ failureReport }) => failureReport.handOver(),
    takeOver: ({ failureReport }, handedOver) => failureReport.take(handedOver),
  },
} as const satisfies Module<ReportScope, ReportPart, RunsPart, Omit<ReportedChain, 'recentRuns'>>
