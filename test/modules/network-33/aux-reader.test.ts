import { describe, expect, test } from '@jest/globals'
import { AuxReader } from '../../../lib/modules/network-33/aux-reader.ts'

const reader = (...bytes: number[]) => new AuxReader(Uint8Array.from(bytes), (fault) => new RangeError(fault))

describe('a reader of the auxiliary chain', () => {
  test.each([
    ['one byte', [0xfc], 0xfc],
    ['two bytes behind fd', [0xfd, 0x01, 0x02], 0x0201],
    ['four bytes behind fe', [0xfe, 0x01, 0x02, 0x03, 0x04], 0x04030201],
    ['eight bytes behind ff', [0xff, 0x01, 0, 0, 0, 0, 0x01, 0, 0], 0x010000000001],
  ])('reads a count of %s', (_, bytes, count) => {
    const counting = reader(...bytes)
    expect(counting.count()).toBe(count)
    expect(counting.position).toBe(bytes.length)
    counting.end()
  })

  test('reads bytes in order', () => {
    const bytes = reader(1, 2, 3, 2, 7, 8, 1, 9)
    expect(bytes.peek()).toBe(1)
    expect(bytes.number(3)).toBe(0x030201n)
    const from = bytes.position
    expect(bytes.list(() => bytes.number(1))).toEqual([7n, 8n])
    expect(bytes.since(from)).toEqual(Uint8Array.of(2, 7, 8))
    expect(bytes.varBytes()).toEqual(Uint8Array.of(9))
    expect(bytes.peek()).toBeUndefined()
  })

  test('names the fault of invalid bytes', () => {
    expect(() => reader(1, 2).take(3)).toThrow(new RangeError('ends after 2 bytes, expected at least 3'))
    expect(() => reader(1, 2).end()).toThrow(new RangeError('has 2 bytes too many'))
    // A count beyond the data ends with it.
    const endless = reader(0xff, 255, 255, 255, 255, 255, 255, 255, 255)
    expect(() => endless.list(() => endless.take(1))).toThrow('ends after 9 bytes, expected at least 10')
  })
})
