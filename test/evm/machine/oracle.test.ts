/** Compares the machine with its oracle: results, state and hook events, on every network. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { activeEips } from '../../../lib/config/active-eips.ts'
import { HARDFORKS } from '../../../lib/config/hardfork.ts'
import type { Hardfork } from '../../../lib/config/hardfork.ts'
import { loadNetwork } from '../../../lib/config/network.ts'
import { network33Precompiles } from '../../../lib/evm/precompiles/network-33/precompiles.ts'
import { network33Rules } from '../../../lib/evm/rules/network33.ts'
import type { Rules } from '../../../lib/evm/rules/rules.ts'
import { assembler } from '../../support/assembler.ts'
import type { Scene } from '../../support/oracle-runs.ts'
import { runMachine, runOracle } from '../../support/oracle-runs.ts'
import { rulesOf } from '../../support/machine-runs.ts'
import { anyScene } from '../../support/random-programs.ts'
import { anyNoise, anyStraightProgram } from '../../support/random-words.ts'
import { runs } from '../../support/state-steps.ts'
import { addressOf } from '../../support/transactions.ts'

const network33 = network33Rules({
  eips: activeEips(loadNetwork('network-33')),
  precompiles: network33Precompiles,
  allowUnlimitedContractSize: false,
})

const NETWORKS: readonly (readonly [name: string, rules: Rules, programs: Hardfork])[] = [
  ['network 33', network33, 'cancun'],
  ...HARDFORKS.map((fork) => [fork, rulesOf(fork), fork] as const),
]

const CONTRACT = addressOf(0x1001)

/** Runs code as that of a contract. */
const sceneOf = (rules: Rules, code: Uint8Array, gas: number): Scene => ({
  rules,
  world: new Map([[CONTRACT, { code, nonce: 1n, balance: 5n, storage: new Map([[1n, 2n ** 200n]]) }]]),
  sent: { to: CONTRACT, data: Uint8Array.from({ length: 45 }, (_, index) => index + 1), value: 0n, gas },
})

function check(scene: Scene, isObserved = false): ReturnType<typeof runMachine> {
  const ran = runMachine(scene, isObserved)
  expect(ran).toEqual(runOracle(scene, isObserved))
  return ran
}

describe.each(NETWORKS)('on %s', (_name, rules, programs) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test('contracts that call and create', () => {
    const law = fc.property(anyScene(programs), share, ({ world, sent }, part) => {
      const scene = { rules, world, sent }
      const { gasLeft } = check(scene)
      check({ rules, world, sent: { ...sent, gas: Math.floor((sent.gas - gasLeft) * part) } })
    })
    fc.assert(law, runs(60))
  })

  test('the same with an observer', () => {
    const law = fc.property(anyScene(programs), share, ({ world, sent }, part) => {
      const scene = { rules, world, sent: { ...sent, gas: Math.min(sent.gas, 100_000) } }
      const { gasLeft } = check(scene, true)
      check({ rules, world, sent: { ...sent, gas: Math.floor((scene.sent.gas - gasLeft) * part) } }, true)
    })
    fc.assert(law, runs(15))
  })

  test('arithmetic, memory and storage', () => {
    fc.assert(
      fc.property(anyStraightProgram(rules), fc.nat(60_000), (code, gas) => {
        check(sceneOf(rules, code, 5_000_000))
        check(sceneOf(rules, code, gas))
      }),
      runs(80),
    )
  })

  test('noise with jumps', () => {
    fc.assert(
      fc.property(anyNoise, (code) => void check(sceneOf(rules, code, 60_000))),
      runs(80),
    )
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
