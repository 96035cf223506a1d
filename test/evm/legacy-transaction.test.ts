import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Transaction as EthersTransaction, Wallet } from 'ethers'
import { asAddress, fromHex, toHex } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import { legacyTransaction, signLegacy, withSignature } from '../../lib/evm/legacy-transaction.ts'
import type { TransactionFields } from '../../lib/evm/transaction.ts'

const KEY = `0x${'11'.repeat(32)}`
const WALLET = new Wallet(KEY)
const SENDER = asAddress(WALLET.address)
const TO = asAddress(`0x${'ab'.repeat(20)}`)

function fieldsOf(changes: Partial<TransactionFields> = {}): TransactionFields {
  const price = { maxFeePerGas: 9n, maxPriorityFeePerGas: 9n }
  return {
    type: 0,
    nonce: 3n,
    to: TO,
    gasLimit: 50_000n,
    value: 7n,
    data: fromHex('0x0102'),
    ...price,
    ...changes,
  }
}

const sign = (fields: TransactionFields, chainId = 33n) =>
  signLegacy(fields, { chainId, privateKey: fromHex(KEY), sender: SENDER })

async function signedByEthers(fields: TransactionFields, chainId = 33n): Promise<string> {
  const { nonce, to, gasLimit, maxFeePerGas: gasPrice, value, data } = fields
  return WALLET.signTransaction({
    type: 0,
    chainId,
    nonce: Number(nonce),
    to: to ?? null,
    gasLimit,
    gasPrice,
    value,
    data: toHex(data),
  })
}

const amount = fc.bigInt(0n, 2n ** 128n)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => asAddress(toHex(bytes)))
const anyFields = fc
  .record({
    nonce: fc.bigInt(0n, 2n ** 40n),
    to: fc.option<Address, undefined>(address, { nil: undefined }),
    gasLimit: fc.bigInt(0n, 2n ** 63n),
    value: amount,
    data: fc.uint8Array({ maxLength: 100 }),
    price: amount,
  })
  .map(({ price, ...fields }) => ({ type: 0, ...fields, maxFeePerGas: price, maxPriorityFeePerGas: price }))

describe('a signed legacy transaction', () => {
  test('is that of ethers', async () => {
    const chainIds = fc.bigInt(1n, 2n ** 32n)
    await fc.assert(
      fc.asyncProperty(anyFields, chainIds, async (fields, chainId) => {
        const { encoded, hash, ...read } = sign(fields, chainId)
        const expected = await signedByEthers(fields, chainId)
        expect([toHex(encoded), hash]).toEqual([expected, EthersTransaction.from(expected).hash])
        expect(read).toMatchObject({ ...fields, sender: SENDER, chainId })
      }),
      { numRuns: 50 },
    )
  })

  test('has the signature that ethers reads', async () => {
    const { v, r, s } = sign(fieldsOf())
    const { signature } = EthersTransaction.from(await signedByEthers(fieldsOf()))
    expect([v, r, s]).toEqual([signature!.networkV, BigInt(signature!.r), BigInt(signature!.s)])
  })
})

test('without a signature a transaction has zeros, and no chain', () => {
  const transaction = withSignature(fieldsOf(), { v: 0n, r: 0n, s: 0n }, TO)
  expect(transaction).toMatchObject({ v: 0n, r: 0n, s: 0n, chainId: undefined, sender: TO })
  expect(toHex(transaction.encoded)).toBe(`0xe1030982c35094${'ab'.repeat(20)}07820102808080`)
})

test('bytes that were read stay as they came', () => {
  const { nonce, to, gasLimit, value, data } = fieldsOf()
  const encoded = fromHex('0xc0')
  const legacy = { nonce, to, gasLimit, value, data, gasPrice: 9n, v: 27n, r: 1n, s: 1n }
  expect(legacyTransaction(legacy, SENDER, encoded).encoded).toBe(encoded)
})

describe('bounds', () => {
  const word = 2n ** 256n
  test.each([
    ['nonce', { nonce: 2n ** 64n - 1n }, { nonce: 2n ** 64n - 2n }],
    ['gas limit', { gasLimit: 2n ** 64n }, { gasLimit: 2n ** 64n - 1n }],
    ['value', { value: word }, { value: word - 1n }],
    ['gas price', { maxFeePerGas: word, gasLimit: 0n }, { maxFeePerGas: word - 1n, gasLimit: 0n }],
    [
      'gas limit times gas price',
      { maxFeePerGas: word / 2n, gasLimit: 2n },
      { maxFeePerGas: word - 1n, gasLimit: 1n },
    ],
  ])('of the %s', (name, beyond, most) => {
    const refusal = expect.objectContaining({ kind: 'invalidTransaction' })
    expect(() => sign(fieldsOf(beyond))).toThrow(refusal)
    expect(() => sign(fieldsOf(beyond))).toThrow(`invalid transaction: ${name} `)
    expect(sign(fieldsOf(most))).toMatchObject({ type: 0 })
  })
})
