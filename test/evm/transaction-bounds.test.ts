import { describe, expect, test } from '@jest/globals'
import { asAddress, fromHex } from '../../lib/base/hex.ts'
import type { TransactionFields } from '../../lib/evm/transaction.ts'
import { freshNode } from '../support/node.ts'

const TO = asAddress(`0x${'ab'.repeat(20)}`)
const WORD = 2n ** 256n
const { codec } = await freshNode({ network: 'ethereum' })

const fieldsOf = (changes: Partial<TransactionFields>): TransactionFields => ({
  type: 2,
  nonce: 3n,
  to: TO,
  gasLimit: 50_000n,
  value: 7n,
  data: fromHex('0x0102'),
  maxFeePerGas: 9n,
  maxPriorityFeePerGas: 9n,
  ...changes,
})

/** Fields that delegate an account. */
const authorizedWith = (yParity: bigint): Partial<TransactionFields> => ({
  type: 4,
  authorizationList: [{ chainId: 0n, address: TO, nonce: 0n, yParity, r: 5n, s: 6n }],
})

describe('the codec refuses a transaction beyond the largest', () => {
  const LEGACY = { type: 0, gasLimit: 0n }
  test.each<readonly [string, Partial<TransactionFields>, Partial<TransactionFields>]>([
    ['nonce', { nonce: 2n ** 64n - 1n }, { nonce: 2n ** 64n - 2n }],
    ['gas limit', { gasLimit: 2n ** 64n }, { gasLimit: 2n ** 64n - 1n }],
    ['value', { value: WORD }, { value: WORD - 1n }],
    ['gas price', { ...LEGACY, maxFeePerGas: WORD }, { ...LEGACY, maxFeePerGas: WORD - 1n }],
    ['max fee per gas', { maxFeePerGas: WORD, gasLimit: 0n }, { maxFeePerGas: WORD - 1n, gasLimit: 0n }],
    ['max priority fee per gas', { maxPriorityFeePerGas: WORD }, { maxPriorityFeePerGas: WORD - 1n }],
    ['y parity of an authorization', authorizedWith(256n), authorizedWith(255n)],
    [
      'gas limit times max fee per gas',
      { maxFeePerGas: WORD / 2n, gasLimit: 2n },
      { maxFeePerGas: WORD - 1n, gasLimit: 1n },
    ],
  ])('%s', (name, beyond, largest) => {
    const refusal = expect.objectContaining({ kind: 'invalidTransaction' })
    expect(() => codec.unsigned(fieldsOf(beyond), TO)).toThrow(refusal)
    expect(() => codec.unsigned(fieldsOf(beyond), TO)).toThrow(`invalid transaction: ${name} `)
    expect(codec.unsigned(fieldsOf(largest), TO)).toMatchObject(largest)
  })
})
