/** What the core and its oracle must agree on, for tests and for `npm run fuzz:core`: random scenes on every network. */

import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { activeEips } from '../../lib/config/active-eips.ts'
import { HARDFORKS } from '../../lib/config/hardfork.ts'
import type { Hardfork } from '../../lib/config/hardfork.ts'
import { loadNetwork } from '../../lib/config/network.ts'
import { network33Precompiles } from '../../lib/evm/precompiles/network-33/precompiles.ts'
import { network33Rules } from '../../lib/evm/rules/network33.ts'
import type { Rules } from '../../lib/evm/rules/rules.ts'
import { rulesOf } from './machine-runs.ts'
import { isGasIndependent } from './oracle-runs.ts'
import type { Noted, Scene } from './oracle-runs.ts'
import { anyScene } from './random-programs.ts'
import { anyNoise, anyStraightProgram } from './random-words.ts'
import { addressOf } from './transactions.ts'

/** The rules of a network, and the instructions that its programs have. */
export interface NetworkRules {
  readonly name: string
  readonly rules: Rules
  readonly programs: Hardfork
}

/** Runs a scene on both, compares, and answers what the machine did. */
export type Check = (scene: Scene, isObserved?: boolean) => Noted

/** A law that holds for random scenes of a network. */
export interface CoreLaw {
  readonly name: string
  /** Runs in a test. */
  readonly numRuns: number
  readonly property: (network: NetworkRules, check: Check) => fc.IProperty<unknown>
}

const network33 = network33Rules({
  eips: activeEips(loadNetwork('network-33')),
  precompiles: network33Precompiles,
  allowUnlimitedContractSize: false,
})

/** All networks and hard forks. */
export const NETWORKS: readonly NetworkRules[] = [
  { name: 'network 33', rules: network33, programs: 'cancun' },
  ...HARDFORKS.map((fork) => ({ name: fork, rules: rulesOf(fork), programs: fork })),
]

const CONTRACT = addressOf(0x1001)

/** Runs code as that of a contract. */
export const sceneOf = (rules: Rules, code: Uint8Array, gas: number): Scene => ({
  rules,
  world: new Map([[CONTRACT, { code, nonce: 1n, balance: 5n, storage: new Map([[1n, 2n ** 200n]]) }]]),
  sent: { to: CONTRACT, data: Uint8Array.from({ length: 45 }, (_, index) => index + 1), value: 0n, gas },
})

/** A part of the gas. */
const share = fc.double({ min: 0, max: 1, noNaN: true })

/** The laws. */
export const CORE_LAWS: readonly CoreLaw[] = [
  {
    name: 'contracts that call and create',
    numRuns: 60,
    property: ({ rules, programs }, check) =>
      fc.property(anyScene(programs), share, ({ world, sent }, part) => {
        const { gasLeft } = check({ rules, world, sent })
        check({ rules, world, sent: { ...sent, gas: Math.floor((sent.gas - gasLeft) * part) } })
      }),
  },
  {
    name: 'the same with an observer',
    numRuns: 15,
    property: ({ rules, programs }, check) =>
      fc.property(anyScene(programs), share, ({ world, sent: given }, part) => {
        const sent = { ...given, gas: Math.min(given.gas, 100_000) }
        const { gasLeft } = check({ rules, world, sent }, true)
        check({ rules, world, sent: { ...sent, gas: Math.floor((sent.gas - gasLeft) * part) } }, true)
      }),
  },
  {
    name: 'arithmetic, memory and storage',
    numRuns: 80,
    property: ({ rules }, check) =>
      fc.property(anyStraightProgram(rules), fc.nat(60_000), (code, gas) => {
        check(sceneOf(rules, code, 5_000_000))
        check(sceneOf(rules, code, gas))
      }),
  },
  {
    name: 'successes that do not depend on the gas',
    numRuns: 60,
    property: ({ rules, programs }, check) => {
      const anyCode = fc
        .oneof(anyStraightProgram(rules), anyNoise)
        .map((code) => sceneOf(rules, code, 500_000))
      const anyTree = anyScene(programs).map(({ world, sent }): Scene => ({ rules, world, sent }))
      return fc.property(fc.oneof(anyCode, anyTree), (scene) => {
        const ran = check(scene)
        if (ran.status !== 'success' || !isGasIndependent(scene)) return
        const used = scene.sent.gas - ran.gasLeft
        deepStrictEqual(check({ ...scene, sent: { ...scene.sent, gas: used } }), { ...ran, gasLeft: 0 })
      })
    },
  },
  {
    name: 'noise with jumps',
    numRuns: 80,
    property: ({ rules }, check) => fc.property(anyNoise, (code) => void check(sceneOf(rules, code, 60_000))),
  },
]
