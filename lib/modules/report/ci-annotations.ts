/** Annotations of GitHub Actions at the lines of failed tests and of their Solidity: lines of output that its runner reads. */

import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { CiTest } from './ci-test.ts'

/** The lines. `workspace`: the folder of the repository, whose files can have annotations. */
export function annotations(tests: readonly CiTest[], workspace = resolve()): string {
  const all = tests.flatMap((test) => [
    ...solidityAnnotations(test, workspace),
    testAnnotation(test, workspace),
  ])
  // Tests that fail in the same way share the line of Solidity.
  return [...new Set(all)].map((line) => `${line}\n`).join('')
}

function testAnnotation(
  { title, file, line, error, reason, lines, command }: CiTest,
  workspace: string,
): string {
  const path = file === undefined ? undefined : pathIn(workspace, file)
  const place = path === undefined ? {} : { file: path, line }
  return annotation({ ...place, title }, [reason, ...lines, command, reason === error ? undefined : error])
}

/** At the innermost function whose source is in the repository; the others are in packages. */
function solidityAnnotations({ reason, lines, stack }: CiTest, workspace: string): readonly string[] {
  for (const { file, line } of stack) {
    const path = file === undefined || line === undefined ? undefined : pathIn(workspace, file)
    if (path !== undefined) return [annotation({ file: path, line, title: reason }, lines)]
  }
  return []
}

/** The path of an existing file from the folder of the repository on; undefined for files of packages and elsewhere. */
function pathIn(workspace: string, file: string): string | undefined {
  const path = relative(workspace, resolve(file)).split(sep).join('/')
  const isElsewhere = path.startsWith('../') || isAbsolute(path) || /(^|\/)node_modules\//.test(path)
  return isElsewhere || !existsSync(resolve(file)) ? undefined : path
}

type Properties = Readonly<Record<string, string | number | undefined>>

/** The command `error`, escaped as GitHub's own library does (actions/toolkit, packages/core/src/command.ts). */
function annotation(properties: Properties, message: readonly (string | undefined)[]): string {
  const listed = Object.entries(properties)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  const text = message.filter((line) => line !== undefined).join('\n')
  return `::error ${listed.join(',')}::${escapeData(text)}`
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
