import { describe, expect, test } from '@jest/globals'
import { median, ratiosOf, rounded, spreadOf } from '../../bench/statistics.ts'

describe('median', () => {
  test.each([
    ['an odd number', [30, 1, 2], 2],
    ['an even number', [4, 1, 3, 100], 3.5],
    ['one', [7], 7],
  ])('of %s of values', (_case, values, expected) => expect(median(values)).toBe(expected))

  test('of no values is no number', () => expect(median([])).toBeNaN())
})

describe('spread', () => {
  test('leaves out rounds without a figure', () => {
    expect(spreadOf([5, undefined, 1, 3])).toEqual({ median: 3, min: 1, max: 5 })
  })

  test('of no figures is absent', () => expect(spreadOf([undefined])).toBeUndefined())
})

describe('ratios', () => {
  test('compare figures of the same round', () => {
    // A busy second round doubles both, which changes no ratio.
    expect(ratiosOf([10, 20, 15], [5, 10, 5])).toEqual({ median: 2, min: 2, max: 3 })
  })

  test('need a figure of both', () => {
    expect(ratiosOf([10, undefined, 9], [undefined, 10, 3])).toEqual({ median: 3, min: 3, max: 3 })
    expect(ratiosOf([10], [])).toBeUndefined()
    expect(ratiosOf([10], [0])).toBeUndefined()
  })
})

test.each([
  [1234.5, '1235'],
  [12.345, '12.3'],
  [1.2345, '1.23'],
  [0.12345, '0.12'],
  [0.0049, '0.0049'],
])('%d is written as %s', (value, text) => expect(rounded(value)).toBe(text))
