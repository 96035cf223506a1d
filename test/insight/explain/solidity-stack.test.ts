/** Failures of compiled contracts, with stacks and reasons that were written down from the sources. */

import { beforeAll, describe, expect, test } from '@jest/globals'
import { FAILURES } from './failures/failure-cases.ts'
import type { FailureCase } from './failures/failure-cases.ts'
import { FailureRuns, shownStack } from './failures/failure-runs.ts'
import { compilerRun, contractsOf, namedLines, setupName } from './failures/failing-contracts.ts'
import type { CompilerSetup } from './failures/failing-contracts.ts'
import { SETUPS } from './failures/tested-setups.ts'

/** Failures with the whole stack. The optimizer merges and inlines code; then functions or lines are left out. */
const EXACT: Readonly<Record<string, number>> = {
  'solc 0.7.6': 80,
  'solc 0.8.26': 98,
  'solc 0.8.37': 98,
  'solc 0.8.37, optimized': 93,
  'solc 0.8.37, via IR': 98,
  'solc 0.8.37, optimized, via IR': 75,
}

const casesOf = ({ version }: CompilerSetup): readonly FailureCase[] =>
  FAILURES.filter(({ isNew }) => !isNew || version !== '0.7.6')

describe.each(SETUPS.map((setup) => [setupName(setup), setup] as const))('%s', (name, setup) => {
  let runs: FailureRuns
  let lines: ReadonlyMap<string, number>
  beforeAll(async () => {
    runs = new FailureRuns(contractsOf(setup, await compilerRun(setup)))
    lines = await namedLines()
  }, 300_000)

  /** The stack with numbers of lines. */
  const expectedOf = ({ stack }: FailureCase): readonly string[] =>
    stack.map((entry) => entry.replace(/[\w-]+$/, (line) => String(lines.get(line)!)))

  test.each(casesOf(setup).map((one) => [one.title, one] as const))('%s: no wrong line', (_title, one) => {
    const failure = runs.explain(one)!
    const shown = shownStack(failure)
    const expected = expectedOf(one)
    if (setup.isOptimized) expect(expected).toEqual(expect.arrayContaining([...certain(shown)]))
    else expect(shown).toEqual(expected)
    expect(inOrder(certain(shown), expected)).toBe(true)
    expect(expected.map(functionIn)).toEqual(
      expect.arrayContaining(shown.filter(hasFunction).map(functionIn)),
    )
  })

  test.each(casesOf(setup).map((one) => [one.title, one] as const))('%s: the reason', (title, one) => {
    const isUnknown = setup.isOptimized
      ? // The checks of several places are merged.
        title === 'slice that ends after the data' && setup.viaIr
      : title === 'wrong return data' && setup.viaIr
    const expected = isUnknown ? 'reverted without a reason string' : one.reason
    expect(runs.explain(one)?.reason.message).toBe(expected)
  })

  test('most stacks are whole', () => {
    const whole = casesOf(setup).filter(
      (one) => shownStack(runs.explain(one)!).join() === expectedOf(one).join(),
    )
    expect(whole.length).toBe(EXACT[name])
  })
})

const certain = (stack: readonly string[]): readonly string[] => stack.filter((entry) => !entry.endsWith('?'))

const functionIn = (entry: string): string => entry.replace(/:.*$/, '')

/** Whether the entry names more than the contract. */
const hasFunction = (entry: string): boolean => entry.includes('.')

/** Whether all entries are among others, in the same order. */
function inOrder(entries: readonly string[], others: readonly string[]): boolean {
  let from = 0
  for (const entry of entries) {
    const at = others.indexOf(entry, from)
    if (at < 0) return false
    from = at + 1
  }
  return true
}
