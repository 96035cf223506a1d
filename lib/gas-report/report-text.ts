/** Gas reports as Markdown, which terminals can show as it is. */

import type { ContractReport, GasReport, TransactionFigures } from './gas-report.ts'
import { escaped, markdownTable } from './markdown-table.ts'
import type { Row } from './markdown-table.ts'

/** A report as Markdown: for each contract a table of its transactions, and one of its calls. */
export function gasReportText({ contracts }: GasReport): string {
  if (contracts.length === 0) return '# Gas report\n\nNo transactions and no calls.\n'
  return `# Gas report\n\n${contracts.map(contractText).join('\n')}`
}

function contractText({ contract, deployments, functions }: ContractReport): string {
  const size = deployments?.codeSize
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
    ...(size === undefined ? [] : [`${size} bytes of code\n`]),
    ...(transactions.length === 0 ? [] : [markdownTable([TRANSACTION_TITLES, ...transactions])]),
    ...(calls.length === 0 ? [] : [markdownTable([CALL_TITLES, ...calls])]),
  ].join('\n')
}

const FIGURE_TITLES = ['least', 'mean', 'median', 'most']
const TRANSACTION_TITLES = ['transactions', 'count', 'failed', ...FIGURE_TITLES]
const CALL_TITLES = ['calls', 'count', ...FIGURE_TITLES]

const transactionRow = (name: string, figures: TransactionFigures): Row => {
  const [count = '', ...rest] = figureCells(figures)
  return [name, count, String(figures.failed), ...rest]
}

const figureCells = ({ count, least, mean, median, most }: Omit<TransactionFigures, 'failed'>): Row =>
  [count, least, mean, median, most].map((figure) => figure?.toString() ?? '')
