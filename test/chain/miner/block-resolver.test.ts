import { describe, expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

const MINER = `0x${'cc'.repeat(20)}`
const WORD = `0x${'11'.repeat(32)}`

const pendingHeader = (node: Awaited<ReturnType<typeof freshNode>>) =>
  call(node, 'node_getRawBlockHeaderByNumber', ['pending'])

describe('the pending block', () => {
  test.each([
    ['hardhat_setCoinbase', [MINER], {}],
    ['evm_setBlockGasLimit', ['0x1312d00'], {}],
    ['hardhat_setMinGasPrice', ['0x7'], {}],
    ['hardhat_setPrevRandao', [WORD], { network: 'ethereum' }],
    ['hardhat_setNextBlockBaseFeePerGas', ['0x7'], { network: 'ethereum' }],
  ])('follows %s, also after it was read', async (method, params, options) => {
    const node = await freshNode({ frozenTime: true, ...options })
    const before = await pendingHeader(node)
    await call(node, 'evm_snapshot')
    await call(node, method, params)
    const after = await pendingHeader(node)
    expect(after).not.toBe(before)
    await call(node, 'evm_revert', ['0x1'])
    expect(await pendingHeader(node)).toBe(before)
  })
})
