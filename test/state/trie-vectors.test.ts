import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { Trie } from '../../lib/state/trie.ts'
import { bytesOf, readVectors } from '../support/vectors.ts'

type Edit = [key: string, value: string | null]

const plain = bytesOf
const secure = (key: string) => keccak256(bytesOf(key))

/** Root after the edits; no value deletes. */
function rootOf(edits: readonly Edit[], keyOf: (key: string) => Uint8Array): string {
  let trie = Trie.empty((value: Uint8Array) => value)
  for (const [key, value] of edits) {
    trie = value === null ? trie.delete(keyOf(key)) : trie.put(keyOf(key), bytesOf(value))
  }
  return toHex(trie.hash())
}

describe.each([
  ['trietest.json', plain],
  ['trietest_secureTrie.json', secure],
])('edits in order: %s', (file, keyOf) => {
  test.each(readVectors(`TrieTests/${file}`))('%s', (_name, vector) => {
    expect(rootOf(vector.in, keyOf)).toBe(vector.root)
  })
})

describe.each([
  ['trieanyorder.json', plain],
  ['trieanyorder_secureTrie.json', secure],
  ['hex_encoded_securetrie_test.json', secure],
])('edits in any order: %s', (file, keyOf) => {
  test.each(readVectors(`TrieTests/${file}`))('%s', (_name, vector) => {
    const edits = Object.entries<string | null>(vector.in)
    const rotations = edits.map((_edit, index) => [...edits.slice(index), ...edits.slice(0, index)])
    for (const order of [...rotations, edits.toReversed()]) expect(rootOf(order, keyOf)).toBe(vector.root)
  })
})

describe('entries from a key on: trietestnextprev.json', () => {
  test.each(readVectors('TrieTests/trietestnextprev.json'))('%s', (_name, vector) => {
    let trie = Trie.empty((value: Uint8Array) => value)
    for (const key of vector.in) trie = trie.put(bytesOf(key), bytesOf(key))
    for (const [key, , next] of vector.tests) {
      const keys = Array.from(trie.entries(bytesOf(key)), ([bytes]) => Buffer.from(bytes).toString())
      expect(keys.find((candidate) => candidate !== key) ?? '').toBe(next)
    }
  })
})
