import { expect, test } from '@jest/globals'
import { nearest } from '../../lib/config/nearest.ts'

test.each([
  ['prot', 'port'],
  ['block-tme', 'block-time'],
  ['port', 'port'],
  ['x', undefined],
  ['entirely-different', undefined],
])('nearest to %s is %s', (word, expected) => {
  expect(nearest(word, ['port', 'host', 'block-time'])).toBe(expected)
})
