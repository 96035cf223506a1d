import { describe, expect, test } from '@jest/globals'
import { addressesIn, withNames, withUnits } from '../../lib/base/named-text.ts'

const ADDRESS = `0x${'Ab'.repeat(20)}`

test('addresses are found and named in any letter case, words that begin with one are not', () => {
  expect(addressesIn(`${ADDRESS} ${ADDRESS.toLowerCase()} ${ADDRESS}cd`)).toEqual([ADDRESS.toLowerCase()])
  expect(withNames(`to ${ADDRESS}, ${ADDRESS}cd`, { [ADDRESS.toLowerCase()]: 'Vault' })).toBe(
    `to Vault, ${ADDRESS}cd`,
  )
})

describe('an amount in its unit', () => {
  test('replaces whole numbers only, and takes any symbol as it is', () => {
    const units = new Map([['12000000', { symbol: '$&', decimals: 6 }]])
    expect(withUnits('buy(12000000, 120000001)', units)).toBe('buy(12 $&, 120000001)')
  })
})
