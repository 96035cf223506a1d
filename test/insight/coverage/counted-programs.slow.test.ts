/** The law: coverage counts what random programs count themselves. `SEED=7 PROGRAMS=100` takes other ones. */

import { expect, test } from '@jest/globals'
import { differencesOf } from '../../support/counted-runs.ts'
import { NEWEST, VERSION_OF_HARDHAT } from '../../support/solc.ts'

const first = Number(process.env['SEED'] ?? Math.floor(1_000_000 * Math.random()))
const seeds = Array.from({ length: Number(process.env['PROGRAMS'] ?? 20) }, (_, index) => first + index)

test.each([['0.7.6'], [VERSION_OF_HARDHAT], [NEWEST]])(
  `solc %s, programs from ${first} on`,
  async (version) => {
    expect((await differencesOf(seeds, version)).join('\n')).toBe('')
  },
)
