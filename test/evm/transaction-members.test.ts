import { describe, expect, test } from '@jest/globals'
import { Transaction as EthersTransaction, Wallet } from 'ethers'
import fc from 'fast-check'
import { asAddress, fromHex, toHex } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import { TransactionCodec } from '../../lib/evm/codec.ts'
import { freshNode } from '../support/node.ts'

const KEY = `0x${'11'.repeat(32)}`
const WALLET = new Wallet(KEY)
const SENDER = asAddress(WALLET.address)
const { network } = await freshNode()

const amount = fc.bigInt(0n, 2n ** 128n)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => asAddress(toHex(bytes)))
const legacyFields = fc
  .record({
    nonce: fc.bigInt(0n, 2n ** 40n),
    to: fc.option<Address, undefined>(address, { nil: undefined }),
    gasLimit: fc.bigInt(0n, 2n ** 63n),
    value: amount,
    data: fc.uint8Array({ maxLength: 100 }),
    price: amount,
  })
  .map(({ price, ...fields }) => ({ type: 0, ...fields, maxFeePerGas: price, maxPriorityFeePerGas: price }))

describe('a legacy transaction', () => {
  test('is signed for any chain as ethers signs it', async () => {
    const chainIds = fc.bigInt(1n, 2n ** 32n)
    await fc.assert(
      fc.asyncProperty(legacyFields, chainIds, async (fields, chainId) => {
        const { encoded, hash, v, r, s, ...read } = new TransactionCodec(network, { chainId }).sign(
          fields,
          fromHex(KEY),
          SENDER,
        )
        const { nonce, to, maxFeePerGas: gasPrice, data, gasLimit, value } = fields
        const expected = EthersTransaction.from(
          await WALLET.signTransaction({
            type: 0,
            chainId,
            nonce: Number(nonce),
            to: to ?? null,
            gasLimit,
            gasPrice,
            value,
            data: toHex(data),
          }),
        )
        const { networkV, r: theirR, s: theirS } = expected.signature!
        expect([toHex(encoded), hash]).toEqual([expected.serialized, expected.hash])
        expect([v, r, s]).toEqual([networkV, BigInt(theirR), BigInt(theirS)])
        expect(read).toMatchObject({ ...fields, sender: SENDER, chainId })
      }),
      { numRuns: 50 },
    )
  })
})
