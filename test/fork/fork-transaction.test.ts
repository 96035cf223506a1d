/** Forks that continue after a transaction of a block. The remote is a real node behind a socket. */

import { expect, test } from '@jest/globals'
import { withNode, withRemote } from '../support/forks.ts'
import type { TestRemote } from '../support/forks.ts'
import { call } from '../support/node.ts'

/** Creates a contract whose code is one zero byte. */
const CREATION = '0x60016000f3'
const TO = '0x00000000000000000000000000000000000000aa'

/** Mines a block with three transfers and two creations, and returns the hashes. */
async function fillBlock(remote: TestRemote): Promise<readonly string[]> {
  const [from] = await remote.call('eth_accounts')
  await remote.call('evm_setAutomine', [false])
  const hashes = []
  for (const [index, request] of [{}, { data: CREATION }, {}, { data: CREATION }, {}].entries()) {
    const target = 'data' in request ? {} : { to: TO, value: `0x${(index + 1).toString(16)}` }
    hashes.push(await remote.call('eth_sendTransaction', [{ from, gas: '0x200000', ...request, ...target }]))
  }
  await remote.call('evm_mine')
  await remote.call('evm_setAutomine', [true])
  await remote.call('evm_mine')
  return hashes
}

test.each(['ethereum', 'network-33'])('on %s the first block ends with the transaction', (network) =>
  withRemote({ network }, async (remote) => {
    const hashes = await fillBlock(remote)
    const receipts = await Promise.all(hashes.map((hash) => remote.call('eth_getTransactionReceipt', [hash])))
    const block = await remote.call('eth_getBlockByHash', [receipts[2].blockHash, false])
    await withNode({ forkUrl: remote.url, forkTransaction: hashes[2]! }, async (node) => {
      const head = await call(node, 'eth_getBlockByNumber', ['latest', false])
      expect(head.transactions).toEqual(hashes.slice(0, 3))
      const { number, timestamp, miner, gasLimit, parentHash } = block
      expect(head).toMatchObject({ number, timestamp, miner, gasLimit, parentHash })
      for (const [index, receipt] of receipts.slice(0, 3).entries()) {
        const own = await call(node, 'eth_getTransactionReceipt', [hashes[index]])
        // The local block has fewer transactions, so its hash is another.
        expect({ ...own, blockHash: receipt.blockHash }).toEqual(receipt)
      }
      expect(await call(node, 'eth_getBalance', [TO])).toBe('0x4')
      expect(await call(node, 'eth_getCode', [receipts[1].contractAddress])).toBe('0x00')
      expect(await call(node, 'eth_getCode', [receipts[3].contractAddress])).toBe('0x')
      await call(node, 'evm_mine')
      await call(node, 'evm_reset')
      expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toEqual(head)
    })
  }),
)

test('a world may continue after a transaction, and an unknown one is refused', () =>
  withRemote({ network: 'ethereum' }, async (remote) => {
    const hashes = await fillBlock(remote)
    await withNode({ network: 'ethereum' }, async (node) => {
      const world = { id: 'a', fork: { url: remote.url, transaction: hashes[0] } }
      expect(await call(node, 'dev_createWorld', [world])).toMatchObject({ blockNumber: '0x1' })
      expect(await call(node.worlds.all[0]!.chain, 'eth_getBalance', [TO])).toBe('0x1')
      const unknown = { url: remote.url, transaction: `0x${'11'.repeat(32)}` }
      await expect(call(node, 'dev_createWorld', [{ id: 'b', fork: unknown }])).rejects.toThrow(
        `the remote ${remote.url} has no mined transaction 0x1111`,
      )
    })
  }))
