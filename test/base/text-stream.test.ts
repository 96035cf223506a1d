import { describe, expect, test } from '@jest/globals'
import {
  AbandonedError,
  PIECE_LENGTH,
  TextStream,
  readBeginning,
  limitBytes,
} from '../../lib/base/text-stream.ts'
import { nextTurn } from '../../lib/base/host.ts'

/** A stream with a number of texts of a length; counts the written texts. */
function counted(count: number, length: number) {
  const made = { texts: 0, ended: undefined as unknown }
  const stream = new TextStream(async (sink) => {
    try {
      for (; made.texts < count; made.texts++) await sink.write('x'.repeat(length))
    } catch (error) {
      made.ended = error
      throw error
    }
  })
  return { made, stream }
}

test('nothing is produced before the first read', async () => {
  const { made } = counted(3, 10)
  await nextTurn()
  expect(made.texts).toBe(0)
})

test.each([
  ['nothing', 0, 0],
  ['short texts', 10, 7],
  ['many texts', 5000, 100],
  ['texts longer than a piece', 3, PIECE_LENGTH * 2],
])('the pieces are the whole text: %s', async (_case, count, length) => {
  expect(await counted(count, length).stream.collect()).toBe('x'.repeat(count * length))
})

test('at most one piece is produced ahead of the reader', async () => {
  const { made, stream } = counted(10, PIECE_LENGTH)
  const pieces = stream[Symbol.asyncIterator]()
  for (let taken = 1; taken <= 3; taken++) {
    expect((await pieces.next()).value?.length).toBe(PIECE_LENGTH)
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    expect(made.texts).toBe(taken)
  }
  await pieces.return()
})

test('the production ends when the reader stops', async () => {
  const { made, stream } = counted(10, PIECE_LENGTH)
  const pieces = stream[Symbol.asyncIterator]()
  await pieces.next()
  await pieces.return()
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(made.ended).toBeInstanceOf(AbandonedError)
  expect(made.texts).toBeLessThan(10)
})

test('other tasks run while the producer pauses', async () => {
  let turns = 0
  const stream = new TextStream(async (sink) => {
    for (let round = 0; round < 5; round++) await sink.pause()
    await sink.write(`${turns}`)
  })
  const text = stream.collect()
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    turns++
  }
  expect(Number(await text)).toBeGreaterThan(2)
})

test('an error of the source is thrown to the reader after the text before it', async () => {
  const stream = new TextStream(async (sink) => {
    await sink.write('x'.repeat(PIECE_LENGTH))
    throw new RangeError('broken')
  })
  const pieces: string[] = []
  const read = async () => {
    for await (const piece of stream) pieces.push(piece)
  }
  await expect(read()).rejects.toThrow('broken')
  expect(pieces.length).toBe(1)
})

describe('a limit', () => {
  test('counts bytes, and passes texts up to the limit', async () => {
    const text = () => new TextStream(async (sink) => sink.write('é'.repeat(10)))
    expect(await text().collect(20)).toBe('é'.repeat(10))
    await expect(text().collect(19)).rejects.toMatchObject({ kind: 'limitExceeded' })
  })

  test('ends the production', async () => {
    const { made, stream } = counted(10, PIECE_LENGTH)
    const read = async () => {
      for await (const piece of limitBytes(stream, PIECE_LENGTH * 2)) expect(piece.length).toBe(PIECE_LENGTH)
    }
    await expect(read()).rejects.toMatchObject({ kind: 'limitExceeded' })
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    expect(made.ended).toBeInstanceOf(AbandonedError)
  })
})

describe('a beginning', () => {
  test('is everything where the text is short', async () => {
    expect(await readBeginning(limitBytes(counted(3, 5).stream, Infinity))).toEqual({
      beginning: 'x'.repeat(15),
      rest: undefined,
    })
  })

  test('and the rest are the whole text', async () => {
    const { beginning, rest } = await readBeginning(limitBytes(counted(5, PIECE_LENGTH).stream, Infinity))
    let text = beginning
    for await (const piece of rest!) text += piece
    expect(text).toBe('x'.repeat(5 * PIECE_LENGTH))
  })

  test('ends its source when the reader stops', async () => {
    const { made, stream } = counted(10, PIECE_LENGTH)
    const { rest } = await readBeginning(limitBytes(stream, Infinity))
    await rest!.next()
    await rest!.return()
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    expect(made.ended).toBeInstanceOf(AbandonedError)
  })
})
