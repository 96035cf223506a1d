/** A summary of failed tests in Markdown. */

import type { CiTest } from './failure-text.ts'

/** Maximum number of listed tests, and of characters of a text. GitHub refuses summaries above a megabyte. */
const MAX_TESTS = 50
const MAX_TEXT = 300

/** Makes the summary. `reportFile` is the name of the file of failures, if there is one. */
export function markdownSummary(tests: readonly CiTest[], reportFile: string | undefined): string {
  const rows = tests.slice(0, MAX_TESTS).map((test) => `| ${cellsOf(test).join(' | ')} |\n`)
  const title = tests.length === 1 ? '1 failed test' : `${tests.length} failed tests`
  const omitted = tests.length - rows.length
  const more = omitted > 0 ? `\n${omitted} more are not listed.\n` : ''
  const opening = reportFile
    ? `\nTo debug a test, download ${code(reportFile)} and open it: ${code(`npx dev-node show ${reportFile}`)}\n`
    : ''
  return `## ${title}\n\n| test | reason | lines | explanation |\n| --- | --- | --- | --- |\n${rows.join('')}${more}${opening}`
}

function cellsOf({ title, file, line, reason, lines, command }: CiTest): readonly string[] {
  const place = [file, line].filter((part) => part !== undefined).join(':')
  return [[title, place], [reason], lines, [command ?? '']].map((texts) =>
    texts.flatMap((text) => (text === '' ? [] : [code(text.trim())])).join('<br>'),
  )
}

/**
 * Text that Markdown shows unchanged, without links, even in a table. GitHub and GitLab notify nobody mentioned in a `code`
 * element. Characters that would split a table or that Markdown would interpret become references, which both leave alone.
 */
function code(text: string): string {
  const start = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text
  const plain = start.replace(
    /[^\p{L}\p{N} ,()/=.-]|w(?=ww\.)/giu,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  )
  return `<code>${plain}</code>`
}
