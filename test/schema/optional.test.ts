/** Params that may be left out. */

import { expect, test } from '@jest/globals'
import { optional, optionalWith } from '../../lib/schema/optional.ts'
import { boolean, quantity } from '../../lib/schema/wire.ts'

test.each([[undefined], [null]])('%s is absent', (value) => {
  expect(optional(quantity).parse(value)).toBeUndefined()
  expect(optionalWith(quantity, '0x7').parse(value)).toBe(7n)
})

test('present members are read', () => {
  expect(optional(quantity).parse('0x0')).toBe(0n)
  expect(optionalWith(boolean, true).parse(false)).toBe(false)
})

test.each([[''], [false], [{}]])('%j is not absent', (value) => {
  expect(optional(quantity).safeParse(value).success).toBe(false)
  expect(optionalWith(quantity, '0x7').safeParse(value).success).toBe(false)
})
