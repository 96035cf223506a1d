import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { unionOfBlooms } from '../../lib/chain/block.ts'

describe('union of blooms', () => {
  test('has every bit that any of them has, and is new', () => {
    const bloom = fc.uint8Array({ minLength: 256, maxLength: 256 })
    fc.assert(
      fc.property(fc.array(bloom, { maxLength: 4 }), (blooms) => {
        const union = unionOfBlooms(blooms)
        for (let index = 0; index < 256; index++) {
          expect(union[index]).toBe(blooms.reduce((bits, one) => bits | one[index]!, 0))
        }
        expect(blooms).not.toContain(union)
      }),
    )
  })
})
