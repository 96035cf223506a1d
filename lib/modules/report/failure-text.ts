/** Failed tests and their executions as text, for terminals and continuous integration (CI). */

import { withNames } from '../../base/named-text.ts'
import { placeTexts, shown } from '../../config/request-log.ts'
import type { ExplanationResult } from '../../schema/explanation-results.ts'
import type { ReportedTest } from './report-file.ts'

const MAX_FUNCTIONS = 4

/** The reason, and the functions with the current line of each. */
export function failureLines({
  reason,
  status,
  stack = [],
  names = {},
}: ExplanationResult): readonly [string, ...string[]] {
  const places = stack.slice(0, MAX_FUNCTIONS).flatMap((place) => {
    const { who, where } = placeTexts(place)
    const excerpt = place.excerpt === undefined ? [] : [`    ${shown(place.excerpt)}`]
    return [`  in ${who}${where === '' ? '' : ` (${where})`}`, ...excerpt]
  })
  const named = (line: string): string => withNames(line, names)
  return [named(shown(reason?.message ?? status)), ...places.map(named)]
}

/** A failed test in printable form, as the CI outputs show it. */
export type CiTest = ReturnType<typeof ciTest>

/** `reportFile` is the name of the file of failures, if there is one. */
export function ciTest({ title, error, failure, executions, ...place }: ReportedTest, reportFile?: string) {
  const explanation = executions.find(({ id }) => id === failure)?.explanation
  const errorLines = error.split(/\r\n?|\n/).map(shown)
  const [reason = '', ...lines] = explanation
    ? failureLines(explanation)
    : errorLines.filter(Boolean).slice(0, 1)
  return {
    ...place,
    title: title
      .split(/[\r\n]+/)
      .map(shown)
      .join(' '),
    errorLines,
    kind: explanation?.reason?.kind ?? 'error',
    /** Why the execution failed, or the beginning of the error. */
    reason,
    /** The functions with their lines of Solidity. */
    lines,
    stack: explanation?.stack ?? [],
    /** Prints the whole explanation where the file of failures has been copied to. */
    command: failure && reportFile ? `npx dev-node explain ${reportFile} ${failure}` : undefined,
  }
}
