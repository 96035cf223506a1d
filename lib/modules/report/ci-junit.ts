/** Failed tests as XML in the form of JUnit, which services of continuous integration read. */

import type { CiTest } from './failure-text.ts'

/** The document: one suite with a case for each failed test. */
export function junitXml(tests: readonly CiTest[]): string {
  const counts = attributes({ name: 'dev-node', tests: tests.length, failures: tests.length })
  const suite = `<testsuite${counts}>\n${tests.map(testCase).join('')}</testsuite>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${suite}</testsuites>\n`
}

function testCase({ title, file, line, kind, reason, lines, errorLines, command = '' }: CiTest): string {
  const opened = attributes({ name: title, classname: file ?? 'dev-node', file, line })
  // GitLab shows only the text, not the message.
  const text = [reason, ...lines, '', ...errorLines, '', command].join('\n').trimEnd()
  const failure = `<failure${attributes({ message: reason, type: kind })}>${escapeXml(text)}</failure>`
  return `<testcase${opened}>\n${failure}\n</testcase>\n`
}

const attributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeXml(String(value))}"`))
    .join('')

/** Text for content and attributes. Characters that XML 1.0 forbids become U+FFFD, because even references to them are errors. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
