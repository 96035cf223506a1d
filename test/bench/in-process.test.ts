/** The table and the chart of processes of Hardhat. */

import { expect, test } from '@jest/globals'
import { lineChart } from '../../bench/in-process/line-chart.ts'
import { inProcessReport } from '../../bench/in-process/report.ts'

const costs = (...figures: readonly number[]) => figures.map((wallMs) => ({ wallMs, cpuMs: 2 * wallMs }))

test('a row has both medians and the median of the ratios, on the clock and of the processor', () => {
  const outcomes = { 'dev-node': costs(1, 2, 4), edr: costs(2, 6, 4) }
  const report = inProcessReport([{ nodeVersion: '24.0.0', rounds: 3, rows: [{ name: 'send', outcomes }] }])
  expect(report).toContain('### Node.js 24.0.0')
  expect(report).toContain('| send | 2.00 | 4.00 | 2.00 | 4.00 | 8.00 | 2.00 |')
})

test('a row that failed has its reason instead of figures', () => {
  const outcomes = { 'dev-node': [{ failed: 'no answer' }], edr: costs(3) }
  const report = inProcessReport([{ nodeVersion: '24.0.0', rounds: 1, rows: [{ name: 'send', outcomes }] }])
  expect(report).toContain('| send | no answer | 3.00 |  | no answer | 6.00 |  |')
})

test('a line rises to its last count, and the grid has round numbers', () => {
  const lines = [
    { title: 'fast', progress: [100, 1000] },
    { title: 'slow', progress: [50, 500] },
  ]
  const chart = lineChart(lines, '24.0.0')
  const ends = [...chart.matchAll(/,([\d.]+)"\/>/g)].map(([, y]) => Number(y))
  expect(ends).toEqual([62, 181])
  expect([...chart.matchAll(/>(\d+)<\/text>/g)].map(([, count]) => count)).toEqual([
    '0',
    '200',
    '400',
    '600',
    '800',
    '1000',
  ])
})
