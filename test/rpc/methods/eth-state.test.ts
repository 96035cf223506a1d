/** Questions that other nodes answer, and clients ask instead of several others. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'

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

  test('answers the words of each contract in the order they are asked for', async () => {
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

test('eth_getAccount answers what the proof of the account says', async () => {
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

describe.each(['ethereum', 'network-33'])('eth_getHeaderBy* on %s', (network) => {
  test('answers the block without its body', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine')
    const { size, transactions, uncles, withdrawals, ...header } = await call(node, 'eth_getBlockByNumber', [
      '0x1',
    ])
    expect([size, transactions, uncles]).toEqual([expect.any(String), [], []])
    expect(withdrawals).toEqual(network === 'ethereum' ? [] : undefined)
    expect(await call(node, 'eth_getHeaderByNumber', ['0x1'])).toEqual(header)
    expect(await call(node, 'eth_getHeaderByHash', [header.hash])).toEqual(header)
    expect(await call(node, 'eth_getHeaderByNumber', ['0x5'])).toBeNull()
  })

  test('of the pending block has no hash, and a nonce in every dialect but node33', async () => {
    const node = await freshNode({ network })
    for (const dialect of ['node33', 'ethereum'] as const) {
      const header = await call(node, 'eth_getHeaderByNumber', ['pending'], dialect)
      expect(header).toMatchObject({
        hash: null,
        number: '0x1',
        nonce: dialect === 'node33' ? null : expect.any(String),
      })
    }
  })
})

test('eth_baseFee is the base fee that the next block has', async () => {
  const node = await freshNode({ network: 'ethereum' })
  await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x123'])
  expect(await call(node, 'eth_baseFee')).toBe('0x123')
  await call(node, 'evm_mine')
  const next = await call(node, 'eth_baseFee')
  await call(node, 'evm_mine')
  expect((await call(node, 'eth_getBlockByNumber', ['latest'])).baseFeePerGas).toBe(next)
})

test('hardhat_getStackTraceFailuresCount counts none', async () => {
  expect(await call(await freshNode(), 'hardhat_getStackTraceFailuresCount')).toBe(0)
})

test('debug_codeByHash finds code by what eth_getAccount says of it', async () => {
  const node = await freshNode()
  await call(node, 'hardhat_setCode', [CONTRACT, '0x6001'])
  const { codeHash } = await call(node, 'eth_getAccount', [CONTRACT, 'latest'])
  expect(await call(node, 'debug_codeByHash', [codeHash])).toBe('0x6001')
  expect(await call(node, 'debug_codeByHash', [word(1)])).toBeNull()
})
