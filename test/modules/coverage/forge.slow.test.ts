/** Counts the same calls with forge, line by line. */

import { expect, test } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { foundryProject } from '../../support/compiling-tools.ts'
import { COVERED, coveredSource, expectedLines, writeCovered } from '../../support/covered.ts'
import { describeFoundry } from '../../support/foundry.ts'
import { countsOfLcov } from './lcov.ts'

/** docs/coverage.md has the reasons. The first number is that of forge, the last one that of the node. */
const FORGE_DIFFERS = [
  // One copy of the code of a modifier, here that in a function that is not called.
  '0 require(msg.sender == owner, "not the owner"); // 2',
  '0 steps++; // 1',
  // The first statement of the line, here `i = 0`; the node takes `i++`.
  '1 for (uint256 i = 0; i < count; i++) { // 4',
  // How often the condition was computed.
  '3 while (count > 0) { // 1',
]

describeFoundry('forge coverage', () => {
  test('has the same counts in the lines that both have', async () => {
    const { folder, run, remove } = await foundryProject([])
    try {
      await writeCovered(folder)
      await run('coverage', '--report', 'lcov')
      const text = await readFile(join(folder, 'lcov.info'), 'utf8')
      const { lines } = countsOfLcov(text).get(COVERED)!
      const differences = coveredSource.split('\n').flatMap((line, index) => {
        const expected = expectedLines[index + 1]
        const counted = lines[index + 1]
        return expected === undefined || counted === undefined || counted === expected
          ? []
          : [`${counted} ${line.trim()}`]
      })
      expect(differences).toEqual(FORGE_DIFFERS)
      expect(Object.keys(lines).length).toBeGreaterThan(30)
    } finally {
      await remove()
    }
  })
})
