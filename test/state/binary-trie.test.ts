import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { BinaryTrie } from '../../lib/state/binary-trie.ts'

const key = (text: string) => fromHex(`0x${text}`)
const filled = (entries: readonly (readonly [string, string])[]) =>
  entries.reduce((trie, [name, value]) => trie.put(key(name), key(value)), BinaryTrie.empty)

/** A receipt alone in its block (node-chain 5.1). */
const RECEIPT = key(`f9010c01825208b90100${'00'.repeat(256)}c082520801`)
const RECEIPT_NODE = '0x70078048ee76b19fc451dba9dbee8b3e73084f79ea540d3940b3b36b128e8024e9302500010f'

describe('serialization', () => {
  test('is that of the vector of node-chain 5.2: a long value under one key', () => {
    const trie = BinaryTrie.empty.put(key('80'), RECEIPT)
    expect(trie.prove(key('80')).map(toHex)).toEqual([RECEIPT_NODE])
    expect(toHex(trie.hash())).toBe(toHex(keccak256(fromHex(RECEIPT_NODE))))
  })

  test('of the trie without entries has the usual hash', () => {
    const hash = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
    expect(toHex(BinaryTrie.empty.hash())).toBe(hash)
    expect(BinaryTrie.empty.prove(key('80'))).toEqual([])
  })

  // By hand: 01xxxxxx and the flag of each part, children before their size, the value at the end.
  test.each([
    ['a value embedded in its node', [['80', '0102']], '5007800102'],
    [
      'two short children in their parent',
      [
        ['00', 'aa'],
        ['80', 'bb'],
      ],
      '4f' + '04500600aa' + '04500600bb' + '08',
    ],
    [
      'a shared path before a branch',
      [
        ['a0', 'aa'],
        ['a8', 'bb'],
      ],
      '5f03a0' + '04500200aa' + '04500200bb' + '08',
    ],
    [
      'a value above a child',
      [
        ['80', 'aa'],
        ['8000', 'bb'],
      ],
      '5a0780' + '04500600bb' + '04' + 'aa',
    ],
  ] as const)('has %s', (_case, entries, expected) => {
    const [root] = filled(entries).prove(key(entries[0][0]))
    expect(toHex(root!)).toBe(`0x${expected}`)
  })

  test('names a child that is long or has children by its hash', () => {
    const trie = filled([
      ['00', 'aa'.repeat(32)],
      ['80', 'bb'],
      ['c0', 'cc'],
    ])
    const [root, child] = trie.prove(key('80'))
    const left = key(`500600${'aa'.repeat(32)}`)
    expect(left).toHaveLength(35)
    const right = key('4f' + '04500500bb' + '04500500cc' + '08')
    expect(child).toEqual(right)
    const hash = toHex(keccak256(right)).slice(2)
    // 35 bytes of the left child, which is embedded, 12 of the right one, and 8 that the right one embeds: 55.
    expect(toHex(root!)).toBe(`0x4e23${toHex(left).slice(2)}${hash}37`)
  })

  test.each([
    [32, '1f'],
    [40, 'ff28'],
    [152, 'ff98'],
    [160, '20'],
    [376, 'f8'],
    [384, 'fffd8001'],
  ])('writes a path of %i bits with the length %s', (bits, length) => {
    const path = '5a'.repeat(bits / 8)
    const [root] = filled([[path, 'ff']]).prove(key(path))
    expect(toHex(root!)).toBe(`0x50${length}${path}ff`)
  })

  test.each([
    [32, '40', 'inline'],
    [33, '60', 'by its hash and length'],
  ])('has a value of %i bytes %s %s', (length, flags) => {
    const value = new Uint8Array(length).fill(7)
    const [, child] = BinaryTrie.empty.put(key(''), key('01')).put(key('80'), value).prove(key('80'))
    const tail = length > 32 ? `${toHex(keccak256(value)).slice(2)}000021` : toHex(value).slice(2)
    expect(toHex(child!)).toBe(`0x${(Number.parseInt(flags, 16) + 0x10).toString(16)}0600${tail}`)
  })

  test('counts long values in the size of the children', () => {
    const trie = filled([
      ['00', 'aa'.repeat(300)],
      ['80', 'bb'],
    ])
    const [root] = trie.prove(key('80'))
    // 38 bytes of the left node and 300 of its value, 4 of the right one: 342, which takes three bytes.
    expect(toHex(root!).slice(-6)).toBe('fd5601')
  })
})

const short = fc.uint8Array({ minLength: 0, maxLength: 3 })
const value = fc.uint8Array({ minLength: 1, maxLength: 40 })
const edits = fc.array(fc.tuple(short, fc.option(value, { nil: undefined })), { maxLength: 40 })

describe('content', () => {
  test('holds the entries that were put and not deleted, and its hash depends on them only', () => {
    fc.assert(
      fc.property(edits, (steps) => {
        const known = new Map<string, Uint8Array>()
        let trie = BinaryTrie.empty
        for (const [name, given] of steps) {
          trie = given === undefined ? trie.delete(name) : trie.put(name, given)
          if (given === undefined) known.delete(toHex(name))
          else known.set(toHex(name), given)
        }
        let other = BinaryTrie.empty
        for (const [name, given] of [...known].reverse()) {
          expect(trie.get(fromHex(name))).toEqual(given)
          other = other.put(fromHex(name), given)
        }
        for (const [name] of steps) expect(trie.get(name)).toEqual(known.get(toHex(name)))
        expect(toHex(trie.hash())).toBe(toHex(other.hash()))
      }),
    )
  })

  test('deletes every key with a prefix, and no other', () => {
    fc.assert(
      fc.property(fc.array(short), short, (names, beginning) => {
        const fill = (some: readonly Uint8Array[]) =>
          some.reduce((trie, name) => trie.put(name, key('01')), BinaryTrie.empty)
        const begins = (name: Uint8Array) => toHex(name).startsWith(toHex(beginning))
        const kept = fill(names.filter((name) => !begins(name)))
        expect(toHex(fill(names).deleteAll(beginning).hash())).toBe(toHex(kept.hash()))
      }),
    )
  })

  test('of an old trie does not change', () => {
    const before = filled([
      ['80', '01'],
      ['8001', '02'],
    ])
    const hash = before.hash()
    before.put(key('80'), key('03')).delete(key('8001')).hash()
    expect(before.get(key('80'))).toEqual(key('01'))
    expect(before.hash()).toEqual(hash)
  })

  test('with a changed value has another hash, although a node above was hashed before', () => {
    const before = filled([
      ['80', '01'],
      ['8001', '02'],
    ])
    before.hash()
    expect(toHex(before.put(key('8001'), key('03')).hash())).not.toBe(toHex(before.hash()))
  })

  test('is not changed by an empty value at a missing key', () => {
    const trie = filled([['80', '01']])
    expect(trie.put(key('81'), key('')).hash()).toEqual(trie.hash())
    expect(trie.put(key('80'), key('')).hash()).toEqual(BinaryTrie.empty.hash())
  })
})
