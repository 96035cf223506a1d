import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { NAMES, tooSlow } from '../../bench/guard.ts'

test('a row is too slow beyond four times its ratio', () => {
  expect(tooSlow({ same: 10, noisy: 39.9, slow: 40.2 }, { same: 10, noisy: 10, slow: 10 })).toEqual(['slow'])
})

test('a row without a ratio is new', () => expect(tooSlow({ other: 10 }, {})).toEqual([]))

test('every row has its ratio', () => {
  const committed = JSON.parse(readFileSync('bench/guard.json', 'utf8')) as object
  expect(Object.keys(committed)).toEqual(NAMES)
})
