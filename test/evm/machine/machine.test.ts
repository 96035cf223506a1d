import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { HARDFORKS } from '../../../lib/config/hardfork.ts'
import { libraryRulesOf, rulesOf, runLibrary, runOurs } from '../../support/machine-runs.ts'
import { anyScene } from '../../support/random-programs.ts'
import { runs } from '../../support/state-steps.ts'

describe.each(HARDFORKS)('under %s', (fork) => {
  const rules = rulesOf(fork)
  const common = libraryRulesOf(fork)

  test('random programs do what they do on the stock library, with all their gas and with less', async () => {
    const law = fc.asyncProperty(
      anyScene(fork),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (scene, share) => {
        const { world, sent } = scene
        const ours = runOurs(rules, world, sent)
        const { exception: ourException, ...ourRest } = ours
        const { exception: theirException, ...theirs } = await runLibrary(common, world, sent)
        expect(ourRest).toEqual(theirs)
        expect(ourException === undefined).toBe(theirException === undefined)
        const less = { ...sent, gas: Math.floor((sent.gas - ours.gasLeft) * share) }
        const { exception: _ours, ...ourLess } = runOurs(rules, world, less)
        const { exception: _theirs, ...theirLess } = await runLibrary(common, world, less)
        expect(ourLess).toEqual(theirLess)
      },
    )
    await fc.assert(law, runs(150))
  }, 120_000)
})
