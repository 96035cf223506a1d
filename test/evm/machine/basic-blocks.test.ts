/** The basic blocks that the core reports are the instructions of which an observer of instructions is notified. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { positionsInBlock } from '../../../lib/evm/machine/core-tables.ts'
import { assembler } from '../../support/assembler.ts'
import { NETWORKS, sceneOf } from '../../support/core-laws.ts'
import { observe } from '../../support/core-runs.ts'
import type { Scene } from '../../support/core-runs.ts'
import { anyScene } from '../../support/random-programs.ts'
import { anyNoise, anyStraightProgram } from '../../support/random-words.ts'
import { runs } from '../../support/state-steps.ts'

/** The instructions of a run, and its calls and their ends. */
type Path = readonly string[]

function pathByInstructions(scene: Scene): Path {
  const path: string[] = []
  let depth = -1
  observe(scene, {
    onOpcode: ({ pc }) => void path.push(`${depth} ${pc}`),
    onEnter: () => void path.push(`enter ${++depth}`),
    onExit: ({ position }) => void path.push(`exit ${depth--} at ${position}`),
  })
  return path
}

function pathByBlocks(scene: Scene): Path {
  const path: string[] = []
  let depth = -1
  observe(scene, {
    onBlocks: (code, blocks) => {
      for (const start of blocks)
        for (const pc of positionsInBlock(scene.rules, code, start)) path.push(`${depth} ${pc}`)
    },
    onEnter: () => void path.push(`enter ${++depth}`),
    onExit: ({ position }) => {
      // An exception can end a frame in the middle of a block.
      while (position !== undefined && isAfter(path.at(-1) ?? '', depth, position)) path.pop()
      path.push(`exit ${depth--} at ${position}`)
    },
  })
  return path
}

function isAfter(step: string, depth: number, position: number): boolean {
  const [inner, pc] = step.split(' ').map(Number)
  return inner === depth && Number(pc) > position
}

const compare = (scene: Scene): void => {
  expect(pathByBlocks(scene)).toEqual(pathByInstructions(scene))
}

describe.each(NETWORKS)('on $name', ({ rules, programs }) => {
  test('contracts that call and create, at any gas limit', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const law = fc.property(anyScene(programs), share, ({ world, sent }, part) => {
      const scene = { rules, world, sent: { ...sent, gas: Math.min(sent.gas, 200_000) } }
      compare(scene)
      compare({ ...scene, sent: { ...scene.sent, gas: Math.floor(scene.sent.gas * part) } })
    })
    fc.assert(law, runs(15))
  })

  test('straight programs and noise, at any gas limit', () => {
    const anyCode = fc.oneof(anyStraightProgram(rules), anyNoise)
    const law = fc.property(anyCode, fc.nat(60_000), (code, gas) => compare(sceneOf(rules, code, gas)))
    fc.assert(law, runs(25))
  })
})

test('a loop with more blocks than the core has room for', () => {
  const { rules } = NETWORKS.at(-1)!
  // Counts down from 40,000: two blocks for each round.
  const code = assembler(rules)('40000 JUMPDEST 1 SWAP1 SUB DUP1 3 JUMPI STOP')
  let count = 0
  observe(sceneOf(rules, code, 5_000_000), { onBlocks: (_code, blocks) => void (count += blocks.length) })
  expect(count).toBe(40_000 + 2)
})

test('code for which the memory of the core grows', () => {
  const { rules } = NETWORKS.at(-1)!
  // Growing makes all views of the memory invalid.
  const code = assembler(rules)('1 0x2000000 MSTORE JUMPDEST STOP')
  const seen: number[] = []
  observe(sceneOf(rules, code, 4_000_000_000), { onBlocks: (_code, blocks) => void seen.push(...blocks) })
  expect(seen).toEqual([0, code.indexOf(0x5b)])
})
