/** The counts of a run are those of its instructions one by one, and counting changes no result. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ExecutionCounts } from '../../../lib/modules/coverage/execution-counts.ts'
import { assembler } from '../../support/assembler.ts'
import { NETWORKS, sceneOf } from '../../support/core-laws.ts'
import { observe, runMachine } from '../../support/core-runs.ts'
import type { Scene } from '../../support/core-runs.ts'
import { anyScene } from '../../support/random-programs.ts'
import { anyNoise, anyStraightProgram } from '../../support/random-words.ts'
import { runs } from '../../support/state-steps.ts'

const fail = (error: unknown): never => {
  throw error
}

/** Executions by position and opcode, of all codes together. */
type Executions = Readonly<Record<string, number>>

const sumUp = (steps: Iterable<readonly [step: string, count: number]>): Executions => {
  const sums: Record<string, number> = {}
  for (const [step, count] of steps) if (count > 0) sums[step] = (sums[step] ?? 0) + count
  return sums
}

function byInstructions(scene: Scene): Executions {
  const steps: [string, number][] = []
  observe(scene, { onOpcode: ({ pc, opcode }) => void steps.push([`${pc} ${opcode}`, 1]) })
  return sumUp(steps)
}

/** Checks the law, and returns the counts of the run. */
function checkCounts(scene: Scene): ExecutionCounts {
  const monitor = new ExecutionCounts(fail)
  expect(runMachine({ ...scene, special: { monitor } })).toEqual(runMachine(scene))
  const counted = [...monitor.codes].flatMap((counts) =>
    Array.from(counts.executions(), (count, pc) => [`${pc} ${counts.code[pc]!}`, count] as const),
  )
  expect(sumUp(counted)).toEqual(byInstructions(scene))
  return monitor
}

describe.each(NETWORKS)('on $name', ({ rules, programs }) => {
  test('contracts that call and create, at any gas limit', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const law = fc.property(anyScene(programs), share, ({ world, sent }, part) => {
      const scene = { rules, world, sent: { ...sent, gas: Math.min(sent.gas, 200_000) } }
      checkCounts(scene)
      checkCounts({ ...scene, sent: { ...scene.sent, gas: Math.floor(scene.sent.gas * part) } })
    })
    fc.assert(law, runs(15))
  })

  test('straight programs and noise, at any gas limit', () => {
    const anyCode = fc.oneof(anyStraightProgram(rules), anyNoise)
    const law = fc.property(anyCode, fc.nat(60_000), (code, gas) => {
      checkCounts(sceneOf(rules, code, gas))
    })
    fc.assert(law, runs(25))
  })
})

const { rules } = NETWORKS.at(-1)!

test('a loop with more blocks than the core has room for, which ends without gas in the middle of a block', () => {
  const code = assembler(rules)('40000 JUMPDEST 1 SWAP1 SUB DUP1 3 JUMPI STOP')
  const [counts] = [...checkCounts(sceneOf(rules, code, 500_010)).codes]
  expect(Math.max(...counts!.executions())).toBeGreaterThan(10_000)
})

test('a reset forgets the counts', () => {
  const monitor = checkCounts(sceneOf(rules, assembler(rules)('1 2 ADD STOP'), 1000))
  monitor.reset()
  expect([...monitor.codes]).toEqual([])
})

test('code whose metadata ends like a PUSH32', () => {
  const ending = Buffer.from(`00a264697066735822${'7f'.repeat(34)}64736f6c634300081c7f`, 'hex')
  checkCounts(sceneOf(rules, new Uint8Array(ending), 1000))
})

describe('codes that differ only in what a deployment puts into them', () => {
  const metadata = Buffer.from(`a264697066735822${'12'.repeat(34)}64736f6c634300081c0033`, 'hex')
  const codeWith = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
  const pushing = (immutable: number): Buffer => Buffer.from(`7f${'00'.repeat(31)}0${immutable}00`, 'hex')

  test.each([
    ['immutables', false, codeWith(pushing(1), metadata), codeWith(pushing(2), metadata), true],
    ['without metadata', false, codeWith(pushing(1)), codeWith(pushing(2)), false],
    ['arguments', true, codeWith(metadata, pushing(1)), codeWith(metadata, pushing(2)), true],
    ['other metadata', true, codeWith(metadata), codeWith(metadata.fill(9, 10, 11)), false],
  ])('%s', (_case, isCreation, one, other, areSame) => {
    const monitor = new ExecutionCounts(fail)
    const first = monitor.monitorOf({ code: one, isCreation, rules })
    expect(monitor.monitorOf({ code: other, isCreation, rules }) === first).toBe(areSame)
  })
})

test('an error of the counting is reported and fails no execution', () => {
  const errors: unknown[] = []
  const counts = new ExecutionCounts((error) => errors.push(error))
  const wrong = new Error('wrong')
  const running = {
    isCreation: true,
    rules: NETWORKS[0]!.rules,
    get code(): Uint8Array {
      throw wrong
    },
  }
  const monitor = counts.monitorOf(running)
  monitor.count(new Uint32Array([0]), undefined)
  monitor.halt(0)
  expect(errors).toEqual([wrong])
  expect([...counts.codes]).toEqual([])
})
