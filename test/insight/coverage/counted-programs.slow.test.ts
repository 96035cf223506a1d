/** The law: coverage counts what random programs count themselves. */

import { expect, test } from '@jest/globals'
import { differencesOf } from '../../support/counted-runs.ts'
import { NEWEST, VERSION_OF_HARDHAT } from '../../support/solc.ts'

const from = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const count = Number(process.env['PROGRAMS'] ?? 20)
const seeds = Array.from({ length: count }, (_, index) => from + index)

test.each([['0.7.6'], [VERSION_OF_HARDHAT], [NEWEST]])('solc %s', async (version) => {
  const differences = await differencesOf(seeds, version)
  console.log(version, differences.length, 'of', count)
  expect(differences.slice(0, Number(process.env['SHOW'] ?? 1)).join('\n')).toBe('')
})
