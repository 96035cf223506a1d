import { describe, expect, test } from '@jest/globals'
import { fromHex, toHash, toHex } from '../../../../lib/base/hex.ts'
import { headerHash } from '../../../../lib/chain/header.ts'
import {
  hashForMergedMining,
  type MergedMiningHeader,
} from '../../../../lib/modules/network-33/consensus/header.ts'
import { checkProof } from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import { targetOf } from '../../../../lib/networks/consensus/target.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { sealBlockContent } from '../../../../lib/chain/block.ts'
import { ownFields } from '../../../support/networks.ts'
import { auxHeader, coinbaseFor } from '../support/aux-blocks.ts'
import { BLOCK_1, EXAMPLE, variant } from '../support/merged-mining.ts'

function proved(header: MergedMiningHeader) {
  const block = sealBlockContent({ header, receipts: [], uncles: [], totalDifficulty: 1n })
  return { block, aux: ownFields(block.header)!.aux }
}

describe('work of the node itself', () => {
  // Own calculation of node-chain 4.3 and 6.8.
  test('on block 1 is that of the example (unconfirmed)', () => {
    const { block, aux } = proved(BLOCK_1)
    expect(toHex(aux.header)).toBe(toHex(EXAMPLE.header))
    expect(toHex(aux.coinbase)).toBe(toHex(EXAMPLE.compressed))
    expect(aux.merkleProof).toHaveLength(0)
    expect(toHash(doubleSha256(aux.header).reverse())).toBe(
      '0x15bb40ceb1d6d9172dcb0c0f6fbeed20288fb6011e82239f522ba7b16697fef1',
    )
    expect(block.hash).toBe('0x4f7f1c3990f70ff212aee2640f1f6d85e3c7ff3ddb28535e8db7def11535a1b3')
  })

  test.each([1n, 3n, 40n, 300n])('passes every check at difficulty %d', (difficulty) => {
    for (let number = 2n; number < 20n; number++) {
      const header = variant({ number, difficulty })
      const { block, aux } = proved(header)
      expect(checkProof(aux, targetOf(difficulty), hashForMergedMining(header))).toBeUndefined()
      expect(block.hash).toBe(headerHash(block.header))
    }
  })

  test('has the least nonce', () => {
    const header = variant({ difficulty: 300n, timestamp: 1_700_000_000n })
    const { aux } = proved(header)
    const nonce = new DataView(aux.header.buffer, aux.header.byteOffset).getUint32(76, true)
    const id = doubleSha256(coinbaseFor(hashForMergedMining(header)))
    expect(nonce).toBeGreaterThan(0)
    for (let earlier = 0; earlier < nonce; earlier++) {
      const hash = doubleSha256(auxHeader(id, earlier)).reverse()
      expect(BigInt(toHex(hash))).toBeGreaterThan(BigInt(targetOf(300n)))
    }
    expect(toHex(aux.header)).toBe(toHex(auxHeader(id, nonce)))
  })

  test('ends at once where the difficulty is above the maximum', () => {
    const { aux } = proved(variant({ difficulty: 2n ** 200n }))
    expect(aux.header.subarray(76)).toEqual(fromHex('0x00000000'))
  })
})
