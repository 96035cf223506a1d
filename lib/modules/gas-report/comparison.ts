/** Compares gas reports: for `dev-node gas-diff`, and for reports with `--gas-base`. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { refuseOption } from '../../base/errors.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { describeIssues } from '../../config/issues.ts'
import { markdownTable } from './report-text.ts'
import { gasReportObject } from './results.ts'
import type { GasChange, GasReport, TransactionFigures } from './results.ts'

/** Reads a report. `label` names the reader in errors. @throws NodeError 'invalidOption' naming the file and the place in it */
export async function readGasReport(path: string, label: string): Promise<GasReport> {
  const content: unknown = await readFile(path, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch((cause: unknown) =>
      refuseOption('DN-GAS', `${label}: cannot read ${path}: ${reasonOf(cause)}`, cause),
    )
  const read = gasReportObject.safeParse(content)
  return read.success
    ? read.data
    : refuseOption('DN-GAS', `${label}: ${path} is not a gas report: ${describeIssues(read.error.issues)}`)
}

/** Reads the report of `--gas-base`; undefined if there is none yet. @throws NodeError 'invalidOption' */
export const readBase = async (path: string | undefined): Promise<GasReport | undefined> =>
  path !== undefined && existsSync(path) ? readGasReport(path, '--gas-base') : undefined

/** The differences between two reports, largest increase first. */
export function compareReports(before: GasReport, after: GasReport): readonly GasChange[] {
  const [earlier, later] = [rowsOf(before), rowsOf(after)]
  return [...new Map([...earlier, ...later])]
    .map(([key, { figures: _, ...row }]) => {
      const [from, to] = [earlier.get(key)?.figures, later.get(key)?.figures]
      return { ...row, before: from, after: to, percent: increase(from?.mean, to?.mean) }
    })
    .filter(
      ({ before, after }) =>
        before?.count !== after?.count || before?.mean !== after?.mean || before?.median !== after?.median,
    )
    .toSorted((a, b) => (b.percent ?? 0) - (a.percent ?? 0))
}

type ReportRow = Pick<GasChange, 'contract' | 'function' | 'kind'> & {
  readonly figures: NonNullable<GasChange['before']>
}

function rowsOf({ contracts }: GasReport): ReadonlyMap<string, ReportRow> {
  const rows = new Map<string, ReportRow>()
  const add = (row: Omit<ReportRow, 'figures'>, figures?: Partial<TransactionFigures>): void => {
    if (figures === undefined) return
    const { count = 0, mean, median } = figures
    rows.set([row.kind, row.contract, row.function].join('\n'), { ...row, figures: { count, mean, median } })
  }
  for (const { contract, deployments, functions } of contracts) {
    add({ contract, function: 'deployment', kind: 'deployments' }, deployments)
    for (const { function: name, transactions, calls } of functions) {
      add({ contract, function: name, kind: 'transactions' }, transactions)
      add({ contract, function: name, kind: 'calls' }, calls)
    }
  }
  return rows
}

const increase = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined || from === 0 ? undefined : (100 * (to - from)) / from

const TITLES = ['function', 'kind', 'count', 'mean', 'change', 'median']

/** Changes as a table of Markdown. */
export function comparisonText(changes: readonly GasChange[]): string {
  if (changes.length === 0) return 'No function has changed.\n'
  const rows = changes.map(({ contract, function: name, kind, before, after, percent }) => [
    `${contract} ${name}`,
    kind,
    stepText(before?.count, after?.count),
    stepText(before?.mean, after?.mean),
    percent === undefined ? '' : percentText(percent),
    stepText(before?.median, after?.median),
  ])
  return markdownTable([TITLES, ...rows])
}

/** A figure before and after; one number if both are the same. */
const stepText = (before: number | undefined, after: number | undefined): string =>
  before === after ? String(before ?? '-') : `${before ?? '-'} → ${after ?? '-'}`

/** A change with its sign. Rounding never makes it zero. */
function percentText(percent: number): string {
  const sign = percent < 0 ? '-' : '+'
  const size = Math.abs(percent)
  return `${sign}${size === 0 || size >= 0.005 ? size.toFixed(2) : '<0.01'}%`
}
