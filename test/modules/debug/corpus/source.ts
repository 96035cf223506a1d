/**
 * A source of the corpus: its marks, its transactions, and its twin, which reports the values of the marks.
 *
 * `// @see a, s.amount` at the end of a line with one statement names all local variables that are in scope before the
 * statement, and other expressions. `f == name` is a variable of a function type that holds this function. `// @yul a` does so in
 * assembly, for some variables. `// @deploy Name(arguments) value 5` and `// @call name(arguments)` are transactions, in JSON.
 */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A line whose values are known. */
export interface Mark {
  /** Such as `Flow.sol:12`. */
  readonly id: string
  readonly line: number
  /** Of the statement's first character; of an `if`, of its condition. */
  readonly column: number
  readonly isYul: boolean
  readonly expressions: readonly string[]
}

/** A transaction: a contract to deploy, or a call of the contract that was deployed last. */
export interface Action {
  readonly kind: 'deploy' | 'call'
  /** Of the contract or function; empty for plain data. */
  readonly name: string
  readonly given: readonly unknown[]
  readonly data: string
  readonly value: number
}

/** A source of the corpus. */
export interface CorpusSource {
  readonly path: string
  readonly content: string
  readonly marks: readonly Mark[]
  readonly actions: readonly Action[]
  /** The source with a report of the values before each marked statement, on the same line. */
  readonly twin: string
}

/** The account that a twin calls with reports: unlike events, calls stay in the trace of what is reverted. */
export const REPORTED_TO = `0x${'5ee'.padStart(40, '0')}`

const REPORTER = `
library Seen {
    function at(string memory mark, string memory name, bytes memory value) internal view {
        (bool ok, ) = address(0x5ee).staticcall(abi.encode(mark, name, value));
        ok;
    }
}
`

const folder = join(import.meta.dirname, '../../../../fixtures/debug')

/** The sources that a version of the compiler reads, or those with some names. */
export function corpusSources(version: string, names?: readonly string[]): readonly CorpusSource[] {
  const paths = readdirSync(folder).filter((name) => names?.includes(name) ?? true)
  const sources = paths.map((path) => readSource(path, readFileSync(join(folder, path), 'utf8')))
  return sources.filter(({ content }) => {
    const least = /pragma solidity >=([\d.]+);/.exec(content)![1]!
    return version.localeCompare(least, 'en', { numeric: true }) >= 0
  })
}

function readSource(path: string, content: string): CorpusSource {
  const lines = content.split('\n')
  const marks = lines.flatMap((line, at) => markOf(path, line, at + 1))
  const byLine = new Map(marks.map((mark) => [mark.line, mark]))
  const twin = lines.map((line, at) => {
    const mark = byLine.get(at + 1)
    const statement = line.replaceAll(/\bpure\b/g, 'view')
    return mark === undefined ? statement : reportsOf(mark) + statement
  })
  const actions = lines.flatMap(actionOf)
  return { path, content, marks, actions, twin: twin.join('\n') + REPORTER }
}

function markOf(path: string, line: string, number: number): readonly Mark[] {
  const [, kind, names] = /\/\/ @(see|yul) (.+)$/.exec(line) ?? []
  if (names === undefined) return []
  const expressions = names.split(', ')
  const place = { line: number, column: /^\s*(if \()?/.exec(line)![0].length + 1 }
  return [{ id: `${path}:${number}`, ...place, isYul: kind === 'yul', expressions }]
}

const reportsOf = ({ id, isYul, expressions }: Mark): string =>
  expressions
    .map((name) =>
      isYul ? yulReport(id, name) : `Seen.at("${id}", ${JSON.stringify(name)}, abi.encode(${name}));`,
    )
    .join(' ')

/** Uses memory far behind that of the function. */
const yulReport = (id: string, name: string): string =>
  `mstore(0x8000, "${id}") mstore(0x8020, "${name}") mstore(0x8040, ${name}) pop(staticcall(gas(), 0x5ee, 0x8000, 0x60, 0, 0))`

function actionOf(line: string): readonly Action[] {
  const [, kind, name = '', given = '', data = '', value = '0'] =
    /\/\/ @(deploy|call) (?:(\w+)\((.*)\)|(0x\w*))(?: value (\d+))?$/.exec(line) ?? []
  if (kind !== 'deploy' && kind !== 'call') return []
  return [{ kind, name, given: JSON.parse(`[${given}]`) as unknown[], data, value: Number(value) }]
}
