import { describe, expect, test } from '@jest/globals'
import { createMPT } from '@ethereumjs/mpt'
import { toHex } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { orderedRoot } from '../../lib/state/trie.ts'

describe('orderedRoot', () => {
  test.each([0, 1, 2, 17, 127, 128, 129, 300])(
    'is the root over the encoded indices of %i values',
    async (length) => {
      const values = Array.from({ length }, (_value, index) =>
        new Uint8Array((index % 50) + 1).fill(index + 1),
      )
      const reference = await createMPT()
      for (const [index, value] of values.entries()) {
        const key = index === 0 ? [] : index < 256 ? [index] : [index >> 8, index & 255]
        await reference.put(encodeRlp(Uint8Array.from(key)), value)
      }
      expect(toHex(orderedRoot(values))).toBe(toHex(reference.root()))
    },
  )
})
