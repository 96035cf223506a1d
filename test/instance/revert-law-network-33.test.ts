/** Checks the law of reverts on network 33 with 5,000 random steps. */

import { describe, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/config/options.ts'
import { anySeed, checkRevertLaw } from '../support/law.ts'

const SILENT = 'no listeners to every block'

describe('the law of snapshots and worlds on network 33', () => {
  test.each<readonly [string, OptionsInput, number]>([
    ['instant blocks', {}, 1],
    [SILENT, {}, 2],
    ['a block every second', { blockTime: 1 }, 3],
    ['the system transaction', { systemTransaction: true }, 4],
    ['a new seed in every run', {}, anySeed()],
  ])(
    'holds for 1,000 random steps with %s',
    async (name, options, seed) => {
      await checkRevertLaw(options, { seed, steps: 1000, isSilent: name === SILENT })
    },
    120_000,
  )
})
