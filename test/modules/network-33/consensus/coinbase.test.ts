import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../../../lib/base/hex.ts'
import {
  MERGED_MINING_TAG,
  bytesAfterHash,
  coinbaseId,
  compressCoinbase,
  decodeCoinbase,
  encodeCoinbase,
} from '../../../../lib/modules/network-33/consensus/aux-block.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })

describe('a compressed coinbase', () => {
  test('has the id of the transaction, whose tail begins less than a block before the last tag', () => {
    fc.assert(
      fc.property(bytes(200), bytes(100), bytes(200), (before, between, behind) => {
        const last = before.length + MERGED_MINING_TAG.length + between.length
        const transaction = Buffer.concat([before, MERGED_MINING_TAG, between, MERGED_MINING_TAG, behind])
        const compressed = compressCoinbase(transaction)
        expect(compressed.count).toBe(last - (last % 64))
        expect(toHex(compressed.tail)).toBe(toHex(transaction.subarray(compressed.count)))
        expect(toHex(coinbaseId(compressed))).toBe(toHex(doubleSha256(transaction)))
      }),
    )
  })

  test('is the whole transaction when there is no tag', () => {
    const transaction = new Uint8Array(150).fill(7)
    expect(compressCoinbase(transaction)).toMatchObject({ count: 0, tail: transaction })
  })

  test('is read as it was written', () => {
    const compressed = compressCoinbase(Buffer.concat([new Uint8Array(300), MERGED_MINING_TAG]))
    expect(decodeCoinbase(encodeCoinbase(compressed))).toEqual({
      ...compressed,
      tail: new Uint8Array(compressed.tail),
    })
  })

  test.each([
    ['is nothing', new Uint8Array(0)],
    ['is the byte of a genesis block', new Uint8Array(1)],
    ['ends in the state', new Uint8Array(39)],
    ['counts half a block', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 32, ...new Uint8Array(64))],
    ['counts more than there can be', new Uint8Array(64).fill(0xc0)],
  ])('that %s is refused', (_case, encoded) => {
    expect(decodeCoinbase(encoded)).toBeUndefined()
  })

  test('keeps the bytes after tag and hash', () => {
    const transaction = Buffer.concat([
      new Uint8Array(70),
      MERGED_MINING_TAG,
      new Uint8Array(32),
      Buffer.from('end'),
    ])
    expect(Buffer.from(bytesAfterHash(encodeCoinbase(compressCoinbase(transaction)))).toString()).toBe('end')
    expect(bytesAfterHash(new Uint8Array(1))).toEqual(new Uint8Array(0))
  })
})
