/** Compares the machine with its oracle: results, state and hook events, on every network. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { assembler } from '../../support/assembler.ts'
import { CORE_LAWS, NETWORKS, sceneOf } from '../../support/core-laws.ts'
import type { Check } from '../../support/core-laws.ts'
import { runMachine, runOracle } from '../../support/oracle-runs.ts'
import { anyStraightProgram } from '../../support/random-words.ts'
import { runs } from '../../support/state-steps.ts'

const check: Check = (scene, isObserved = false) => {
  const ran = runMachine(scene, isObserved)
  expect(ran).toEqual(runOracle(scene, isObserved))
  return ran
}

describe.each(NETWORKS)('on $name', (network) => {
  const { rules } = network

  test.each(CORE_LAWS)('$name', ({ property, numRuns }) => {
    fc.assert(property(network, check), runs(numRuns))
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
      const ran = check(sceneOf(rules, assemble(program(at)), 5_000_000))
      expect(ran.gasLeft).toBeGreaterThan(4_000_000)
    }
  })

  test('a program at every gas limit up to the gas that it needs', () => {
    const law = fc.property(anyStraightProgram(rules), (code) => {
      const used = 200_000 - check(sceneOf(rules, code, 200_000)).gasLeft
      for (let gas = 0; gas <= Math.min(used, 400); gas++) check(sceneOf(rules, code, gas))
      for (let gas = used; gas > Math.max(0, used - 100); gas--) check(sceneOf(rules, code, gas))
    })
    fc.assert(law, runs(2))
  })
})
