/** Failed tests as the outputs for continuous integration (CI) show them. */

import { shown } from '../../config/request-log.ts'
import type { ExplanationResult } from '../../schema/explanation-results.ts'
import { failureLines } from './failure-lines.ts'
import type { ReportedTest } from './report-file.ts'

export interface CiTest extends Pick<ReportedTest, 'file' | 'line'> {
  readonly title: string
  /** What the test threw: the first line, and all of them. */
  readonly error: string
  readonly errorLines: readonly string[]
  /** Kind of the failure of the execution; `error` if the test did not fail by an execution. */
  readonly kind: string
  /** Why the execution failed; else the error. */
  readonly reason: string
  /** The functions with their lines of Solidity. */
  readonly lines: readonly string[]
  readonly stack: NonNullable<ExplanationResult['stack']>
  /** Prints the whole explanation, where the file of failures has been copied to; undefined without that file. */
  readonly command: string | undefined
}

/** The tests, printable, without attempts that were repeated. `reportFile`: the name of the file of failures, if there is one. */
export const ciTests = (tests: readonly ReportedTest[], reportFile: string | undefined): readonly CiTest[] =>
  tests
    .filter((test, index) => !isRepeated(test, tests.slice(index + 1)))
    .map((test) => ciTest(test, reportFile))

const isRepeated = ({ title, file, retry = 0 }: ReportedTest, later: readonly ReportedTest[]): boolean =>
  later.some((other) => other.title === title && other.file === file && (other.retry ?? 0) > retry)

function ciTest(test: ReportedTest, reportFile: string | undefined): CiTest {
  const { title, file, line, failure, executions } = test
  const explanation = executions.find(({ id }) => id === failure)?.explanation
  const errorLines = test.error.split(/\r\n?|\n/).map(shown)
  const error = errorLines.find((text) => text.trim() !== '') ?? ''
  const [reason, ...lines] = explanation === undefined ? [error] : failureLines(explanation)
  const command =
    failure === undefined || reportFile === undefined
      ? undefined
      : `npx dev-node explain ${reportFile} ${failure}`
  return {
    title: title
      .split(/\s*[\r\n]+\s*/)
      .map(shown)
      .join(' '),
    file,
    line,
    error,
    errorLines,
    kind: explanation?.reason?.kind ?? 'error',
    reason,
    lines,
    stack: explanation?.stack ?? [],
    command,
  }
}
