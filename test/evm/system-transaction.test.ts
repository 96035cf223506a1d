import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { isSystemTransaction, systemTransaction } from '../../lib/evm/system-transaction.ts'
import { transactionOf } from '../support/transactions.ts'

describe('the transaction that closes a block', () => {
  // node-chain 7.8.
  test.each([
    [
      1n,
      '0xdd8000009400000000000000000000000000000000010000088080808080',
      '0x4aa0649fdc1a4b0e07b64c26e43138400c84d6a127d0242027226b7ade17a53e',
    ],
    [
      2n,
      '0xdd0100009400000000000000000000000000000000010000088080808080',
      '0x2508efeddbab2f46ce53e0fb5ed61df9ac1ce696311941207833d7365194dacd',
    ],
    [
      3n,
      '0xdd0200009400000000000000000000000000000000010000088080808080',
      '0x694c5110568eeddab989eb9601cca00ab94dfccf3597f72e1627ca987d05691b',
    ],
  ])('of block %s has the bytes and the hash of the network', (number, encoded, hash) => {
    const transaction = systemTransaction(number)
    expect(toHex(transaction.encoded)).toBe(encoded)
    expect(transaction.hash).toBe(hash)
  })

  test('of block 130 has the own-calc bytes and hash, unconfirmed', () => {
    const { encoded, hash } = systemTransaction(130n)
    expect(toHex(encoded)).toBe('0xde818100009400000000000000000000000000000000010000088080808080')
    expect(hash).toBe('0xd987c0aa5fda102b5779178ea886fc6b31db78bcc45114247117f0298540142b')
  })

  test('is distinguished from transactions of users', () => {
    const { to } = systemTransaction(1n)
    expect(isSystemTransaction(systemTransaction(7n))).toBe(true)
    expect(isSystemTransaction(transactionOf({ to }))).toBe(false)
    expect(isSystemTransaction(transactionOf({ r: 0n, s: 0n }))).toBe(false)
  })
})
