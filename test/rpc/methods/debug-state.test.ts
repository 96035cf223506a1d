import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'
import { HEIR, tracedNode } from '../../support/tracing.ts'

const START = '0x00'

/** A contract with 21 words, the newest of which came with the second of two transactions in the head block. */
async function filled() {
  const traced = await tracedNode()
  const { node, send } = traced
  await send('fill', [0n, 10n])
  await call(node, 'evm_stopMining')
  await send('fill', [10n, 5n])
  await send('fill', [15n, 5n])
  await call(node, 'evm_mine')
  const { hash } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  const rangeOf = (index: number, start: string, limit: number) =>
    call(node, 'debug_storageRangeAt', [hash, index, traced.tracer, start, limit])
  return { ...traced, hash, rangeOf }
}

const CONTRACT = `0x${'c0'.repeat(20)}`
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

describe('debug_storageRangeAt', () => {
  test('returns the storage before each transaction of a block, and after the last', async () => {
    const { rangeOf } = await filled()
    const counts = [0, 1, 2].map(
      async (index) => Object.keys((await rangeOf(index, START, 100)).storage).length,
    )
    expect(await Promise.all(counts)).toEqual([11, 16, 21])
  })

  test.each([1, 4, 20])('returns the whole storage in order over pages of %i words', async (limit) => {
    const { rangeOf } = await filled()
    const whole = await rangeOf(2, START, 100)
    expect(whole.nextKey).toBeNull()
    const found: [string, unknown][] = []
    for (let start = START as string | null; start !== null;) {
      const page = await rangeOf(2, start, limit)
      expect(Object.keys(page.storage).length).toBeLessThanOrEqual(limit)
      found.push(...Object.entries(page.storage))
      start = page.nextKey
    }
    expect(found).toEqual(Object.entries(whole.storage))
    expect(found.map(([key]) => key)).toEqual(found.map(([key]) => key).toSorted())
  })

  test('returns the slots with their hashes', async () => {
    const { node, tracer, rangeOf } = await filled()
    const { storage } = await rangeOf(2, START, 100)
    for (const [hashed, { key, value }] of Object.entries<{ key: string; value: string }>(storage)) {
      expect(await call(node, 'web3_sha3', [key])).toBe(hashed)
      expect(await call(node, 'eth_getStorageAt', [tracer, key])).toBe(value)
    }
  })

  test('is empty for an account without storage', async () => {
    const { node, hash } = await filled()
    const empty = { storage: {}, nextKey: null }
    expect(await call(node, 'debug_storageRangeAt', [hash, 0, HEIR, START, 10])).toEqual(empty)
  })

  test('refuses a transaction index beyond the block, and an unknown block', async () => {
    const { node, hash, tracer } = await filled()
    expect(await refusal(node, 'debug_storageRangeAt', [hash, 3, tracer, START, 10])).toEqual({
      kind: 'invalidParams',
      message: 'params[1] (txIndex): transaction index 3 is out of range, the block has 2 transactions',
    })
    const unknown = `0x${'00'.repeat(32)}`
    const { kind } = await refusal(node, 'debug_storageRangeAt', [unknown, 0, tracer, START, 10])
    expect(kind).toBe('unknownBlock')
  })
})

describe('debug_accountTransactionQuota', () => {
  test('is 2000 seconds of nine tenths of a block after the first transaction, pooled or mined', async () => {
    const node = await freshNode({ mining: false, blockGasLimit: 10_000_000 })
    const quota = () => call(node, 'debug_accountTransactionQuota', [COW])
    expect(await quota()).toBeNull()
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: 21_000 }])
    expect(await quota()).toMatchObject({ availableVirtualGas: 2000 * 0.9 * 10_000_000 })
    await call(node, 'evm_mine')
    expect(await quota()).toMatchObject({ availableVirtualGas: 2000 * 0.9 * 10_000_000 })
  })
})

test('debug_codeByHash finds code by the hash that eth_getAccount returns', async () => {
  const node = await freshNode()
  await call(node, 'hardhat_setCode', [CONTRACT, '0x6001'])
  const { codeHash } = await call(node, 'eth_getAccount', [CONTRACT, 'latest'])
  expect(await call(node, 'debug_codeByHash', [codeHash])).toBe('0x6001')
  expect(await call(node, 'debug_codeByHash', [word(1)])).toBeNull()
})
