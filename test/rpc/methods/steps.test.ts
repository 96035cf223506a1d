/** dev_traceSteps, dev_findStep, dev_transactionSources. */

import { describe, expect, test } from '@jest/globals'
import type { JsonRpcProvider } from 'ethers'
import type { RpcMethods } from '../../../lib/embedded/rpc-types.ts'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { PATH, failed, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Scene } from '../../support/shop.ts'

type Steps = NonNullable<RpcMethods['dev_traceSteps']['result']>
type Sources = NonNullable<RpcMethods['dev_transactionSources']['result']>
type Logs = readonly {
  pc: number
  op: string
  gas: number
  gasCost: number
  depth: number
  stack: string[]
}[]

/** A failed purchase, and how to ask about it. */
const withFailure = (
  run: (ask: <T>(method: string, ...params: unknown[]) => Promise<T>, scene: Scene) => Promise<void>,
  name = 'buy',
  given = 30,
) =>
  withShop(hardhat2(plain), async (scene) => {
    const { hash } = await failed(scene.shop, name, given)
    const provider = scene.shop.runner!.provider as JsonRpcProvider
    await run((method, ...params) => provider.send(method, [hash, ...params]), scene)
  })

describe('dev_traceSteps', () => {
  test('has the instructions of debug_traceTransaction, in any parts', () =>
    withFailure(async (ask) => {
      const { structLogs: logs } = await ask<{ structLogs: Logs }>('debug_traceTransaction')
      const parts: Steps['steps'][number][] = []
      for (let from = 0; from < logs.length; from += 300) {
        const answer = await ask<Steps>('dev_traceSteps', from, 300)
        expect([answer.total, answer.from]).toEqual([logs.length, from])
        parts.push(...answer.steps)
      }
      const common = ({ pc, op, gas, gasCost, stack }: Logs[number] | Steps['steps'][number]) => [
        pc,
        op,
        gas,
        gasCost,
        stack,
      ]
      expect(parts.map(common)).toEqual(logs.map(common))
      expect(parts.map(({ depth }) => depth + 1)).toEqual(logs.map(({ depth }) => depth))
    }))

  test('has memory when it changes, and the slots', () =>
    withFailure(async (ask) => {
      const { structLogs: logs } = await ask<{ structLogs: readonly { memory: string[] }[] }>(
        'debug_traceTransaction',
      )
      const { steps } = await ask<Steps>('dev_traceSteps', 0, 1000)
      let memory = '0x'
      for (const [index, step] of steps.entries()) {
        memory = step.memory ?? memory
        expect(memory).toBe(`0x${logs[index]!.memory.map((word) => word.slice(2)).join('')}`)
      }
      const read = steps.find(({ op }) => op === 'SLOAD')!
      expect(read.storage).toEqual({ slot: expect.any(String), value: expect.any(String) })
    }))

  test('names the line of an instruction', () =>
    withFailure(async (ask) => {
      const at = await ask<number>('dev_findStep', 0, 'failure')
      const { steps } = await ask<Steps>('dev_traceSteps', at, 1)
      expect(steps[0]).toMatchObject({ op: 'REVERT', source: { path: PATH, line: lineOf('revert') } })
      const [source] = (await ask<Sources>('dev_transactionSources')).filter(
        ({ id }) => id === steps[0]!.source!.id,
      )
      const { start, end } = steps[0]!.source!
      expect(Buffer.from(source!.content!).subarray(start, end).toString()).toMatch(/^TooPoor\(/)
    }))

  test('has at most 1,000 instructions', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const unknown = `0x${'ab'.repeat(32)}`
    expect((await refusal(node, 'dev_traceSteps', [unknown, 0, 1001])).message).toContain('at most 1000')
    expect(await call(node, 'dev_traceSteps', [unknown])).toBeNull()
  })
})

describe('dev_findStep', () => {
  test('finds calls, failures, and the way over and out of them, in both directions', () =>
    withFailure(async (ask) => {
      const find = (...search: unknown[]) => ask<number | null>('dev_findStep', ...search)
      const { structLogs: logs } = await ask<{ structLogs: Logs }>('debug_traceTransaction')
      const into = logs.findIndex(({ depth }) => depth === 2) - 1
      expect(await find(into - 1, 'call')).toBe(into)
      expect(await find(0, 'call')).toBe(logs.findIndex(({ op }) => op.endsWith('CALL')))
      const back = logs.findIndex(({ depth }, index) => index > into && depth === 1)
      expect(await find(into, 'over')).toBe(back)
      expect(await find(into + 3, 'over')).toBe(into + 4)
      expect(await find(into + 3, 'out')).toBe(back)
      expect(await find(back, 'over', 'backwards')).toBe(into)
      expect(await find(into + 3, 'out', 'backwards')).toBe(into)
      expect(await find(logs.length, 'call', 'backwards')).toBe(
        logs.findLastIndex(({ op }) => op.endsWith('CALL')),
      )
      expect(await find(0, 'log')).toBeNull()
      expect(await find(0, 'call', 'backwards')).toBeNull()
      expect(await find(logs.length - 1, 'out')).toBeNull()
      expect(await find(0, 'failure')).toBe(logs.findIndex(({ op }) => op === 'REVERT'))
    }))
})
