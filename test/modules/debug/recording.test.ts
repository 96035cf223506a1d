/** Recordings have at each instruction what the tracer and the machine itself say. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { toHex, toWord } from '../../../lib/base/hex.ts'
import type { Recording } from '../../../lib/modules/debug/recording.ts'
import { sessionOf, startMarket } from './market.ts'
import { call } from '../../support/node.ts'

const [SLOAD, TLOAD] = [0x54, 0x5c]

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => void (scene = await startMarket()))
afterAll(() => scene.end())

/** Transactions with calls, creations, caught and uncaught reverts, loops, transient storage and a proxy. */
const TRANSACTIONS: readonly (readonly [title: string, run: () => Promise<string>])[] = [
  ['a creation', async () => scene.created],
  ['a sale', () => scene.send('sell', [10])],
  ['a creation within, with value', () => scene.send('fill', [8], { value: '0x5' })],
  ['a caught revert after a write', () => scene.send('tryTake', [100])],
  ['a call after it', () => scene.send('tryTake', [2])],
  ['an uncaught revert', () => scene.send('take', [100])],
  ['transient storage', () => scene.send('pass', [6])],
  ['a loop', () => scene.send('count', [20])],
  ['a proxy', async () => scene.send('sell', [4], { to: await scene.deploy('Proxy', [scene.market]) })],
  ['a lack of gas', () => scene.send('count', [100_000], { gas: '0x6000' })],
]

/** The stack of a step, lowest word first. */
function stackAt(recording: Recording, step: number): readonly string[] {
  const words = recording.wordsAt(step, 0, recording.heightAt(step)) ?? []
  return words.map((word) => `0x${word.toString(16)}`)
}

const wordsOf = (memory: Uint8Array): readonly string[] =>
  Array.from({ length: memory.length / 32 }, (_, at) => toHex(memory.subarray(32 * at, 32 * at + 32)))

describe.each(TRANSACTIONS)('%s', (_title, run) => {
  test('has the instructions, gas, stacks and memory of debug_traceTransaction', async () => {
    const hash = await run()
    const { recording } = await sessionOf(scene.node, await scene.open({ transaction: hash }))
    const { structLogs } = await call(scene.node, 'debug_traceTransaction', [hash, { enableMemory: true }])
    expect(recording.length).toBe(structLogs.length)
    expect(recording.length).toBeGreaterThan(100)
    for (const [step, { pc, gas, stack, memory = [], depth }] of structLogs.entries()) {
      expect([recording.pcAt(step), recording.gasAt(step)]).toEqual([pc, gas])
      expect(stackAt(recording, step)).toEqual(stack)
      expect(wordsOf(recording.memoryAt(step))).toEqual(memory)
      expect(recording.frameAt(step)!.depth).toBe(depth - 1)
    }
  })

  test('ends with the storage of the chain', async () => {
    const { recording } = await sessionOf(scene.node, await scene.open({ transaction: await run() }))
    for (const [{ account, slot } = undefined!] of recording.stored) {
      const stored = await call(scene.node, 'eth_getStorageAt', [account, toWord(slot), 'latest'])
      expect(toWord(recording.storageAt(recording.length, account, slot))).toBe(stored)
    }
  })
})

test('the storage is that which instructions load, also after failures', async () => {
  const loads: (readonly [opcode: number, isRight: boolean])[] = []
  for (const [, run] of TRANSACTIONS) {
    const { recording } = await sessionOf(scene.node, await scene.open({ transaction: await run() }))
    for (let step = 0; step + 1 < recording.length; step++) {
      const opcode = recording.opcodeAt(step)
      if (opcode !== SLOAD && opcode !== TLOAD) continue
      const { account } = recording.frameAt(step)!
      const slot = recording.topAt(step)!.word
      const value =
        opcode === SLOAD
          ? recording.storageAt(step, account, slot)
          : recording.transientAt(step, account, slot)
      loads.push([opcode, value === recording.topAt(step + 1)!.word])
    }
  }
  expect(loads.filter(([, isRight]) => !isRight)).toEqual([])
  expect(loads.filter(([opcode]) => opcode === SLOAD).length).toBeGreaterThan(20)
  expect(loads.some(([opcode]) => opcode === TLOAD)).toBe(true)
})
