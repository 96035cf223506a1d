import { expect, test } from '@jest/globals'
import { inCoins } from '../../lib/cli/banner.ts'

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [15n * 10n ** 17n, '1.5'],
  [10n ** 30n, '1000000000000'],
])('%s wei are %s coins', (wei, coins) => {
  expect(inCoins(wei)).toBe(coins)
})
