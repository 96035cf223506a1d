import { expect, test } from '@jest/globals'
import { watchMemory } from '../../lib/server/memory-watch.ts'
import { ManualHost } from '../support/node.ts'

const MB = 2 ** 20

const UNLIMITED = { usedBytes: () => 0, maxBytes: Infinity, onAboveLimit: () => undefined }

test('warns once that the heap is nearly full, and again after it was not', () => {
  const host = new ManualHost()
  const sentences: string[] = []
  let used = 0
  const heapUsage = () => ({ used: used * MB, limit: 1000 * MB })
  const onNearlyFull = (sentence: string) => sentences.push(sentence)
  const end = watchMemory({ ...UNLIMITED, host, heapUsage, onNearlyFull })
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

test('warns once that the memory stays above --max-memory, and again after it was clearly below', () => {
  const host = new ManualHost()
  const sentences: string[] = []
  let used: readonly number[] = []
  let checks = 0
  const end = watchMemory({
    host,
    heapUsage: () => ({ used: 0, limit: 4096 * MB }),
    onNearlyFull: () => undefined,
    usedBytes: () => used[checks++ % used.length]! * MB,
    maxBytes: 256 * MB,
    onAboveLimit: (sentence) => sentences.push(sentence),
  })
  /** Half a minute of checks. */
  const wait = (...amounts: readonly number[]): number => {
    used = amounts
    for (let check = 0; check < 300; check++) host.step(100)
    return sentences.length
  }
  // Garbage alone is no reason.
  expect(wait(300, 200, 300)).toBe(0)
  expect(wait(300, 257, 300)).toBe(1)
  expect([wait(400), wait(250), wait(300)]).toEqual([1, 1, 1])
  expect([wait(200), wait(300)]).toEqual([1, 2])
  expect(sentences[0]).toMatch(/^the node takes 257 MB, more than the 256 MB of --max-memory: /)
  end()
})
