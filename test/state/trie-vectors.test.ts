import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { Trie } from '../../lib/state/trie.ts'
import { bytesOf, readVectors } from '../support/vectors.ts'

type Edit = [key: string, value: string | null]

/** Root after the edits; no value deletes. The keys are hashed: the trie takes no key that is the beginning of another. */
function rootOf(edits: readonly Edit[]): string {
  let trie = new Trie((value: Uint8Array) => value)
  for (const [text, value] of edits) {
    const key = keccak256(bytesOf(text))
    trie = value === null ? trie.delete(key) : trie.put(key, bytesOf(value))
  }
  return toHex(trie.hash())
}

describe('edits in order', () => {
  test.each(readVectors('TrieTests/trietest_secureTrie.json'))('%s', (_name, vector) => {
    expect(rootOf(vector.in)).toBe(vector.root)
  })
})

describe.each(['trieanyorder_secureTrie.json', 'hex_encoded_securetrie_test.json'])(
  'edits in any order: %s',
  (file) => {
    test.each(readVectors(`TrieTests/${file}`))('%s', (_name, vector) => {
      const edits = Object.entries<string | null>(vector.in)
      const rotations = edits.map((_edit, index) => [...edits.slice(index), ...edits.slice(0, index)])
      for (const order of [...rotations, edits.toReversed()]) expect(rootOf(order)).toBe(vector.root)
    })
  },
)
