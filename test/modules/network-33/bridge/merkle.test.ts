import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'
import { merkleRoot, partialTree, rootOver } from '../../../../lib/modules/network-33/bridge/merkle.ts'

describe('a partial Merkle tree', () => {
  test('proves any transaction of a block of any size', () => {
    const sizeAndIndex = fc
      .integer({ min: 1, max: 70 })
      .chain((size) => fc.tuple(fc.constant(size), fc.nat({ max: size - 1 })))
    fc.assert(
      fc.property(sizeAndIndex, ([size, index]) => {
        const ids = Array.from({ length: size }, (_, position) => doubleSha256(Uint8Array.of(position)))
        const tree = partialTree(ids, index)
        expect(rootOver(tree, ids[index]!)).toEqual(merkleRoot(ids))
        const other = ids[index === 0 ? size - 1 : 0]!
        if (size > 1) expect(rootOver(tree, other)).toBeUndefined()
      }),
    )
  })

  test('has the root of block 170 of the main chain, its first payment', () => {
    const ids = [
      'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082',
      'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
    ].map((id) => new Uint8Array(Buffer.from(id, 'hex').reverse()))
    expect(Buffer.from(merkleRoot(ids)).reverse().toString('hex')).toBe(
      '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff',
    )
  })
})
