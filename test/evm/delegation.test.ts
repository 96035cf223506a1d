import { describe, expect, test } from '@jest/globals'
import { asAddress, fromHex } from '../../lib/base/hex.ts'
import { delegationOf, encodeDelegation, isExternallyOwned } from '../../lib/evm/delegation.ts'

const TO = asAddress(`0x${'ab'.repeat(20)}`)

describe('the code of a delegated account', () => {
  test('is the prefix and the address (EIP-7702)', () => {
    expect(encodeDelegation(TO)).toEqual(fromHex(`0xef0100${TO.slice(2)}`))
    expect(delegationOf(encodeDelegation(TO))).toBe(TO)
  })

  test.each([
    ['no code', '0x', true],
    ['a delegation', `0xef0100${TO.slice(2)}`, true],
    ['other code', '0x600160020160', false],
    ['another version', `0xef0101${TO.slice(2)}`, false],
    ['the prefix alone', '0xef0100', false],
    ['a byte too many', `0xef0100${TO.slice(2)}00`, false],
  ])('lets its account send transactions: %s', (_case, code, expected) => {
    expect(isExternallyOwned(fromHex(code))).toBe(expected)
  })
})
