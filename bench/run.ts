/** Measures this node and others as test suites use them. Run by `npm run bench`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { format } from 'oxfmt'
import { chartOf } from './chart.ts'
import { ROOT } from './folders.ts'
import { measureForks } from './forks/forks.ts'
import { measureFirst, rowsNamed } from './first/first.ts'
import { keepResults } from './first/kept.ts'
import { firstReport } from './first/report.ts'
import { forkReport } from './forks/report.ts'
import { guard } from './guard.ts'
import { measureFirstSeconds, measureInProcess } from './in-process/in-process.ts'
import { lineChart } from './in-process/line-chart.ts'
import { inProcessReport } from './in-process/report.ts'
import { PACKAGES, REFERENCE } from './nodes/all.ts'
import { useCommand } from './nodes/dev-node.ts'
import { install } from './nodes/installed.ts'
import { useProgram } from './nodes/program.ts'
import { HELP, parseOptions } from './options.ts'
import type { BenchOptions } from './options.ts'
import { reportOf, withReport } from './report.ts'
import type { Results } from './results.ts'
import { measureSuites } from './suites/inside-hardhat.ts'
import { suitesReport } from './suites/report.ts'
import { suiteRows } from './suites/rows.ts'
import { machine, measureTable } from './table.ts'
import { compareWorkers } from './workers.ts'
import { BLOCK_ROWS, START_ROWS } from './workloads/blocks.ts'
import { CALL_ROWS } from './workloads/calls.ts'
import { TRANSACTION_ROWS } from './workloads/transactions.ts'

/** Rows and nodes of the chart. */
const CHART = {
  rows: [
    'send and receipt, first 200',
    'send and receipt, warm',
    'ERC-20 transfer and receipt, warm',
    'raw transfer and receipt (signed before)',
    'deployment of 20 KB',
    'trivial call',
    'call of balanceOf',
    'estimate of an ERC-20 transfer',
    'arithmetic loop of 20 Mgas',
    'keccak loop of 20 Mgas',
    'pairing check of four points',
    'snapshot, five transactions, revert',
    '10,000 logs',
    'start to the first answer',
  ],
  nodes: ['anvil-tuned', 'anvil', 'hardhat2', 'hardhat3', 'ganache'],
  reference: REFERENCE.id,
}

async function table(options: BenchOptions): Promise<void> {
  const { only = '', nodes, programs, rounds, quick, complete } = options
  const all = [...START_ROWS, ...TRANSACTION_ROWS, ...CALL_ROWS, ...BLOCK_ROWS, ...(await suiteRows())]
  const rows = all.filter(({ name }) => name.includes(only))
  if (rows.length === 0) throw new Error(`no row has "${only}" in its name`)
  for (const program of programs) {
    useProgram(program)
    const results = await measureTable({ rows, nodes, rounds, quick })
    if (complete) return write(results)
    const reference = nodes.includes(REFERENCE) ? REFERENCE : nodes[0]
    await print(reportOf(results, reference?.id ?? REFERENCE.id))
  }
}

/** Measures the first requests of processes of Hardhat, and writes the part of the document about them with its chart. */
async function inProcess({ only, programs, rounds, quick, command }: BenchOptions): Promise<void> {
  const results = await measureInProcess({ only, programs, rounds, scale: quick ? 0.1 : 1 })
  const report = inProcessReport(results)
  if (quick || only !== undefined || command !== undefined) return print(report)
  const lines = await measureFirstSeconds(programs[0] ?? process.execPath, rounds)
  writeFileSync(join(ROOT, 'docs', 'first-seconds.svg'), lineChart(lines, results[0]?.nodeVersion ?? ''))
  await renew(report, 'in-process')
}

/** Measures nodes that fork, and writes the part of the document about them. */
async function forks({ rounds, quick }: BenchOptions): Promise<void> {
  const report = forkReport(await measureForks(rounds))
  if (quick) await print(report)
  else await renew(report, 'forks')
}

/** Measures the first seconds, and writes the part of the document about them from the results of this build. */
async function first(options: BenchOptions): Promise<void> {
  const { rounds, busy: isBusy, namesPrograms, complete, update } = options
  const rows = rowsNamed(options.rows)
  const openzeppelin = options.openzeppelin && resolve(options.openzeppelin)
  const programs = namesPrograms ? options.programs : undefined
  const results = await measureFirst({ rows, programs, rounds, isBusy, openzeppelin })
  if (complete || update) await renew(firstReport(machine(), keepResults(results), rowsNamed()), 'first')
  await print(firstReport(machine(), results, rows))
}

/** Measures suites inside Hardhat, and prints their table. */
async function suites(options: BenchOptions): Promise<void> {
  await print(suitesReport(await measureSuites(options)))
}

const DOCUMENT = join(ROOT, 'docs', 'performance.md')

/** Renews a generated part of the document. */
async function renew(report: string, part?: string): Promise<void> {
  const document = withReport(readFileSync(DOCUMENT, 'utf8'), report, part)
  writeFileSync(DOCUMENT, await inMarkdown(document))
}

/** Writes the document and its chart. */
async function write(results: Results): Promise<void> {
  await renew(reportOf(results, REFERENCE.id))
  writeFileSync(join(ROOT, 'docs', 'performance.svg'), chartOf(results, CHART))
  process.stdout.write('docs/performance.md and docs/performance.svg are written\n')
}

/** Prints a report to the terminal. */
async function print(report: string): Promise<void> {
  process.stdout.write(await inMarkdown(report))
}

const inMarkdown = async (text: string): Promise<string> =>
  (await format(DOCUMENT, text, { printWidth: 110 })).code

const options = parseOptions(process.argv.slice(2))
if (options.command !== undefined) useCommand(options.command)
const subjects: Readonly<Record<BenchOptions['subject'], () => Promise<void> | void>> = {
  table: () => table(options),
  first: () => first(options),
  fork: () => forks(options),
  'in-process': () => inProcess(options),
  suites: () => suites(options),
  workers: compareWorkers,
  install: () => install(PACKAGES),
  help: () => console.log(HELP),
  guard: async () => {
    if (!(await guard(options))) process.exitCode = 1
  },
}
await subjects[options.subject]()
