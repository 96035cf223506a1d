/** A summary of failed tests in Markdown. */

import type { CiTest } from './ci-test.ts'

/** Tests that are listed: GitHub refuses summaries of more than a megabyte. */
const MAX_TESTS = 50

/** Characters of a text that are shown. */
const MAX_TEXT = 300

const HEADERS = ['test', 'reason', 'lines', 'explanation']

/** The summary. `reportFile`: the name of the file of failures, if there is one. */
export function markdownSummary(tests: readonly CiTest[], reportFile: string | undefined): string {
  const count = tests.length === 1 ? '1 failed test' : `${tests.length} failed tests`
  const omitted = tests.length - MAX_TESTS
  const opening =
    reportFile === undefined
      ? []
      : [
          `To debug a test, download ${code(reportFile)} and open it with ${code(`npx dev-node show ${reportFile}`)}. It needs no node.`,
        ]
  const paragraphs = [
    `## ${count}`,
    [HEADERS, HEADERS.map(() => '---'), ...tests.slice(0, MAX_TESTS).map(cellsOf)].map(row).join('\n'),
    ...(omitted > 0 ? [`${omitted} more are not listed.`] : []),
    ...opening,
  ]
  return `${paragraphs.join('\n\n')}\n`
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function cellsOf({ title, file, line, reason, lines, command }: CiTest): readonly string[] {
  const place = file === undefined ? [] : [line === undefined ? file : `${file}:${line}`]
  return [[title, ...place], [reason], lines, command === undefined ? [] : [command]].map((texts) =>
    texts.map((text) => code(text.trim())).join('<br>'),
  )
}

/**
 * Text that Markdown shows as it is, without links, also in a table. GitHub and GitLab notify nobody who is mentioned in an element `code`.
 * What a table would split and Markdown would read is written as a reference, which both leave alone.
 */
function code(text: string): string {
  const start = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text
  const escaped = start.replace(
    /[^\p{L}\p{N} ,()/=.-]|w(?=ww\.)/giu,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  )
  return `<code>${escaped}</code>`
}
