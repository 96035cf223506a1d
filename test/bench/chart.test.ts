import { expect, test } from '@jest/globals'
import { chartOf } from '../../bench/chart.ts'
import { results } from './results-example.ts'

const chart = chartOf(results, {
  rows: ['won', 'lost & <found>', 'wrong'],
  nodes: ['anvil', 'ganache'],
  reference: 'dev-node',
})

/** Left edge and width of the bars. */
const bars = [...chart.matchAll(/<rect class="c0" x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="7"/g)].map(
  ([, left, width]) => [Number(left), Number(width)] as const,
)
const line = Number(/<line class="one" x1="([\d.]+)"/.exec(chart)?.[1])

test('a bar goes to the right where a node needs more, and to the left where it needs less', () => {
  const [[won], [lost, width]] = bars as [readonly [number, number], readonly [number, number]]
  expect(won).toBe(line)
  expect(lost + width).toBeCloseTo(line, 0)
  expect(width).toBeGreaterThan(10)
})

test('a row that failed has its name and no bar', () => {
  expect(bars).toHaveLength(2)
  expect(chart).toContain('>wrong</text>')
})

test('text is escaped, and nodes that were not measured are left out', () => {
  expect(chart).toContain('lost &amp; &lt;found></text>')
  expect(chart).not.toContain('Ganache')
})
