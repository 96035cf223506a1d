/** Runs `dev-node gas-diff`: compares two gas reports in files. */

import { readFile } from 'node:fs/promises'
import { refuseOption } from '../base/errors.ts'
import { reasonOf } from '../base/system-errors.ts'
import { describeIssues } from '../config/issues.ts'
import { markdownTable } from '../modules/gas-report/report-text.ts'
import { gasReportObject } from '../modules/gas-report/results.ts'
import type { GasChange, GasReport, TransactionFigures } from '../modules/gas-report/results.ts'
import { COMMAND_FLAGS, readFlag, refuseExtra, refuseUnknown, type CommandLine } from './command-flags.ts'
import { toJson, type CommandResult } from './io.ts'

/** Exit code if a function needs more gas than the threshold allows. */
const MORE_GAS = 1

/** Runs the command. @throws NodeError 'invalidOption' naming the word, the flag, or the file and the place in it */
export async function runGasDiffCommand({
  words: [before, after, extra],
  flags,
}: CommandLine): Promise<CommandResult> {
  refuseExtra(extra)
  if (before === undefined || after === undefined)
    return refuseOption(`gas-diff: expected two files, got ${before ?? 'nothing'}`)
  refuseUnknown(flags, 'gas-diff', COMMAND_FLAGS['gas-diff'])
  const thresholdPercent = readFlag(flags, 'threshold', 'a percentage such as 1%', readPercent) ?? 0
  const changes = compareReports(await readReport(before), await readReport(after))
  const exceeding = changes.filter(({ percent = 0 }) => percent > thresholdPercent).length
  const code = exceeding > 0 ? MORE_GAS : 0
  if (flags['json'] === true) return { text: `${toJson({ thresholdPercent, exceeding, changes })}\n`, code }
  const summary = `Functions whose mean increased by more than ${thresholdPercent}%: ${exceeding}`
  return { text: `${comparisonText(changes)}\n${summary}\n`, code }
}

function readPercent(text: string): number | undefined {
  const digits = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

async function readReport(path: string): Promise<GasReport> {
  const content: unknown = await readFile(path, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch((cause: unknown) => refuseOption(`gas-diff: cannot read ${path}: ${reasonOf(cause)}`, cause))
  const read = gasReportObject.safeParse(content)
  if (!read.success)
    return refuseOption(`gas-diff: ${path} is not a gas report: ${describeIssues(read.error.issues)}`)
  // Two of them are equal, and would hide that the tests ran on another node.
  if (read.data.contracts.length === 0)
    return refuseOption(
      `gas-diff: ${path} has no transactions and no calls: its tests did not run on the node that wrote it`,
    )
  return read.data
}

/** The differences of two reports, the largest increase first. */
function compareReports(before: GasReport, after: GasReport): readonly GasChange[] {
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
function comparisonText(changes: readonly GasChange[]): string {
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

/** A figure before and after; one number if it is the same. */
const stepText = (before: number | undefined, after: number | undefined): string =>
  before === after ? String(before ?? '-') : `${before ?? '-'} → ${after ?? '-'}`

/** A change with its sign. It is never rounded to none. */
function percentText(percent: number): string {
  const sign = percent < 0 ? '-' : '+'
  const size = Math.abs(percent)
  return `${sign}${size === 0 || size >= 0.005 ? size.toFixed(2) : '<0.01'}%`
}
