import { expect, test } from '@jest/globals'
import { suitesReport } from '../../bench/suites/report.ts'

const run = (cpuSeconds: number, passed = 10) => ({ passed, cpuSeconds, wallSeconds: 2, megabytes: 100 })

test('a row has both numbers of tests, medians, and the median of the ratios of the rounds', () => {
  const result = {
    suite: 'a suite',
    nodeVersion: 'v24.0.0',
    edr: [run(1), run(2), run(3)],
    devNode: [run(2), run(2), run(3, 9)],
  }
  const row = suitesReport([result]).split('\n')[2]
  expect(row).toBe(
    '| a suite | v24.0.0 | 10 | 10 or 9 | 2.00 | 2.00 | 1.00 | 2.00 | 2.00 | 1.00 | 100 | 100 | 1.00 |',
  )
})
