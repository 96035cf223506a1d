/** eth_callMany: bundles of calls on top of each other. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const CONTRACT = `0x${'c0'.repeat(20)}`
const word = (value: number | bigint | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`

/** A node with code at CONTRACT, on which a block was mined. */
async function nodeWith(source: string, network = 'network-33') {
  const node = await freshNode({ network })
  await call(node, 'hardhat_setCode', [CONTRACT, toHex(assembleCode(source))])
  await call(node, 'evm_mine')
  return node
}

const target = { to: CONTRACT }
const words = (value: string): bigint[] =>
  (value.slice(2).match(/.{64}/g) ?? []).map((digits) => BigInt(`0x${digits}`))

/** Returns its first word of storage, and stores the first word of the call data in its place. */
const SWAP = '0 SLOAD 0 MSTORE 0 CALLDATALOAD 0 SSTORE 32 0 RETURN'

describe('eth_callMany', () => {
  test('runs each call on the state after the calls before it, also of the bundle before', async () => {
    const node = await nodeWith(SWAP)
    const swap = (value: number) => ({ ...target, data: word(value) })
    const params = [[{ transactions: [swap(5), swap(6)] }, { transactions: [swap(7)] }]]
    expect(await call(node, 'eth_callMany', params)).toEqual([
      [{ value: word(0) }, { value: word(5) }],
      [{ value: word(6) }],
    ])
    expect(await call(node, 'eth_getStorageAt', [CONTRACT, '0x0'])).toBe(word(0))
  })

  test('runs the first bundle in the block and the next one block later, unless overridden', async () => {
    const node = await nodeWith('NUMBER 0 MSTORE TIMESTAMP 32 MSTORE 64 0 RETURN')
    const { timestamp } = await call(node, 'eth_getBlockByNumber', ['latest'])
    const blockOverride = { number: '0x64', time: '0x77359400' }
    const bundles = [
      { transactions: [target] },
      { transactions: [target] },
      { transactions: [target], blockOverride },
    ]
    const [first, second, third] = await call(node, 'eth_callMany', [bundles, { blockNumber: 'latest' }])
    expect(words(first[0].value)).toEqual([1n, BigInt(timestamp)])
    expect(words(second[0].value)).toEqual([2n, BigInt(timestamp) + 12n])
    expect(words(third[0].value)).toEqual([100n, 2_000_000_000n])
  })

  test('begins before the requested transaction index', async () => {
    const node = await nodeWith(SWAP)
    const { address: from } = node.funded[0]!
    await call(node, 'evm_stopMining')
    for (const nonce of [0, 1]) {
      await call(node, 'eth_sendTransaction', [
        { from, to: CONTRACT, nonce, data: word(nonce + 8), gas: '0x186a0' },
      ])
    }
    await call(node, 'evm_mine')
    const seen = async (transactionIndex: number) => {
      const params = [[{ transactions: [target] }], { blockNumber: 'latest', transactionIndex }]
      return (await call(node, 'eth_callMany', params))[0][0].value
    }
    expect(await Promise.all([0, 1, 2, -1].map(seen))).toEqual([word(0), word(8), word(9), word(9)])
    const beyond = [[{ transactions: [target] }], { blockNumber: 'latest', transactionIndex: 3 }]
    expect(await refusal(node, 'eth_callMany', beyond)).toEqual({
      kind: 'invalidParams',
      message:
        'params[1].transactionIndex: transaction index 3 is out of range, the block has 2 transactions',
    })
  })

  test('continues after a failed or refused call and returns its error', async () => {
    const node = await nodeWith('0 0 REVERT', 'ethereum')
    const poor = { from: `0x${'77'.repeat(20)}`, to: CONTRACT, value: '0x1' }
    const transactions = [target, poor, { to: `0x${'dd'.repeat(20)}` }]
    expect(await call(node, 'eth_callMany', [[{ transactions }]], 'ethereum')).toEqual([
      [
        { error: 'execution reverted' },
        { error: expect.stringMatching(/^insufficient funds .*have 0, want 1$/) },
        { value: '0x' },
      ],
    ])
  })

  test('limits the gas of all calls together', async () => {
    const node = await freshNode({ callGasLimit: '100000' })
    const loop = { [CONTRACT]: { code: toHex(assembleCode('JUMPDEST 0 JUMP')) } }
    const transactions = Array.from({ length: 3 }, () => target)
    const [answers] = await call(node, 'eth_callMany', [[{ transactions }], null, loop])
    expect(answers.map(({ error }: { error: string }) => error)).toEqual([
      expect.stringContaining('out of gas'),
      'the gas of all calls of a request is used up',
      'the gas of all calls of a request is used up',
    ])
  })

  test('applies state overrides before the first call, and takes contracts as senders', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const code = toHex(assembleCode('CALLER 0 MSTORE 32 0 RETURN'))
    const params = [[{ transactions: [{ ...target, from: CONTRACT }] }], null, { [CONTRACT]: { code } }]
    expect(await call(node, 'eth_callMany', params)).toEqual([[{ value: word(CONTRACT) }]])
  })
})
