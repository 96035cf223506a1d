import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt, fromHex } from '../../../lib/base/hex.ts'
import { meetsTarget, targetOf } from '../../../lib/networks/consensus/target.ts'

describe('a target', () => {
  test.each([
    [0n, `0x${'55'.repeat(32)}`],
    [1n, `0x${'55'.repeat(32)}`],
    [2n, `0x${'55'.repeat(32)}`],
    [3n, `0x${'55'.repeat(32)}`],
    [256n, `0x01${'00'.repeat(31)}`],
    [2n ** 256n, `0x${'00'.repeat(31)}01`],
  ])('of difficulty %d is %s', (difficulty, target) => {
    expect(targetOf(difficulty)).toBe(target)
  })

  test('is reached by itself and by less, as a big-endian number', () => {
    const target = targetOf(1000n)
    const number = bytesToBigInt(fromHex(target))
    expect(meetsTarget(bigIntToBytes32(number), target)).toBe(true)
    expect(meetsTarget(bigIntToBytes32(number - 1n), target)).toBe(true)
    expect(meetsTarget(bigIntToBytes32(number + 1n), target)).toBe(false)
  })
})
