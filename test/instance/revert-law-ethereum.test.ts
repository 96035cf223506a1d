/** Checks the law of reverts on an Ethereum network with 5,000 random steps. */

import { describe, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/config/options.ts'
import { anySeed, checkRevertLaw } from '../support/law.ts'

const network = 'ethereum'

const SILENT = 'no listeners to every block'

describe('the law of snapshots and worlds on Ethereum', () => {
  test.each<readonly [string, OptionsInput, number]>([
    ['instant blocks', { network }, 1],
    [SILENT, { network }, 2],
    ['a block every second', { network, blockTime: 1 }, 3],
    ['the rules of London and a frozen clock', { network, hardfork: 'london', frozenTime: true }, 4],
    ['a new seed in every run', { network }, anySeed()],
  ])(
    'holds for 1,000 random steps with %s',
    async (name, options, seed) => {
      await checkRevertLaw(options, { seed, steps: 1000, isSilent: name === SILENT })
    },
    120_000,
  )
})
