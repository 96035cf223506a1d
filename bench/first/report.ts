/** Writes what the first seconds cost as tables. */

import { Notes, inRatio } from '../report.ts'
import { failureOf, figureOf, noteOf, ratioOf } from '../results.ts'
import type { RowResult } from '../results.ts'
import { rounded } from '../statistics.ts'
import type { FirstRow, Side } from './row.ts'

/** A row with one version of Node and one kind of load; its outcomes are those of `Side`. */
export interface FirstResult extends RowResult {
  readonly figure: 'cpuMs' | 'wallMs'
  readonly nodeVersion: string
  /** Whether the other cores had work too. */
  readonly isBusy: boolean
  readonly rounds: number
}

/** A table in Markdown for each kind of load, and the rows that have no result. */
export function firstReport(
  machine: string,
  results: readonly FirstResult[],
  rows: readonly FirstRow[],
): string {
  const notes = new Notes()
  const absent = rows.filter(({ name }) => !results.some((result) => result.name === name))
  const conditions = [
    `- Machine: ${machine}.`,
    ...absent.map(({ name, needsOpenzeppelin = false }) =>
      needsOpenzeppelin
        ? `- Not measured without \`--openzeppelin <folder>\`: ${name}.`
        : `- Not measured: ${name}.`,
    ),
  ]
  const tables = [false, true].flatMap((isBusy) => {
    const loaded = results.filter((result) => result.isBusy === isBusy)
    const title = isBusy ? '### With a load on the other cores' : '### Without an added load'
    return loaded.length === 0 ? [] : [title, table(loaded, rows, notes)]
  })
  return [conditions.join('\n'), ...tables, ...notes.text('### Notes')].join('\n\n')
}

function table(results: readonly FirstResult[], rows: readonly FirstRow[], notes: Notes): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const versions = [...new Set(results.map(({ nodeVersion }) => nodeVersion))]
  const headings = versions.flatMap((version) => [`Node ${version}: dev-node, s`, 'the other, s', 'ratio'])
  const lines = rows.flatMap(({ name, other = '' }) => {
    const measured = results.filter((result) => result.name === name)
    if (measured.length === 0) return []
    const cells = versions.map((version) => {
      const result = measured.find(({ nodeVersion }) => nodeVersion === version)
      return result === undefined ? ['', '', ''] : cellsOf(result, other, notes)
    })
    const rounds = [...new Set(measured.map((result) => result.rounds))].join(' or ')
    return [line([name, other, rounds, ...cells.flat()])]
  })
  return [
    line(['', 'compared with', 'rounds', ...headings]),
    line(['---', '---', '--:', ...headings.map(() => '--:')]),
    ...lines,
  ].join('\n')
}

/** Medians of both sides, and that of the ratios of the rounds, bold where this node needs more. */
function cellsOf(result: FirstResult, other: string, notes: Notes): readonly string[] {
  const { name, figure } = result
  const cell = (side: Side, title: string): string => {
    const failure = failureOf(result, side)
    if (failure !== undefined) return `failed ${notes.mark(`${name}, ${title}: ${failure}`)}`
    const seconds = rounded((figureOf(result, side, figure)?.median ?? NaN) / 1000)
    const note = noteOf(result, side)
    return note === undefined ? seconds : `${seconds} ${notes.mark(`${name}, ${title}: ${note}`)}`
  }
  const ratio = ratioOf(result, ['dev-node', 'other'], figure)
  const words = inRatio(ratio) ?? ''
  return [
    cell('dev-node', 'dev-node'),
    other === '' ? '' : cell('other', other),
    Number(rounded(ratio?.median ?? 0)) > 1 ? `**${words}**` : words,
  ]
}
