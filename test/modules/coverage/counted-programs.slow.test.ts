/** The law: coverage counts what random programs count themselves. `SEED=7 PROGRAMS=100` takes other ones. */

import { expect, test } from '@jest/globals'
import { differencesOf } from './counted-runs.ts'
import { NEWEST, VERSION_OF_HARDHAT } from '../../support/solc.ts'

const first = Number(process.env['SEED'] ?? 1)
const count = Number(process.env['PROGRAMS'] ?? 20)

/** Programs that are compiled together. */
const BATCH = 50

test.each([['0.7.6'], [VERSION_OF_HARDHAT], [NEWEST]])(
  `solc %s, programs from ${first} on`,
  async (version) => {
    for (let at = 0; at < count; at += BATCH) {
      const seeds = Array.from({ length: Math.min(BATCH, count - at) }, (_, index) => first + at + index)
      expect((await differencesOf(seeds, version)).join('\n')).toBe('')
    }
  },
)
