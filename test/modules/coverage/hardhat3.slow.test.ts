/** Counts the same calls with Hardhat 3, which tells whether a line was executed. */

import { expect, test } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hardhat3Project } from '../../support/compiling-tools.ts'
import { COVERED, coveredSource, expectedLines, writeCovered } from '../../support/covered.ts'
import { countsOfLcov } from './lcov.ts'

/** docs/coverage.md has the reasons. First whether Hardhat 3 says that the line was executed, last the count of the node. */
const HARDHAT_DIFFERS = [
  // A part of the line was not executed.
  'no: if (a == 0) return 7; // 1',
  // Hardhat has no statements in inline assembly, and shows what is around them.
  'yes: b := 6 // 0',
]

/** Lines that only Hardhat has, all of them executed: what is neither in a statement nor the head of a function with a name. */
const ONLY_HARDHAT =
  /^(contract|constructor|modifier|receive|fallback|address|uint256|using|event|error|_;|\} while)/

const sourceLines = coveredSource.split('\n')

test('Hardhat 3 says of the same lines that they were executed', async () => {
  const { folder, run, remove } = await hardhat3Project({ evmVersion: 'cancun' })
  try {
    await writeCovered(folder)
    await run('test', 'solidity', '--coverage')
    const text = await readFile(join(folder, 'coverage/lcov.info'), 'utf8')
    const { lines } = countsOfLcov(text).get(COVERED)!
    const differences = sourceLines.flatMap((line, index) => {
      const expected = expectedLines[index + 1]
      const counted = lines[index + 1]
      const isSame = (counted ?? 0) > 0 === (expected ?? 0) > 0
      return expected === undefined || (counted !== undefined && isSame)
        ? []
        : [`${counted === 1 ? 'yes' : 'no'}: ${line.trim()}`]
    })
    expect(differences).toEqual(HARDHAT_DIFFERS)
    const only = Object.entries(lines).filter(([line]) => expectedLines[Number(line)] === undefined)
    expect(only.length).toBeGreaterThan(10)
    for (const [line, count] of only) {
      expect(sourceLines[Number(line) - 1]!.trim()).toMatch(ONLY_HARDHAT)
      expect(count).toBe(1)
    }
  } finally {
    await remove()
  }
})
