import { describe, expect, test } from '@jest/globals'
import { Transaction as EthersTransaction, Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import type { TransactionSerializable } from 'viem'
import { EMPTY_BYTES, fromHex } from '../../lib/base/hex.ts'
import type { Address, Hex } from '../../lib/base/hex.ts'
import { encodeEnvelope } from '../../lib/evm/transaction-members.ts'
import type { Node } from '../../lib/node/node.ts'
import { freshNode } from '../support/node.ts'

const KEY: Hex = `0x${'11'.repeat(32)}`
const account = privateKeyToAccount(KEY)
const SENDER = account.address.toLowerCase()
const TO: Hex = `0x${'ab'.repeat(20)}`
const ethereum = () => freshNode({ network: 'ethereum' })

const shared = { nonce: 3, gas: 50_000n, to: TO, value: 7n, data: '0x0102', chainId: 31337 } as const
const fees = { maxFeePerGas: 20n, maxPriorityFeePerGas: 5n }

/** Kind of the error that decoding ends with. */
function refusal(node: Node, encoded: string): string {
  try {
    node.codec.decode(fromHex(encoded))
    return 'decoded'
  } catch (error) {
    return (error as { kind: string }).kind
  }
}

const ONE = Uint8Array.of(1)

/** Message of the error that a function throws. */
function messageOf(run: () => unknown): string {
  try {
    run()
    return 'nothing is thrown'
  } catch (error) {
    return (error as Error).message
  }
}

test('a transaction of another type than 4 has no authorizations, whatever its request has', async () => {
  const { codec } = await ethereum()
  const tuple = { chainId: 1n, address: TO as Address, nonce: 0n, yParity: 0n, r: 1n, s: 1n }
  const fields = {
    ...fees,
    type: 2,
    nonce: 0n,
    to: undefined,
    gasLimit: 21_000n,
    value: 0n,
    data: EMPTY_BYTES,
  }
  const signed = codec.sign({ ...fields, authorizationList: [tuple] }, fromHex(KEY), SENDER as Address)
  expect(signed.authorizationList).toBeUndefined()
})

describe('decoding', () => {
  test('takes a legacy signature without a chain id', async () => {
    const { codec } = await ethereum()
    const encoded = await account.signTransaction({
      ...shared,
      chainId: undefined,
      type: 'legacy',
      gasPrice: 9n,
    })
    expect(codec.decode(fromHex(encoded))).toMatchObject({ sender: SENDER, chainId: undefined })
  })

  test.each(['legacy', 'eip1559'] as const)('refuses %s signed for another chain', async (type) => {
    const node = await ethereum()
    const price = type === 'legacy' ? { gasPrice: 9n } : fees
    const encoded = await account.signTransaction({
      ...shared,
      ...price,
      type,
      chainId: 1,
    } as TransactionSerializable)
    expect(refusal(node, encoded)).toBe('wrongChainId')
  })

  test('refuses blobs by name before there are any', async () => {
    const node = await freshNode({ network: 'ethereum', hardfork: 'shanghai' })
    expect(() => node.codec.decode(fromHex('0x03c0'))).toThrow(
      /type 3 \(blob \(EIP-4844\)\) is not supported/,
    )
    expect(refusal(node, '0x03c0')).toBe('unsupportedTransaction')
  })

  test.each([
    ['cancun', 4],
    ['network-33', 2],
    ['network-33', 1],
  ] as const)('refuses on %s the type %s it does not have', async (name, type) => {
    const options = name === 'cancun' ? { network: 'ethereum', hardfork: name } : { network: name }
    expect(refusal(await freshNode(options), `0x0${type}c0`)).toBe('unsupportedTransaction')
  })

  test('refuses a signature whose s is the malleable twin', async () => {
    const node = await ethereum()
    const signed = EthersTransaction.from(
      await new Wallet(KEY).signTransaction({
        type: 0,
        chainId: 31337,
        gasPrice: 9n,
        gasLimit: 21_000,
        to: TO,
      }),
    )
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const twin = (order - BigInt(signed.signature!.s)).toString(16).padStart(64, '0')
    expect(refusal(node, signed.serialized.replace(signed.signature!.s.slice(2), twin))).toBe(
      'invalidTransaction',
    )
  })

  test('refuses a chain id with leading zeros, and one with a million bytes without repeating it', async () => {
    const { codec } = await ethereum()
    const refusedWith = (chainId: Uint8Array): string => {
      const shared = Array.from({ length: 7 }, () => EMPTY_BYTES)
      const encoded = encodeEnvelope(2, [chainId, ...shared, [], EMPTY_BYTES, ONE, ONE])
      return messageOf(() => codec.decode(encoded))
    }
    expect(refusedWith(fromHex('0x007a69'))).toBe('invalid transaction: chain id has leading zeros')
    expect(refusedWith(new Uint8Array(1_000_000).fill(0xab))).toBe(
      'invalid transaction: chain id has 1000000 bytes, at most 32',
    )
  })

  test('refuses a v of a million bytes without repeating the chain id in it', async () => {
    const { codec } = await ethereum()
    const members = Array.from({ length: 6 }, () => EMPTY_BYTES)
    const encoded = encodeEnvelope(0, [...members, new Uint8Array(1_000_000).fill(0xab), ONE, ONE])
    expect(messageOf(() => codec.decode(encoded))).toBe(
      'invalid transaction: member 6 has 1000000 bytes, at most 32',
    )
  })

  test.each(['0x', '0x80', '0xb8', '0xc0', '0x02', '0x02c0', '0xc3010203', `0xf8${'00'.repeat(4)}`])(
    'refuses %s',
    async (encoded) => expect(refusal(await ethereum(), encoded)).toBe('invalidTransaction'),
  )
})
