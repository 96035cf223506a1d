/** Snapshots and long local chains on a fork. */

import { describe, expect, test } from '@jest/globals'
import { dataOf, withFork, withRemoteChain } from '../support/forked-node.ts'
import { call } from '../support/node.ts'

const network = 'ethereum'
const BLOCKS = 1_000

describe('a long chain on a fork', () => {
  test('old local blocks, states and logs are read, and a revert goes back to the fork', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const { tracer, accounts, height } = remote
      await withFork(remote, { network }, async ({ node, asked }) => {
        const [, from, to] = accounts
        const before = await call(node, 'eth_getBlockByNumber', ['latest', true])
        const atFork = await call(node, 'eth_getAccountInfo', [to])
        const snapshot = await call(node, 'evm_snapshot')
        await call(node, 'eth_sendTransaction', [
          { from, to: tracer, gas: '0x2dc6c0', data: await dataOf('nest', [7n]) },
        ])
        await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
        asked()
        for (let sent = 2; sent < BLOCKS; sent++)
          await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
        expect(await call(node, 'eth_blockNumber')).toBe(`0x${(height + BLOCKS).toString(16)}`)
        const start = BigInt(atFork.balance)
        for (const age of [2, 3, 500, BLOCKS]) {
          const at = `0x${(height + age).toString(16)}`
          expect(BigInt(await call(node, 'eth_getBalance', [to, at]))).toBe(start + BigInt(age - 1))
          const { transactions } = await call(node, 'eth_getBlockByNumber', [at, false])
          expect((await call(node, 'eth_getTransactionReceipt', transactions)).blockNumber).toBe(at)
        }
        const logs = await call(node, 'eth_getLogs', [{ fromBlock: `0x${(height + 1).toString(16)}` }])
        expect(logs.length).toBeGreaterThan(2)
        expect(asked()).toEqual([])
        const saved = await call(node, 'dev_dumpState')
        await call(node, 'evm_revert', [snapshot])
        expect(await call(node, 'eth_getBlockByNumber', ['latest', true])).toEqual(before)
        expect(await call(node, 'eth_getAccountInfo', [to])).toEqual(atFork)
        await call(node, 'dev_loadState', [saved])
        expect(BigInt(await call(node, 'eth_getBalance', [to]))).toBe(start + BigInt(BLOCKS - 1))
        expect(await call(node, 'eth_getLogs', [{ fromBlock: `0x${(height + 1).toString(16)}` }])).toEqual(
          logs,
        )
      })
    })
  })
})
