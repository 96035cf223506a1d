/** Writes the results of the nodes that fork as tables. */

import { rounded, spreadOf } from '../statistics.ts'
import { LATENCY_MS, START, WITHOUT_FORK } from './forks.ts'
import type { ForkColumn, ForkResults, StepCost, StepCosts } from './forks.ts'
import { STEPS } from './steps.ts'

/** The tables in Markdown. */
export function forkReport({ rounds, cold, warm }: ForkResults): string {
  const versions = cold.map(({ title, version }) => `- ${title}: \`${version}\`.`)
  const introduction = [
    `- The remote is Anvil behind a proxy that adds ${LATENCY_MS} ms to each answer and counts requests.`,
    `- ${rounds} rounds; a figure is the median.`,
    ...versions,
  ]
  const forked = warm.filter(({ title }) => title !== WITHOUT_FORK)
  return [
    introduction.join('\n'),
    '### Requests to the remote with an empty cache: HTTP requests / JSON-RPC requests',
    table(cold, traffic),
    '### Milliseconds on the clock with an empty cache',
    table(cold, time),
    '### Requests to the remote of a second process, with the cache of the first',
    table(forked, traffic),
    '### Milliseconds on the clock of a second process, with the cache of the first',
    table(warm, time),
  ].join('\n\n')
}

function table(columns: readonly ForkColumn[], cellOf: (costs: readonly StepCost[]) => string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const names = [START, ...STEPS.map(({ name }) => name)]
  return [
    line(['', ...columns.map(({ title }) => title)]),
    line(['---', ...columns.map(() => '--:')]),
    ...names.map((name) => line([name, ...columns.map(({ costs }) => cell(costs.get(name) ?? [], cellOf))])),
  ].join('\n')
}

/** A wrong answer in one round leaves no figure. */
function cell(costs: StepCosts, cellOf: (costs: readonly StepCost[]) => string): string {
  const measured = costs.flatMap((cost) => ('failed' in cost ? [] : [cost]))
  return measured.length === costs.length && costs.length > 0 ? cellOf(measured) : 'failed'
}

const median = (costs: readonly StepCost[], figure: keyof StepCost): number =>
  spreadOf(costs.map((cost) => cost[figure]))?.median ?? NaN

const traffic = (costs: readonly StepCost[]): string =>
  `${Math.round(median(costs, 'messages'))} / ${Math.round(median(costs, 'requests'))}`

const time = (costs: readonly StepCost[]): string => rounded(median(costs, 'wallMs'))
