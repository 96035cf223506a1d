/** Times of blocks as texts. */

import { expect, test } from '@jest/globals'
import { timeOf } from '../../explorer/format/amounts.ts'

test.each([
  [0, '1970-01-01 00:00:00'],
  [253_402_300_799, '9999-12-31 23:59:59'],
  [253_402_300_800, '10000-01-01 00:00:00'],
  [8_640_000_000_001, '8640000000001 s, after the year 275760'],
])('%d seconds are %s', (seconds, text) => {
  expect(timeOf(seconds)).toBe(text)
})
