import { describe, expect, test } from '@jest/globals'
import { createMPT } from '@ethereumjs/mpt'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { EMPTY_TRIE_HASH } from '../../lib/state/trie.ts'
import { orderedProof, orderedRoot } from '../../lib/state/ordered-trie.ts'

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
      expect(toHex(orderedRoot(values, 'merkle-patricia'))).toBe(toHex(reference.root()))
    },
  )
})

describe('the binary trie of a list', () => {
  /** A receipt alone in its block, and its node (node-chain 5.1 and 5.2). */
  const receipt = fromHex(`0xf9010c01825208b90100${'00'.repeat(256)}c082520801`)
  const node = '0x70078048ee76b19fc451dba9dbee8b3e73084f79ea540d3940b3b36b128e8024e9302500010f'

  test('has one node for one value (vector of node-chain 5.2)', () => {
    expect(orderedProof([receipt], 0, 'binary').map(toHex)).toEqual([node])
    expect(toHex(orderedRoot([receipt], 'binary'))).toBe(toHex(keccak256(fromHex(node))))
  })

  test('of no values is the empty one', () => {
    expect(orderedRoot([], 'binary')).toEqual(EMPTY_TRIE_HASH)
  })

  test.each([2, 3, 130, 300])('leads from the root to each of %i values', (length) => {
    const values = Array.from({ length }, (_value, index) => new Uint8Array((index % 70) + 1).fill(index + 1))
    const root = toHex(orderedRoot(values, 'binary'))
    for (const [index, value] of values.entries()) {
      const nodes = orderedProof(values, index, 'binary').map(toHex)
      expect(toHex(keccak256(fromHex(nodes[0]!)))).toBe(root)
      for (const [below, lower] of nodes.slice(1).entries()) {
        const upper = nodes[below]!
        const isNamed = upper.includes(toHex(keccak256(fromHex(lower))).slice(2))
        expect(isNamed || upper.includes(lower.slice(2))).toBe(true)
      }
      const tail = value.length > 32 ? toHex(keccak256(value)).slice(2) : toHex(value).slice(2)
      expect(nodes.at(-1)).toContain(tail)
    }
  })
})
