/** Annotations for GitHub Actions at the lines of failed tests and their Solidity code: lines of output that its runner reads. */

import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { CiTest } from './failure-text.ts'

/** Makes the lines. `workspace` is the repository's folder, whose files can have annotations. */
export function annotations(tests: readonly CiTest[], workspace = resolve()): string {
  const all = tests.flatMap(({ title, file, line, errorLines, reason, lines, stack, command }) => {
    const place = { file: pathIn(workspace, file), line }
    const text = [reason, ...lines, ...errorLines, ...(command === undefined ? [] : [command])]
    // The innermost function with source in the repository. Others are in packages.
    const inner = stack.map((entry) => ({ file: pathIn(workspace, entry.file), line: entry.line }))
    const solidity = inner.find((entry) => entry.file !== undefined && entry.line !== undefined)
    return [
      ...(solidity ? [annotation({ ...solidity, title: reason }, lines)] : []),
      annotation({ ...(place.file && place), title }, [...new Set(text)]),
    ]
  })
  // Tests that fail in the same way share the Solidity line.
  return [...new Set(all)].join('')
}

/** The path of an existing file, relative to the repository's folder; undefined for files of packages and elsewhere. */
function pathIn(workspace: string, file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined
  const path = relative(workspace, resolve(file)).split(sep)
  return path[0] === '..' || path.includes('node_modules') ? undefined : path.join('/')
}

/** The command `error`, escaped as GitHub's own library does (actions/toolkit, packages/core/src/command.ts). */
function annotation(properties: object, message: readonly string[]): string {
  const listed = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  )
  return `::error ${listed.join(',')}::${escapeData(message.join('\n'))}\n`
}

const escapeData = (text: string): string => text.replace(/[%\r\n]/g, encodeURIComponent)
const escapeProperty = (text: string): string => text.replace(/[%\r\n:,]/g, encodeURIComponent)
