import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { compressed, readLines } from '../../../lib/node/persistence/archive.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const COUNT = 5000

/** Lines that do not compress, with a counter of the lines that were read. */
function countedLines() {
  const lines = Array.from({ length: COUNT }, () => JSON.stringify(randomBytes(1000).toString('base64')))
  const counted = { lines, taken: 0 }
  const take = function* () {
    for (const line of lines) {
      counted.taken++
      yield line
    }
  }
  return { counted, iterable: take() }
}

test('lines are read as written', async () => {
  const { counted, iterable } = countedLines()
  const read: string[] = []
  for await (const line of readLines(compressed(iterable))) read.push(line)
  expect(read).toEqual(counted.lines)
})

test('lines are consumed while the file is written', async () => {
  const { counted, iterable } = countedLines()
  const file = compressed(iterable)
  for await (const piece of file) {
    expect(piece).toBeDefined()
    break
  }
  expect(counted.taken).toBeGreaterThan(0)
  expect(counted.taken).toBeLessThan(COUNT / 2)
})

test('the file is read on demand of lines', async () => {
  const file = await buffer(compressed(countedLines().iterable))
  let taken = 0
  const take = function* () {
    for (; taken < file.length; taken += 10_000) yield file.subarray(taken, taken + 10_000)
  }
  for await (const line of readLines(Readable.from(take()))) {
    expect(line).toBeDefined()
    break
  }
  expect(taken).toBeLessThan(file.length / 2)
})

test('a line is read in linear time', async () => {
  const timeOf = async (length: number): Promise<number> => {
    const file = await buffer(compressed(['x'.repeat(length)]))
    const startMs = cpuMs()
    for await (const line of readLines(Readable.from([file]))) expect(line.length).toBe(length)
    return cpuMs() - startMs
  }
  await timeOf(1_000_000)
  // The better of two, because something else may use the processor.
  const bestOf = async (length: number) => Math.min(await timeOf(length), await timeOf(length))
  const [short, long] = [await bestOf(2_000_000), await bestOf(32_000_000)]
  // Sixteen times as long. A search from the start with every piece would take some two hundred times as long.
  expect(long).toBeLessThan(short * 60 + 200)
})

test('an endless line is refused before it fills the memory', async () => {
  const piece = gzipSync(Buffer.alloc(2 ** 20, 'x'))
  const lines = readLines(Readable.from(Array.from({ length: 2 ** 9 }, () => piece)))
  await expect(lines.next()).rejects.toThrow('the state file has a line without an end')
})
