import { expect, test } from '@jest/globals'
import { decimalText, etherText, withPowers } from '../../lib/base/decimal-text.ts'

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

test.each([
  ['deposit(3000000000000000000)', 'deposit(3e18)'],
  ['1500000000000000000, 0', '1.5e18, 0'],
  ['0x3000000000000000000', '0x3000000000000000000'],
  ['0.3000000000000000000', '0.3000000000000000000'],
  ['setId("1000000000000000000")', 'setId("1000000000000000000")'],
  ['1500000000000000001 and 3000000', '1500000000000000001 and 3000000'],
])('long round numbers of %s are as Solidity writes them', (text, short) => {
  expect(withPowers(text)).toBe(short)
})

test.each([
  [0n, '0 ether'],
  [999_999_999n, '999999999 wei'],
  [10n ** 9n, '0.000000001 ether'],
])('%s wei are %s', (wei, text) => {
  expect(etherText(wei)).toBe(text)
})
