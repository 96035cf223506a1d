/** Counts of lines, functions and branches, against numbers that were written down by hand. */

import { describe, expect, test } from '@jest/globals'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  COVERED,
  compileCovered,
  coveredSource,
  expectedLines,
  useCovered,
  withCovered,
} from '../../support/covered.ts'
import { setupName } from '../../insight/explain/failures/failing-contracts.ts'
import { countsOfLcov } from './lcov.ts'
import { SETUPS } from '../../insight/explain/failures/tested-setups.ts'

const expectedFunctions = {
  'Sums.sum': 5,
  'Sums.unused': 0,
  'Sums.double': 1,
  'Base.constructor': 2,
  'Base.onlyOwner': 2,
  'Base.inherited': 2,
  'Covered.constructor': 1,
  'Covered.receive': 1,
  'Covered.fallback': 0,
  'Covered.set': 2,
  'Covered.clear': 0,
  'Covered.classify': 9,
  'Covered.loops': 1,
  'Covered.twice': 1,
  'Covered.linked': 1,
  'Covered.tried': 2,
  'Covered.assembled': 2,
  'Covered.never': 0,
  'Other.constructor': 1,
  'Other.both': 1,
  'Empty.constructor': 1,
  'Derived.constructor': 1,
  'Unused.nothing': 0,
  'Part.half': 1,
  'Part.assembled': 1,
}

/** Ways of the branches on the lines with these texts. */
const expectedBranches: readonly (readonly [text: string, ways: readonly number[]])[] = [
  ['require(msg.sender == owner', [2, 0]],
  ['if (next > 100)', [1, 1]],
  ['if (a == 0)', [1, 8]],
  ['else if (a < 10)', [4, 4]],
  ['a > 50 ? 50 : a', [1, 3]],
  ['require(a != 13)', [6, 2]],
  ['if (i == 2) continue', [1, 3]],
  ['if (count == 1) break', [1, 2]],
  ['try this.classify', [1, 1]],
  ['if (a == 0) return 7; // 1', [0, 1]],
]

const lineOf = (text: string): number =>
  1 + coveredSource.split('\n').findIndex((line) => line.includes(text))

/** The `lcov.info` that a node wrote when it was closed. */
async function lcovOf(setup: (typeof SETUPS)[number]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-coverage-'))
  try {
    await withCovered(await compileCovered(setup), { coverage: folder }, useCovered)
    return await readFile(join(folder, 'lcov.info'), 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const exact = SETUPS.filter(({ isOptimized, viaIr }) => !isOptimized && !viaIr)

describe.each(exact.map((setup) => ({ name: setupName(setup), setup })))('$name', ({ setup }) => {
  test('lines, functions and branches have the counts that were written down', async () => {
    const counts = countsOfLcov(await lcovOf(setup)).get(COVERED)!
    expect(counts.lines).toEqual(expectedLines)
    expect(counts.functions).toEqual(expectedFunctions)
    expect(counts.branches).toEqual(expectedBranches.map(([text, ways]) => ({ line: lineOf(text), ways })))
  })
})
