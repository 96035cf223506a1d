import { expect, test } from '@jest/globals'
import { decimalText } from '../../lib/base/decimal-text.ts'

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [15n * 10n ** 17n, '1.5'],
  [10n ** 30n, '1000000000000'],
])('%s wei are %s coins', (wei, coins) => {
  expect(decimalText(wei, 18)).toBe(coins)
})

test('an amount without decimals is a whole number', () => {
  expect(decimalText(1500n, 0)).toBe('1500')
})
