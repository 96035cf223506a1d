import { describe, expect, test } from '@jest/globals'
import { encodeRlp } from '../../../lib/base/rlp.ts'
import { toHex } from '../../../lib/base/hex.ts'
import { cumulativeDifficulty, uncleHashesOf } from '../../../lib/chain/block.ts'
import { blockSize } from '../../../lib/chain/raw-forms.ts'
import { NO_UNCLES_HASH, headerHash, headerItems } from '../../../lib/chain/header.ts'
import { loadNetwork, ownFields } from '../../support/networks.ts'
import { keccak256 } from '../../../lib/crypto/keccak.ts'
import { sealBlock } from '../../../lib/chain/miner/seal.ts'
import { NO_WORK, variant } from '../../modules/network-33/support/merged-mining.ts'
import { freshNode } from '../../support/node.ts'

const UNCLES = [variant({ number: 1n, difficulty: 4n }), variant({ number: 1n, difficulty: 8n })]

/** A block on the genesis of a network. */
async function sealed(name: string, uncles?: typeof UNCLES) {
  const node = await freshNode({ network: name })
  const parent = node.chain.head
  const context = { ...node.miner.nextBlockContext(), difficulty: 2n }
  const input = { parent, context, receipts: [], state: parent.state }
  return {
    parent: parent.block,
    block: sealBlock(loadNetwork(name), uncles === undefined ? input : { ...input, uncles }),
  }
}

describe('a block of a merged-mining network', () => {
  test('has version 2, no edges, and no work yet', async () => {
    const { block } = await sealed('network-33')
    expect(block.header.unclesHash).toBe(NO_UNCLES_HASH)
    expect(ownFields(block.header)).toEqual({
      version: 2,
      uncleCount: 0,
      ummRoot: new Uint8Array(0),
      edges: [],
      baseEvent: new Uint8Array(0),
      aux: NO_WORK,
      ancestry: expect.anything(),
    })
  })

  test('has its uncles, and their difficulty in its total', async () => {
    const { block, parent } = await sealed('network-33', UNCLES)
    expect(block.header.unclesHash).toBe(toHex(keccak256(encodeRlp(UNCLES.map(headerItems)))))
    expect(ownFields(block.header)?.uncleCount).toBe(2)
    expect(cumulativeDifficulty(block)).toBe(14n)
    expect(block.totalDifficulty).toBe(parent.totalDifficulty + 14n)
    expect(uncleHashesOf(block)).toEqual(UNCLES.map(headerHash))
    expect(blockSize(block)).toBe(encodeRlp([headerItems(block.header), [], UNCLES.map(headerItems)]).length)
  })
})

test('a block of Ethereum has no merged-mining fields', async () => {
  const { block } = await sealed('ethereum')
  expect(ownFields(block.header)).toBeUndefined()
  expect(block.header.unclesHash).toBe(NO_UNCLES_HASH)
})
