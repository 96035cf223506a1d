/** Counts the same calls with forge, line by line. */

import { expect, test } from '@jest/globals'
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COVERED, coveredSource } from '../support/covered.ts'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import { countsOfLcov } from '../support/lcov.ts'

const root = join(import.meta.dirname, '../..')

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
    const solc = join(root, 'test/clients/foundry/solc.mjs')
    const foundry = await openFoundry({ FOUNDRY_SOLC: solc })
    try {
      const { folder } = foundry
      await mkdir(join(folder, 'test'))
      await cp(join(root, 'fixtures/covered/forge'), join(folder, 'test'), { recursive: true })
      await mkdir(join(folder, 'contracts'))
      await copyFile(join(root, 'fixtures/covered/Covered.sol'), join(folder, COVERED))
      await writeFile(join(folder, 'foundry.toml'), '[profile.default]\nsrc = "contracts"\n')
      await foundry.print('forge', 'coverage', '--report', 'lcov')
      const text = await readFile(join(folder, 'lcov.info'), 'utf8')
      const { lines } = countsOfLcov(text).get(COVERED)!
      const differences = coveredSource.split('\n').flatMap((line, index) => {
        const expected = / \/\/ (\d+)$/.exec(line)?.[1]
        const counted = lines[index + 1]
        return expected === undefined || counted === undefined || counted === Number(expected)
          ? []
          : [`${counted} ${line.trim()}`]
      })
      expect(differences).toEqual(FORGE_DIFFERS)
      expect(Object.keys(lines).length).toBeGreaterThan(30)
    } finally {
      await foundry.remove()
    }
  }, 180_000)
})
