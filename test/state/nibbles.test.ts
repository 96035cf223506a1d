import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { firstDifference, hexPrefix, nibbleAt, toNibbles } from '../../lib/state/trie-nodes.ts'

describe('hexPrefix', () => {
  // Yellow Paper, appendix C; the cases are those of the Ethereum wiki.
  test.each([
    ['12345', false, '0x112345'],
    ['012345', false, '0x00012345'],
    ['0f1cb8', true, '0x200f1cb8'],
    ['f1cb8', true, '0x3f1cb8'],
    ['', true, '0x20'],
  ])('encodes %s, leaf %s, as %s', (path, isLeaf, expected) => {
    expect(toHex(hexPrefix(path, 0, isLeaf))).toBe(expected)
  })

  test('begins at the given nibble', () => {
    expect(toHex(hexPrefix('abc0f1cb8', 3, true))).toBe('0x200f1cb8')
  })
})

describe('nibbles', () => {
  test('give every digit its value', () => {
    const path = toNibbles(Uint8Array.of(0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef))
    expect(Array.from(path, (_digit, index) => nibbleAt(path, index))).toEqual([...Array(16).keys()])
  })

  test.each([
    ['abcd', 'abxd', 0, 2],
    ['abcd', 'ab', 0, 2],
    ['abcd', 'abcd', 1, 4],
    ['xbcd', 'abce', 1, 3],
  ])('%s and %s differ from %i on at %i', (left, right, start, expected) => {
    expect(firstDifference(left, right, start)).toBe(expected)
  })
})
