/** Writes the costs in processes of Hardhat as tables. */

import { failureOf, figureOf, ratioOf } from '../results.ts'
import type { Figure, RowResult } from '../results.ts'
import { rounded } from '../statistics.ts'
import { machine } from '../table.ts'
import type { ProviderResult } from './in-process.ts'

/** A table in Markdown for each version of Node: both chains, and the median of the ratios of the rounds. */
export function inProcessReport(results: readonly ProviderResult[]): string {
  return [
    `- Machine: ${machine()}.\n- Medians of ${results[0]?.rounds ?? 0} rounds, milliseconds of an operation.`,
    ...results.flatMap(({ nodeVersion, rows }) => [`### Node.js ${nodeVersion}`, table(rows)]),
  ].join('\n\n')
}

function table(rows: readonly RowResult[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const headings = ['clock', 'processor'].flatMap((figure) => [
    `${figure}: dev-node`,
    'EDR',
    'EDR / dev-node',
  ])
  return [
    line(['', ...headings]),
    line(['---', ...headings.map(() => '--:')]),
    ...rows.map((row) => line([row.name, ...cells(row, 'wallMs'), ...cells(row, 'cpuMs')])),
  ].join('\n')
}

function cells(row: RowResult, figure: Figure): readonly string[] {
  const inWords = (chain: string) =>
    failureOf(row, chain) ?? rounded(figureOf(row, chain, figure)?.median ?? NaN)
  const ratio = ratioOf(row, ['edr', 'dev-node'], figure)
  return [inWords('dev-node'), inWords('edr'), ratio === undefined ? '' : rounded(ratio.median)]
}
