/** Members of blocks that only merged-mining networks have (node-rpc 4.1; service-spec, "Block object"). */

import { describe, expect, test } from '@jest/globals'
import { fromHex } from '../../../lib/base/hex.ts'
import { isMergedMining, hashForMergedMining } from '../../../lib/modules/network-33/consensus/header.ts'
import { checkProof } from '../../../lib/modules/network-33/consensus/aux-block.ts'
import { targetOf } from '../../../lib/networks/consensus/target.ts'
import type { Dialect } from '../../../lib/config/dialect.ts'
import { renderBlock } from '../../../lib/rpc/render/block.ts'
import { variant } from '../../modules/network-33/support/merged-mining.ts'
import { call, freshNode } from '../../support/node.ts'

const ZERO = `0x${'00'.repeat(32)}`

/** A node of network 33 with a transfer in block 1. */
async function nodeWithTransfer() {
  const node = await freshNode()
  const { address } = node.funded[0]!
  await call(node, 'eth_sendTransaction', [{ from: address, to: address, gas: '0x5208', gasPrice: '0x3' }])
  return node
}

const NO_BLOOM = `0x${'00'.repeat(256)}`

describe('a block of network 33', () => {
  test('has the fields of the genesis file at genesis', async () => {
    const block = await call(await freshNode(), 'eth_getBlockByNumber', ['0x0'])
    expect(block).toMatchObject({
      mixHash: ZERO,
      nonce: '0x0000000000000000',
      difficulty: '0x1',
      totalDifficulty: '0x1',
      uncles: [],
      size: '0x1de',
      minimumGasPrice: '0x0',
      auxMergedMiningHeader: '0x00',
      auxMergedMiningCoinbaseTransaction: '0x00',
      auxMergedMiningMerkleProof: '0x00',
      paidFees: '0x0',
      cumulativeDifficulty: '0x1',
      nodePteEdges: null,
      baseEvent: null,
    })
  })

  test('has its proof of work in its aux members', async () => {
    const node = await nodeWithTransfer()
    const block = await call(node, 'eth_getBlockByNumber', ['0x1'])
    const proof = {
      header: fromHex(block.auxMergedMiningHeader),
      merkleProof: fromHex(block.auxMergedMiningMerkleProof),
      coinbase: fromHex(block.auxMergedMiningCoinbaseTransaction),
    }
    expect(checkProof(proof, targetOf(1n), block.hashForMergedMining)).toBeUndefined()
    expect(block).toMatchObject({
      mixHash: ZERO,
      nonce: '0x0000000000000000',
      totalDifficulty: '0x2',
      cumulativeDifficulty: '0x1',
      paidFees: `0x${(21_000 * 3).toString(16)}`,
      nodePteEdges: [],
      baseEvent: null,
    })
    for (const member of ['baseFeePerGas', 'withdrawals', 'withdrawalsRoot'])
      expect(block).not.toHaveProperty(member)
  })

  test('has no work while it is pending', async () => {
    const node = await nodeWithTransfer()
    const block = await call(node, 'eth_getBlockByNumber', ['pending'])
    expect(block).toMatchObject({
      nonce: null,
      auxMergedMiningHeader: '0x',
      auxMergedMiningCoinbaseTransaction: '0x',
      auxMergedMiningMerkleProof: '0x',
      nodePteEdges: [],
    })
    expect(block.hashForMergedMining).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test.each<[Dialect, string | null, string | null]>([
    ['node33', null, null],
    ['hardhat', '0x0000000000000000', NO_BLOOM],
    ['ethereum', '0x0000000000000000', NO_BLOOM],
  ])('has number and miner while it is pending, in dialect %s', async (dialect, nonce, logsBloom) => {
    const node = await nodeWithTransfer()
    const block = await call(node, 'eth_getBlockByNumber', ['pending'], dialect)
    expect(block).toMatchObject({
      number: '0x2',
      logsBloom,
      miner: node.network.coinbase,
      hash: null,
      nonce,
    })
  })

  test('has fork detection data from block 449 on', async () => {
    const node = await freshNode()
    await node.miner.mineMany(450n)
    node.miner.makePostponedBlocks()
    const hashes = [448n, 449n, 450n].map((number) => {
      const { header } = node.chain.at(number)!.block
      return isMergedMining(header) ? hashForMergedMining(header) : undefined
    })
    const shown = await call(node, 'eth_getBlockByNumber', ['0x1c1'])
    expect(shown.hashForMergedMining).toBe(hashes[1])
    expect(hashes.map((hash) => hash?.slice(-8))).toEqual([
      expect.not.stringMatching(/^000001/),
      '000001c1',
      '000001c2',
    ])
  })

  test('has edges as numbers, a base event as data, and the difficulty of its uncles', () => {
    const header = variant({ difficulty: 5n }, { edges: [1, 300], baseEvent: Uint8Array.of(0, 9) })
    const uncles = [variant({ difficulty: 7n })]
    const block = { header, hash: header.parentHash, receipts: [], uncles, totalDifficulty: 20n }
    expect(renderBlock({ block, isPending: false }, false)).toMatchObject({
      nodePteEdges: [1, 300],
      baseEvent: '0x0009',
      difficulty: '0x5',
      cumulativeDifficulty: '0xc',
      totalDifficulty: '0x14',
      uncles: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    })
  })
})

test('a block of Ethereum has no members of merged mining', async () => {
  const node = await freshNode({ network: 'ethereum' })
  const block = await call(node, 'eth_getBlockByNumber', ['0x0'])
  const members = Object.keys(block).filter((member) =>
    /aux|merged|minimum|paid|cumulative|node|event/i.test(member),
  )
  expect(members).toEqual([])
})
