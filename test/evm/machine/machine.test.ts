import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { HARDFORKS } from '../../../lib/config/hardfork.ts'
import { libraryRulesOf, rulesOf, runLibrary, runOurs } from '../../support/machine-runs.ts'
import { anyScene } from '../../support/random-programs.ts'
import { runs } from '../../support/state-steps.ts'

describe.each(HARDFORKS)('under %s', (fork) => {
  const rules = rulesOf(fork)
  const common = libraryRulesOf(fork)
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test('random programs have the results of the stock library, with all their gas and with less', async () => {
    const law = fc.asyncProperty(anyScene(fork), share, async ({ world, sent }, part) => {
      const ours = runOurs(rules, world, sent)
      expect(ours).toEqual(await runLibrary(common, world, sent))
      const less = { ...sent, gas: Math.floor((sent.gas - ours.gasLeft) * part) }
      expect(runOurs(rules, world, less)).toEqual(await runLibrary(common, world, less))
    })
    await fc.assert(law, runs(30))
  }, 120_000)
})
