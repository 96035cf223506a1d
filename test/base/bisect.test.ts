import { expect, test } from '@jest/globals'
import { bisect } from '../../lib/base/bisect.ts'

test.each([
  [0, 0],
  [1, 0],
  [1, 1],
  [2, 1],
  [100, 63],
  [2 ** 40, 2 ** 39 + 7],
])('finds the first number up to %i for which a condition fails: %i', (end, first) => {
  expect(bisect(end, (number) => number < first)).toBe(first)
})
