/** Methods that return accounts, code and storage. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'
import { toHex } from '../../../lib/base/hex.ts'
import { CONTRACTS, creationCode } from '../../support/bytecode.ts'
import { TO } from '../support/mined-transfer.ts'

const CONTRACT = `0x${'c0'.repeat(20)}`
const OTHER = `0x${'dd'.repeat(20)}`
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

describe('eth_getStorageValues', () => {
  async function nodeWithStorage() {
    const node = await freshNode()
    for (const slot of [1, 2])
      await call(node, 'hardhat_setStorageAt', [CONTRACT, `0x${slot}`, word(slot * 7)])
    await call(node, 'evm_mine')
    return node
  }

  test('returns the words of each contract in the order they are asked for', async () => {
    const node = await nodeWithStorage()
    const params = [{ [CONTRACT]: ['0x2', '0x1', '0x3'], [OTHER]: [word(0)] }, 'latest']
    expect(await call(node, 'eth_getStorageValues', params)).toEqual({
      [CONTRACT]: [word(14), word(7), word(0)],
      [OTHER]: [word(0)],
    })
    expect(await call(node, 'eth_getStorageValues', [{ [CONTRACT]: ['0x2'] }, 'latest'])).toEqual({
      [CONTRACT]: [await call(node, 'eth_getStorageAt', [CONTRACT, '0x2', 'latest'])],
    })
  })

  test.each([
    ['no slot at all', {}],
    ['more than 1024 slots', { [CONTRACT]: Array(600).fill('0x0'), [OTHER]: Array(600).fill('0x0') }],
    ['a key that is no address', { '0x12': ['0x0'] }],
    ['no map', ['0x0']],
  ])('refuses %s', async (_, slots) => {
    const { kind, message } = await refusal(await freshNode(), 'eth_getStorageValues', [slots])
    expect(kind).toBe('invalidParams')
    expect(message).toMatch(/^params\[0\].*\(slots\): expected/)
  })
})

test('eth_getAccount returns the values of the proof of the account', async () => {
  const node = await freshNode()
  await call(node, 'hardhat_setCode', [CONTRACT, '0x00'])
  await call(node, 'hardhat_setStorageAt', [CONTRACT, '0x1', word(5)])
  for (const account of [CONTRACT, node.funded[0]!.address, OTHER]) {
    const { storageHash, balance, nonce, codeHash } = await call(node, 'eth_getProof', [
      account,
      [],
      'latest',
    ])
    expect(await call(node, 'eth_getAccount', [account, 'latest'])).toEqual({
      balance,
      nonce,
      codeHash,
      storageRoot: storageHash,
    })
  }
})

test('eth_getAccountInfo returns the values of the single methods', async () => {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const data = toHex(creationCode(CONTRACTS.store))
  const hash = await call(node, 'eth_sendTransaction', [{ from, data, gas: '0x186a0', value: '0x3' }])
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [hash])
  for (const address of [from, contractAddress, TO]) {
    expect(await call(node, 'eth_getAccountInfo', [address])).toEqual({
      balance: await call(node, 'eth_getBalance', [address]),
      nonce: await call(node, 'eth_getTransactionCount', [address]),
      code: await call(node, 'eth_getCode', [address]),
    })
  }
})

test.each([
  ['node33', ['0x1', '0x2', '0x0']],
  ['ethereum', ['0x1', word(2), '0x0']],
  ['hardhat', ['0x1', word(2), '0x0']],
] as const)('the keys of a proof in dialect %s', async (dialect, keys) => {
  const params = [CONTRACT, ['0x1', word(2), '0x00'], 'latest']
  const { storageProof } = await call(await freshNode(), 'eth_getProof', params, dialect)
  expect(storageProof.map(({ key }: any) => key)).toEqual(keys)
})

test('0x is slot 0', async () => {
  const node = await freshNode()
  await call(node, 'hardhat_setStorageAt', [CONTRACT, '0x0', word(7)])
  expect(await call(node, 'eth_getStorageAt', [CONTRACT, '0x', 'latest'])).toBe(word(7))
})
