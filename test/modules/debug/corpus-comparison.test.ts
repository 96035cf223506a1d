/** What the comparison counts as right, wrong and unknown. */

import { expect, test } from '@jest/globals'
import { Tally } from './corpus/comparison.ts'
import type { ShownValue } from './corpus/debugged.ts'
import type { Report } from './corpus/expected.ts'

const shown = (text: string, more: Partial<ShownValue> = {}): ShownValue => ({
  name: '',
  text,
  parts: [],
  ...more,
})

/** The tally of one variable. */
function tallied(expected: readonly Report['shown'][], values: readonly ShownValue[], locals = ['a']): Tally {
  const mark = { id: 'A.sol:1', line: 1, column: 9, isYul: false, expressions: ['a'] }
  const tally = new Tally()
  tally.add(
    expected.map((one) => ({ mark: mark.id, expression: 'a', shown: one })),
    values.map((value) => ({ mark, values: new Map([['a', value]]), locals })),
  )
  return tally
}

const pair = [
  ['x', '1'],
  ['y', '2'],
] as const
const parts = (x: ShownValue, y: ShownValue) => [
  { ...x, name: 'x' },
  { ...y, name: 'y' },
]

test.each<[string, readonly Report['shown'][], readonly ShownValue[], number[]]>([
  ['the value', ['5'], [shown('5')], [1, 0, 0]],
  ['another value', ['5'], [shown('6')], [0, 1, 0]],
  ['no value', ['5'], [shown('', { unknown: 'optimized' })], [0, 0, 1]],
  ['values in another order', ['5', '6'], [shown('6'), shown('5')], [0, 2, 0]],
  ['one visit less', ['5', '6'], [shown('6')], [1, 0, 1]],
  ['one visit less, with another value', ['5', '6'], [shown('7')], [0, 1, 2]],
  ['the parts', [pair], [shown('', { parts: parts(shown('1'), shown('2')) })], [1, 0, 0]],
  ['a wrong part', [pair], [shown('', { parts: parts(shown('1'), shown('3')) })], [0, 1, 0]],
  ['a part less', [pair], [shown('', { parts: parts(shown('1'), shown('2')).slice(1) })], [0, 1, 0]],
  [
    'an unknown part',
    [pair],
    [shown('', { parts: parts(shown('1'), shown('', { unknown: '?' })) })],
    [0, 0, 1],
  ],
])('counts %s', (_case, expected, values, counts) => {
  const { right, wrong, unknown } = tallied(expected, values)
  expect([right, wrong.length, unknown]).toEqual(counts)
})

test('a variable that is not in scope is wrong', () => {
  expect(tallied(['5'], [shown('5')], ['a', 'b']).wrong).toEqual(['A.sol:1: b is not in scope'])
})
