/** The GeneralStateTests of the Ethereum Foundation; results of hard forks without rules here are left out. */

import { describe, expect, test } from '@jest/globals'
import { expectedOf, runStateCase } from './state-tests.ts'
import type { StateTest } from './state-tests.ts'
import { rulesOfFork } from './vector-forks.ts'
import { readVectorFile, vectorFiles } from '../support/vectors.ts'

/** Tests that are not run, and why. */
const SKIPPED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /static_LoopCallsDepthThenRevert[23]\.json$/,
    'they count with more than 2^53 - 1 gas, which blocks cannot have here',
  ],
]

const reasonFor = (file: string): string | undefined => SKIPPED.find(([pattern]) => pattern.test(file))?.[1]

/** Some files of vmPerformance hold loops of many million instructions. */
const TIMEOUT_MS = 1_200_000

/** The same case of both sides under the same name. */
function resultsOf(file: string) {
  const expected: unknown[] = []
  const results: unknown[] = []
  for (const [name, stateTest] of readVectorFile<StateTest>(file)) {
    for (const [forkName, cases] of Object.entries(stateTest.post)) {
      const fork = rulesOfFork(forkName)
      if (fork === undefined) continue
      for (const one of cases) {
        const id = `${name} ${forkName} ${JSON.stringify(one.indexes)}`
        expected.push({ id, ...expectedOf(one) })
        results.push({ id, ...runStateCase(stateTest, one, fork) })
      }
    }
  }
  return { expected, results }
}

describe('state tests', () => {
  const files = vectorFiles('GeneralStateTests')

  test.each(files.filter((file) => reasonFor(file) === undefined))(
    '%s',
    (file) => {
      const { expected, results } = resultsOf(file)
      expect(results).toEqual(expected)
    },
    TIMEOUT_MS,
  )

  for (const file of files) {
    const reason = reasonFor(file)
    if (reason !== undefined) test.skip(`${file}: ${reason}`, () => undefined)
  }
})
