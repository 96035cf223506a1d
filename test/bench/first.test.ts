import { expect, test } from '@jest/globals'
import { rowsNamed } from '../../bench/first/first.ts'
import { firstReport } from '../../bench/first/report.ts'
import type { FirstResult } from '../../bench/first/report.ts'
import type { Outcome } from '../../bench/results.ts'

const ROWS = rowsNamed(['hardhat2', 'access', 'import', 'vitest'])

const [hardhat2, , importRow, vitest] = ROWS.map(({ name }) => name)

const measured = (name: string | undefined, devNode: readonly Outcome[], other: readonly Outcome[]) => ({
  name: name!,
  figure: 'cpuMs' as const,
  outcomes: { 'dev-node': devNode, other },
  nodeVersion: '20.20.2',
  isBusy: false,
  rounds: devNode.length,
})

const cpu = (...figures: readonly number[]): readonly Outcome[] => figures.map((cpuMs) => ({ cpuMs }))

/** The lines of a report without the padding of tables. */
const linesOf = (results: readonly FirstResult[]) => firstReport('a machine', results, ROWS).split('\n')

test('medians of both sides and of the ratios of the rounds, in the order of the rows', () => {
  const older = measured(hardhat2, cpu(900, 1100, 1000), cpu(1000, 1000, 2000))
  const lines = linesOf([measured(importRow, cpu(130), []), older, { ...older, nodeVersion: '24.1.0' }])
  expect(lines.filter((line) => line.startsWith('|'))).toEqual([
    '|  | compared with | rounds | Node 20.20.2: dev-node, s | the other, s | ratio | Node 24.1.0: dev-node, s | the other, s | ratio |',
    '| --- | --- | --: | --: | --: | --: | --: | --: | --: |',
    `| ${hardhat2} | Hardhat's chain | 3 | 1.00 | 1.00 | 0.90 [0.50–1.10] | 1.00 | 1.00 | 0.90 [0.50–1.10] |`,
    `| ${importRow} |  | 1 | 0.13 |  |  |  |  |  |`,
  ])
})

test('a ratio by which this node needs more is bold', () => {
  expect(linesOf([measured(vitest, cpu(1200), cpu(1000))])).toContain(
    `| ${vitest} | Anvil | 1 | 1.20 | 1.00 | **1.20** |`,
  )
})

test('each kind of load has a table', () => {
  const idle = measured(hardhat2, cpu(1), cpu(2))
  const headings = (results: readonly FirstResult[]) =>
    linesOf(results).filter((line) => line.startsWith('### '))
  const [alone, busy] = headings([idle, { ...idle, isBusy: true }])
  expect([headings([idle]), headings([{ ...idle, isBusy: true }])]).toEqual([[alone], [busy]])
})

test('rows without a result are named, with what they need', () => {
  const lines = linesOf([measured(hardhat2, cpu(1), cpu(1)), measured(vitest, cpu(1), cpu(1))])
  expect(lines.filter((line) => line.startsWith('- Not measured'))).toEqual([
    '- Not measured without `--openzeppelin <folder>`: OpenZeppelin: access.',
    `- Not measured: ${importRow}.`,
  ])
})

test('a row that fails, or some of whose tests fail, has a note', () => {
  const lines = linesOf([
    measured(
      vitest,
      [{ cpuMs: 1000, note: '9 of 10 tests pass' }],
      [{ failed: 'Error: no times' }, { cpuMs: 1 }],
    ),
  ])
  expect(lines).toContain(`| ${vitest} | Anvil | 1 | 1.00 (1) | failed (2) |  |`)
  expect(lines).toContain(`- (1) ${vitest}, dev-node: 9 of 10 tests pass`)
  expect(lines).toContain(`- (2) ${vitest}, Anvil: Error: no times (1 of 2 rounds)`)
})

test('an unknown row is refused, with the names of all', () => {
  expect(() => rowsNamed(['start', 'strat'])).toThrow(/^unknown row strat: one of hardhat2, /)
})
