/** Laws of the machine on every network: the stock library, and what each run says of others (test/support/core-laws.ts). */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { assembler } from '../../support/assembler.ts'
import { NETWORKS, lawsOf, sceneOf, withGas } from '../../support/core-laws.ts'
import { runAlike } from '../../support/core-runs.ts'
import { anyStraightProgram } from '../../support/random-words.ts'
import { runs } from '../../support/state-steps.ts'

describe.each(NETWORKS)('on $name', (network) => {
  const { rules } = network

  test.each(lawsOf(network))('$name', async ({ property, numRuns }) => {
    await fc.assert(property(network), runs(numRuns))
  })

  const OFFSETS = [17 * 2 ** 20, 2 ** 31 - 1, 2 ** 31, 0xf0000000, 2 ** 32 - 1, 2 ** 32, 0x1f0000000, 2 ** 64]

  test.each([
    ['KECCAK256', (at: number) => `0 ${BigInt(at)} KECCAK256`],
    ['RETURN', (at: number) => `0 ${BigInt(at)} RETURN`],
    ['REVERT', (at: number) => `0 ${BigInt(at)} REVERT`],
    ['LOG0', (at: number) => `0 ${BigInt(at)} LOG0`],
    ['CALLDATACOPY', (at: number) => `0 ${BigInt(at)} ${BigInt(at)} CALLDATACOPY`],
    ['CODECOPY', (at: number) => `0 ${BigInt(at)} ${BigInt(at)} CODECOPY`],
    ['RETURNDATACOPY', (at: number) => `0 0 ${BigInt(at)} RETURNDATACOPY`],
    ['EXTCODECOPY', (at: number) => `0 ${BigInt(at)} ${BigInt(at)} 7 EXTCODECOPY`],
    ['CREATE', (at: number) => `0 ${BigInt(at)} 0 CREATE`],
    ['CALL', (at: number) => `0 ${BigInt(at)} 0 ${BigInt(at)} 0 4 GAS CALL`],
  ])('%s of no bytes beyond the memory', (_instruction, program) => {
    const assemble = assembler(rules)
    for (const at of OFFSETS) {
      const ran = runAlike(sceneOf(rules, assemble(program(at)), 5_000_000))
      expect(ran.gasLeft).toBeGreaterThan(4_000_000)
    }
  })

  test('a program at every gas limit up to the gas that it needs', () => {
    const law = fc.property(anyStraightProgram(rules), (code) => {
      const scene = sceneOf(rules, code, 200_000)
      const used = 200_000 - runAlike(scene).gasLeft
      for (let gas = 0; gas <= Math.min(used, 400); gas++) runAlike(withGas(scene, gas))
      for (let gas = used; gas > Math.max(0, used - 100); gas--) runAlike(withGas(scene, gas))
    })
    fc.assert(law, runs(2))
  })
})
