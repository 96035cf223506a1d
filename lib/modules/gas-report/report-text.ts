/** Writes gas reports as Markdown, and to files. */

import type { ContractReport, GasReport, TransactionFigures } from './results.ts'
import { realpath, stat, writeFile } from 'node:fs/promises'
import { NodeError, trouble } from '../../base/errors.ts'
import { claimFile, type OwnFile } from '../../base/file-claim.ts'
import { replaceFile, type FileReplacement } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'

/** A report as Markdown, with a table of transactions and one of calls for each contract. The gas limit is the block's. */
export function gasReportText({ contracts }: GasReport, gasLimit: bigint): string {
  if (contracts.length === 0) return '# Gas report\n\nNo transactions and no calls.\n'
  return `# Gas report\n\n${contracts.map((contract) => contractText(contract, gasLimit)).join('\n')}`
}

function contractText({ contract, deployments, functions }: ContractReport, gasLimit: bigint): string {
  const size = deployments?.codeSize
  const transactionRow = (name: string, figures: TransactionFigures): Row => {
    const [count = '', ...rest] = figureCells(figures)
    const share = figures.mean === undefined ? '' : percent(figures.mean / Number(gasLimit))
    return [name, count, plain(figures.failed), ...rest, share]
  }
  const transactions = [
    ...(deployments === undefined ? [] : [transactionRow('deployment', deployments)]),
    ...functions.flatMap(({ function: name, transactions }) =>
      transactions === undefined ? [] : [transactionRow(name, transactions)],
    ),
  ]
  const calls = functions.flatMap(({ function: name, calls }) =>
    calls === undefined ? [] : [[name, ...figureCells(calls)]],
  )
  return [
    `## ${escaped(contract)}\n`,
    ...(size === undefined ? [] : [`${plain(size)} bytes of code\n`]),
    ...(transactions.length === 0 ? [] : [markdownTable([TRANSACTION_TITLES, ...transactions])]),
    ...(calls.length === 0 ? [] : [markdownTable([CALL_TITLES, ...calls])]),
  ].join('\n')
}

const FIGURE_TITLES = ['min', 'mean', 'median', 'max']
const TRANSACTION_TITLES = ['transactions', 'count', 'failed', ...FIGURE_TITLES, 'of a block']
const CALL_TITLES = ['calls', 'count', ...FIGURE_TITLES]

const figureCells = ({ count, least, mean, median, most }: Omit<TransactionFigures, 'failed'>): Row =>
  [count, least, mean, median, most].map((figure) => (figure === undefined ? '' : plain(figure)))

/** A number with separated thousands, and a part of a whole. */
const plain = (figure: number): string => figure.toLocaleString('en-US')
const percent = (part: number): string =>
  part.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** The cells of a line. */
type Row = readonly string[]

/** A Markdown table with aligned columns: the first one left, numbers right. */
export function markdownTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map(escaped))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(3, ...cells.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: Row): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const [titles = [], ...rest] = cells
  return `${[line(titles), rule, ...rest.map(line)].join('\n')}\n`
}

/** Names come from files. A control character or bar would break the table. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replace(/[|\\`<]/g, '\\$&')

/**
 * Claims a report's file for this node. Devices and pipes are not claimed. @throws NodeError 'invalidOption' if its folder cannot
 * be written to, or if another node uses it
 */
export async function claimReportFile(path: string): Promise<OwnFile> {
  const target = await targetOf(path)
  if (target === undefined) return { findings: [], release: () => Promise.resolve() }
  const loss = 'its report is lost'
  return claimFile({ path: target.path, title: `the gas report ${path}`, loss }).catch(fail(path))
}

/** Writes the text of a report. @throws NodeError 'invalidOption' */
export async function writeReportFile(path: string, text: string): Promise<void> {
  const target = await targetOf(path)
  const written = target === undefined ? writeFile(path, text) : replaceFile(target, text)
  await written.catch(fail(path))
}

/** The file to replace, following links; undefined for a device or pipe. */
async function targetOf(path: string): Promise<Omit<FileReplacement, 'temporaryPath'> | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return { path }
  return stats.isFile() ? { path: await realpath(path), mode: stats.mode } : undefined
}

const fail = (path: string) => (cause: unknown) => {
  if (cause instanceof NodeError) throw cause
  throw trouble('DN-WRITE', `--gas-report: cannot write ${path}: ${reasonOf(cause)}`, cause)
}
