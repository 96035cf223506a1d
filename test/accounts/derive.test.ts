import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { deriveAccounts } from '../../lib/accounts/derive.ts'
import { freshNode } from '../support/node.ts'

const addressesOf = (source: Parameters<typeof deriveAccounts>[0]) =>
  deriveAccounts(source).map(({ address }) => address)

const MNEMONIC = 'test test test test test test test test test test test junk'

describe('keys of phrases', () => {
  test('are those of the reference (node-rpc 1.3)', () => {
    expect(addressesOf({ source: 'phrases', phrase: 'cow', count: 10, balance: 1n })).toEqual([
      '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      '0x7986b3df570230288501eea3d890bd66948c9b79',
      '0x0a3aa774752ec2042c46548456c094a76c7f3a79',
      '0xcf7cdbbb5f7ba79d3ffe74a0bba13fc0295f6036',
      '0x39b12c05e8503356e3a7df0b7b33efa4c054c409',
      '0xc354d97642faa06781b76ffb6786f72cd7746c97',
      '0xdebe71e1de41fc77c44df4b6db940026e31b0e71',
      '0x7857288e171c6159c5576d1bd9ac40c0c48a771c',
      '0xa4dea4d5c954f5fd9e87f0e9752911e83a3d18b3',
      '0x09a1eda29f664ac8f68106f6567276df0c65d859',
    ])
  })
})

describe('keys of a mnemonic', () => {
  test('are those of every development node', () => {
    const path = "m/44'/60'/0'/0"
    expect(addressesOf({ source: 'mnemonic', mnemonic: MNEMONIC, path, count: 3, balance: 1n })).toEqual([
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    ])
  })

  test('are empty for a count of zero', () => {
    const source = {
      source: 'mnemonic',
      mnemonic: MNEMONIC,
      path: "m/44'/60'/0'/0",
      count: 0,
      balance: 1n,
    } as const
    expect(deriveAccounts(source)).toEqual([])
  })
})

describe('keys that are given', () => {
  test('keep their order and balances', () => {
    const keys = [1, 2].map((n) => ({ privateKey: `0x${String(n).repeat(64)}` as const, balance: BigInt(n) }))
    const derived = deriveAccounts({ source: 'keys', keys })
    expect(derived.map(({ privateKey, balance }) => ({ privateKey: toHex(privateKey), balance }))).toEqual(
      keys,
    )
  })
})

describe('funded accounts of a node', () => {
  test.each([
    ['network-33', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', 10n ** 30n],
    ['ethereum', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 10n ** 22n],
  ])('of %s have their balance and are unlocked', async (network, first, balance) => {
    const node = await freshNode({ network })
    expect(node.keystore.addresses).toEqual(node.funded.map(({ address }) => address))
    expect(node.keystore.addresses[0]).toBe(first)
    for (const { address } of node.funded) expect(node.chain.head.state.balance(address)).toBe(balance)
  })

  test('are locked but funded if the node holds no keys', async () => {
    const node = await freshNode({ holdsKeys: false })
    expect(node.keystore.addresses).toEqual([])
    expect(node.chain.head.state.balance(node.funded[0]!.address)).toBe(10n ** 30n)
  })
})
