/** Writes the costs of suites inside Hardhat as a table. */

import { median, ratiosOf, rounded } from '../statistics.ts'
import type { SuiteRun, SuiteResult } from './inside-hardhat.ts'

const FIGURES: readonly (readonly [heading: string, figure: keyof SuiteRun])[] = [
  ['processor time, s', 'cpuSeconds'],
  ['time on the clock, s', 'wallSeconds'],
  ['memory, MB', 'megabytes'],
]

/** The table in Markdown: for each figure EDR, this node, and the median of the ratios of the rounds. */
export function suitesReport(results: readonly SuiteResult[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const headings = FIGURES.flatMap(([heading]) => [`EDR: ${heading}`, 'dev-node', 'times EDR'])
  return [
    line(['suite', 'Node.js', 'EDR: tests that pass', 'dev-node', ...headings]),
    line(['---', '---', '--:', '--:', ...headings.map(() => '--:')]),
    ...results.map(({ suite, nodeVersion, edr, devNode }) =>
      line([
        suite,
        nodeVersion,
        passes(edr),
        passes(devNode),
        ...FIGURES.flatMap(([, figure]) => cells(edr, devNode, figure)),
      ]),
    ),
  ].join('\n')
}

function cells(
  edr: readonly SuiteRun[],
  devNode: readonly SuiteRun[],
  figure: keyof SuiteRun,
): readonly string[] {
  const [theirs, ours] = [edr, devNode].map((costs) => costs.map((cost) => cost[figure])) as [
    number[],
    number[],
  ]
  return [rounded(median(theirs)), rounded(median(ours)), rounded(ratiosOf(ours, theirs)?.median ?? NaN)]
}

/** The number of tests that pass, or the numbers of the rounds where they differ. */
const passes = (runs: readonly SuiteRun[]): string =>
  [...new Set(runs.map(({ passed }) => passed))].join(' or ')
