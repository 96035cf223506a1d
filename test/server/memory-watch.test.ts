import { expect, test } from '@jest/globals'
import { watchMemory } from '../../lib/server/start.ts'
import { ManualHost } from '../support/node.ts'

const MB = 2 ** 20

test('warns once that the heap is nearly full, and again after it was not', () => {
  const host = new ManualHost()
  const sentences: string[] = []
  let used = 0
  const heapUsage = () => ({ used: used * MB, limit: 1000 * MB })
  const onNearlyFull = (sentence: string) => sentences.push(sentence)
  const end = watchMemory(host, heapUsage, onNearlyFull)
  for (const now of [700, 749, 750, 900, 650, 760, 640, 751]) {
    used = now
    host.step(1_000)
  }
  expect(sentences.map((sentence) => sentence.slice(0, 54))).toEqual([
    'the memory is nearly full: 750 of 1000 MB are used; th',
    'the memory is nearly full: 751 of 1000 MB are used; th',
  ])
  end()
  expect(host.waiting).toBe(0)
})
