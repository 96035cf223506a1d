/** Methods that edit accounts. */

import { describe, expect, test } from '@jest/globals'
import type { Dialect } from '../../../lib/config/dialect.ts'
import { call, dispatcherOf, freshNode } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'

const STRANGER = `0x${'77'.repeat(20)}`

describe('accounts', () => {
  test('are edited under every name', async () => {
    const node = await freshNode()
    const head = await call(node, 'eth_getBlockByNumber', ['latest', false])
    for (const [index, name] of [
      'hardhat_setBalance',
      'anvil_setBalance',
      'evm_setAccountBalance',
    ].entries()) {
      expect(await call(node, name, [STRANGER, `0x${index + 1}`])).toBe(true)
      expect(await call(node, 'eth_getBalance', [STRANGER])).toBe(`0x${index + 1}`)
    }
    await call(node, 'anvil_addBalance', [STRANGER, '0x7'])
    await call(node, 'hardhat_addBalance', [STRANGER, '0x8'])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x12')
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    await call(node, 'hardhat_setCode', [STRANGER, '0x60006000fd'])
    await call(node, 'hardhat_setStorageAt', [STRANGER, '0x1', '0x2a'])
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x5')
    expect(await call(node, 'eth_getCode', [STRANGER])).toBe('0x60006000fd')
    expect(await call(node, 'eth_getStorageAt', [STRANGER, '0x1'])).toBe(`0x${'0'.repeat(62)}2a`)
    expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toEqual(head)
    await call(node, 'evm_mine')
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x12')
    expect(await call(node, 'eth_getBalance', [STRANGER, 'earliest'])).toBe('0x12')
  })

  test('keep their nonce from going down under hardhat_setNonce, and not under anvil_setNonce', async () => {
    const node = await freshNode({ dialect: 'hardhat' })
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    const lower = (name: string, dialect?: Dialect) => call(node, name, [STRANGER, '0x1'], dialect)
    const answer = await dispatcherOf(node).answer(rpc('hardhat_setNonce', [STRANGER, '0x1']), 'hardhat')
    expect(JSON.parse(answer!).error).toMatchObject({
      code: -32000,
      message: 'New nonce (1) must not be smaller than the existing nonce (5)',
    })
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x5')
    expect(await lower('anvil_setNonce')).toBe(true)
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x1')
    await call(node, 'anvil_setNonce', [STRANGER, '0x5'])
    expect(await lower('hardhat_setNonce', 'node33')).toBe(true)
  })

  test('are restored by a revert', async () => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_setBalance', [STRANGER, '0x1'])
    await call(node, 'evm_revert', [id])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x0')
  })
})
