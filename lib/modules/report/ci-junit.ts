/** Failed tests as XML in the form of JUnit, which services of continuous integration read. */

import type { CiTest } from './ci-test.ts'

/** The document: one suite with a case for each failed test. */
export function junitXml(tests: readonly CiTest[]): string {
  const counts = { name: 'dev-node', tests: tests.length, failures: tests.length }
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts)}>`,
    `<testsuite${attributes({ ...counts, errors: 0, skipped: 0 })}>`,
    ...tests.map(testCase),
    '</testsuite>',
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}

function testCase({ title, file, line, kind, reason, lines, errorLines, command }: CiTest): string {
  const opening = command === undefined ? [] : ['', command]
  const text = [reason, ...lines, '', ...errorLines, ...opening].join('\n')
  return [
    `<testcase${attributes({ name: title, classname: file ?? 'dev-node', file, line })}>`,
    `<failure${attributes({ message: reason, type: kind })}>${escapeXml(text)}</failure>`,
    '</testcase>',
  ].join('\n')
}

const attributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for content and attributes. Characters that XML 1.0 does not have become U+FFFD, even as references they are errors. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
