import { runAtOnce } from '../../../lib/base/routine.ts'
import { ownFields } from '../../support/networks.ts'
import { describe, expect, test } from '@jest/globals'
import { BridgeStorage } from '../../../lib/modules/network-33/bridge/bridge-storage.ts'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { createContractAddress } from '../../support/created-address.ts'
import { call, freshNode } from '../../support/node.ts'
import { toHex } from '../../../lib/base/hex.ts'

/** A node with a contract that emits a log for every transaction to it, mined by hand. */
async function loggingNode() {
  const node = await freshNode({ mining: false })
  const from = node.funded[0]!.address
  await call(node, 'eth_sendTransaction', [
    { from, data: toHex(creationCode(CONTRACTS.environment)), gas: '0x100000' },
  ])
  runAtOnce(node.miner.mine())
  return { node, to: createContractAddress(from, 0n) }
}

async function sendMany(node: Node, to: string, count: number): Promise<void> {
  for (const { address: from } of node.funded.slice(0, count)) {
    await call(node, 'eth_sendTransaction', [{ from, to, data: words([BigInt(count)]), gas: '0x100000' }])
  }
}

describe('a block of several transactions', () => {
  test('numbers its transactions and logs from zero on, and adds up their gas', async () => {
    const { node, to } = await loggingNode()
    await sendMany(node, to, 3)
    const { receipts, header } = runAtOnce(node.miner.mine())
    expect(receipts.map(({ index, firstLogIndex }) => [index, firstLogIndex])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
    const sums = receipts.map((_, index) =>
      receipts.slice(0, index + 1).reduce((total, { outcome }) => total + outcome.gasUsed, 0n),
    )
    expect(receipts.map(({ cumulativeGasUsed }) => cumulativeGasUsed)).toEqual(sums)
    expect(header.gasUsed).toBe(sums.at(-1))
  })

  test('equals the pending block before it', async () => {
    const { node, to } = await loggingNode()
    await sendMany(node, to, 3)
    const { head } = node.chain
    const { block } = node.blockResolver.at({ tag: 'pending' })
    expect(node.chain.head).toBe(head)
    const { sealHash } = block.header.consensus
    expect(sealHash(runAtOnce(node.miner.mine()).header)).toBe(sealHash(block.header))
  })
})

describe('a pending block', () => {
  test('is built again only when the pool or the time changed', async () => {
    const { node, to } = await loggingNode()
    const pending = async () => node.blockResolver.at({ tag: 'pending' }).block
    const first = await pending()
    expect(await pending()).toBe(first)
    await sendMany(node, to, 1)
    const second = await pending()
    expect([second === first, second.receipts.length]).toEqual([false, 1])
    node.clock.increase(60n)
    expect((await pending()).header.timestamp).toBe(second.header.timestamp + 59n)
  })
})

test('a block names the base event that its parent left in the Bridge', async () => {
  const node = await freshNode()
  node.chain.editHead((state) => new BridgeStorage(state).putBytes('event/base', Uint8Array.of(1, 2, 3)))
  const { header } = runAtOnce(node.miner.mine())
  expect(ownFields(header)?.baseEvent).toEqual(Uint8Array.of(1, 2, 3))
  expect((await call(node, 'eth_getBlockByNumber', ['0x1'])).baseEvent).toBe('0x010203')
})
