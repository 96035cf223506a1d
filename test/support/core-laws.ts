/** Laws of the core on random scenes of every network, for tests and for `npm run fuzz:core`. */

import { deepStrictEqual, ok } from 'node:assert'
import fc from 'fast-check'
import { activeEips } from '../../lib/config/active-eips.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { loadNetwork } from './networks.ts'
import { network33Precompiles } from '../../lib/modules/network-33/precompiles/precompiles.ts'
import { network33Rules } from '../../lib/modules/network-33/rules.ts'
import type { Rules } from '../../lib/evm/rules.ts'
import type { Observer, Step } from '../../lib/evm/observer.ts'
import { observe, runAlike, runMachine } from './core-runs.ts'
import type { Scene } from './core-runs.ts'
import { LIBRARY_HARDFORKS, libraryRulesOf, rulesOf, runLibrary, runOurs, stateOf } from './machine-runs.ts'
import { anyScene } from './random-programs.ts'
import { anyNoise, anyStraightProgram } from './random-words.ts'
import { addressOf } from './transactions.ts'

/** The rules of a network, and the instructions that its programs have. */
export interface NetworkRules {
  readonly name: string
  readonly rules: Rules
  readonly programs: Hardfork
}

/** A law that holds for random scenes of a network. */
export interface CoreLaw {
  readonly name: string
  /** Runs in a test; `npm run fuzz:core` makes them as long as one likes. */
  readonly numRuns: number
  readonly property: (network: NetworkRules) => fc.IRawProperty<unknown>
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

/** The instruction PC. */
const PC = 0x58

/** Contracts that call and create. */
const anyTree = ({ rules, programs }: NetworkRules): fc.Arbitrary<Scene> =>
  anyScene(programs).map(({ world, sent }) => ({ rules, world, sent }))

/** Programs that have their operands, and noise with jumps, sometimes on a stack that is nearly full. */
const anyCode = ({ rules }: NetworkRules): fc.Arbitrary<Scene> =>
  fc.oneof(
    anyStraightProgram(rules).map((code) => sceneOf(rules, code, 500_000)),
    fc
      .tuple(anyNoise, fc.constantFrom(0, 0, 990, 1000, 1004))
      .map(([code, words]) =>
        sceneOf(rules, Uint8Array.of(...new Array<number>(words).fill(PC), ...code), 60_000),
      ),
  )

const anyRun = (network: NetworkRules): fc.Arbitrary<Scene> => fc.oneof(anyTree(network), anyCode(network))

/** A part of the gas. */
const share = fc.double({ min: 0, max: 1, noNaN: true })

/** The same scene with another gas limit. */
export const withGas = (scene: Scene, gas: number): Scene => ({ ...scene, sent: { ...scene.sent, gas } })

/** The laws. */
export const CORE_LAWS: readonly CoreLaw[] = [
  {
    name: 'results do not depend on how the core checks gas and stack, at any gas limit',
    numRuns: 30,
    property: (network) =>
      fc.property(anyRun(network), share, (scene, part) => {
        const { gasLeft } = runAlike(scene)
        runAlike(withGas(scene, Math.floor((scene.sent.gas - gasLeft) * part)))
      }),
  },
  {
    name: 'an end that does not depend on the gas is the same with the gas that it needs, and is not reached with less',
    numRuns: 20,
    property: (network) => fc.property(anyRun(network), share, checkLimits),
  },
  {
    name: 'the gas of a frame is that of its instructions and of the frames that it calls',
    numRuns: 20,
    property: (network) =>
      fc.property(anyRun(network), (scene) => void observe(withGas(scene, 100_000), gasSums())),
  },
]

/** A comparison with the stock library, at gas limits at which one more or less makes a difference. */
const libraryLaw = (
  name: string,
  numRuns: number,
  anyOf: (network: NetworkRules) => fc.Arbitrary<Scene>,
): CoreLaw => ({
  name: `results are those of the stock library: ${name}`,
  numRuns,
  property: (network) =>
    fc.asyncProperty(anyOf(network), share, async (scene, part) => {
      const { rules, world, sent } = scene
      const limits = limitsOf(scene)
      const limit = limits[Math.floor(part * (limits.length - 1))]!
      for (const gas of [sent.gas, limit, limit - 1].filter((each) => each >= 0)) {
        const limited = { ...sent, gas }
        const ours = runOurs(rules, world, limited)
        deepStrictEqual(ours, await runLibrary(libraryRulesOf(network.programs), world, limited))
      }
    }),
})

/** Gas limits with which one instruction has just its gas, or an SSTORE just the gas at which it is refused (EIP-2200). */
function limitsOf(scene: Scene): readonly number[] {
  const { gas } = scene.sent
  const limits = [gas]
  observe(scene, {
    onOpcode: ({ depth, gasLeft, cost, name }) => {
      if (depth === 0) limits.push(gas - Number(gasLeft - (name === 'SSTORE' ? 2300n : cost)))
      return undefined
    },
  })
  return limits.filter((limit) => limit >= 0 && limit <= gas)
}

/** The stock library has no rules for network 33, and unfinished ones for the newest hard fork. */
const LIBRARY_LAWS: readonly CoreLaw[] = [
  libraryLaw('contracts that call and create', 10, anyTree),
  libraryLaw('programs without calls', 20, anyCode),
]

/** The laws of a network. */
export const lawsOf = ({ name, programs }: NetworkRules): readonly CoreLaw[] =>
  name === programs && LIBRARY_HARDFORKS.includes(programs) ? [...CORE_LAWS, ...LIBRARY_LAWS] : CORE_LAWS

/** Runs with just the gas that was used, with more, and with less: then the same instructions run until the gas is used up. */
function checkLimits(scene: Scene, part: number): void {
  const ran = runMachine(scene)
  if (ran.status === 'failed' || !ran.isGasIndependent) return
  const used = scene.sent.gas - ran.gasLeft
  for (const more of [0, 1, 1_000_000]) {
    deepStrictEqual(runMachine(withGas(scene, used + more)), { ...ran, gasLeft: more })
  }
  const gas = Math.floor(used * part)
  if (gas === used) return
  const failed = runMachine(withGas(scene, gas))
  const { status, exception, gasLeft } = failed
  deepStrictEqual({ status, exception, gasLeft }, { status: 'failed', exception: 'out of gas', gasLeft: 0 })
  deepStrictEqual(failed.stateRoot, stateOf(scene.world).commitRoot().hash)
  const steps = stepsOf(withGas(scene, gas))
  deepStrictEqual(steps, stepsOf(withGas(scene, used)).slice(0, steps.length))
}

function stepsOf(scene: Scene): readonly unknown[] {
  const steps: unknown[] = []
  observe(scene, {
    onOpcode: ({ pc, depth, stack, memory }: Step) => void steps.push([pc, depth, stack, memory.slice()]),
  })
  return steps
}

/** A frame, and the gas that its next instruction must have. */
interface OpenFrame {
  readonly gas: bigint
  readonly isCreation: boolean
  left: bigint
}

/** Checks the gas at every instruction and at the end of every frame. */
function gasSums(): Observer {
  const open: OpenFrame[] = []
  return {
    onEnter: ({ gas, kind }) =>
      void open.push({ gas, isCreation: kind === 'create' || kind === 'create2', left: gas }),
    onOpcode: ({ gasLeft, cost }) => {
      const frame = open.at(-1)!
      deepStrictEqual(gasLeft, frame.left)
      frame.left -= cost
      return undefined
    },
    onExit: ({ status, gasUsed, ranCode }) => {
      const { gas, isCreation, left } = open.pop()!
      if (status === 'failed' && ranCode) deepStrictEqual(gasUsed, gas)
      // A creation pays for its code too.
      else if (ranCode && isCreation) ok(gasUsed >= gas - left)
      else if (ranCode) deepStrictEqual(gasUsed, gas - left)
      const caller = open.at(-1)
      // The cost of a call contains the gas that it forwards, that of a creation does not.
      if (caller !== undefined) caller.left += isCreation ? -gasUsed : gas - gasUsed
    },
  }
}
