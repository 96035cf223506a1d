import { expect, test } from '@jest/globals'
import { didYouMean } from '../../lib/config/nearest.ts'

test.each([
  ['prot', '; did you mean --port?'],
  ['block-tme', '; did you mean --block-time?'],
  ['port', '; did you mean --port?'],
  ['x', ''],
  ['entirely-different', ''],
])('the hint for %s is %j', (word, expected) => {
  expect(didYouMean(word, ['port', 'host', 'block-time'], (meant) => `--${meant}`)).toBe(expected)
})
