import { describe, expect, test } from '@jest/globals'
import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import { decodeRlp, encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { Trie } from '../../lib/state/trie.ts'

type Edit = readonly [key: Uint8Array, value: Uint8Array | undefined]

const NOTHING = new Trie((value: Uint8Array) => value)

const byte = fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xff)
/** Keys of one to four bytes that share many prefixes, of which none is the beginning of another, as those of receipts. */
const anyKey = fc.array(byte, { maxLength: 3 }).map((bytes) => encodeRlp(Uint8Array.from(bytes)))
/** Values short enough to make nodes that fit into their parents, and longer ones. */
const anyValue = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.uint8Array({ minLength: 30, maxLength: 70 }),
)
const anyEdit = fc.tuple(anyKey, fc.option(anyValue, { nil: undefined }))
const anyEdits = fc.array(anyEdit, { maxLength: 60 })

function edit(trie: Trie<Uint8Array>, [key, value]: Edit): Trie<Uint8Array> {
  return value === undefined ? trie.delete(key) : trie.put(key, value)
}

function mapOf(edits: readonly Edit[]): Map<string, Uint8Array> {
  const map = new Map<string, Uint8Array>()
  for (const [key, value] of edits) {
    if (value === undefined) map.delete(toHex(key))
    else map.set(toHex(key), value)
  }
  return map
}

const entriesOf = (trie: Trie<Uint8Array>) =>
  Array.from(trie.entries(), ([key, value]) => [toHex(key), value])

describe('trie', () => {
  test('has the root of the reference implementation after any edits', async () => {
    await fc.assert(
      fc.asyncProperty(anyEdits, async (edits) => {
        const reference = await createMPT()
        for (const [key, value] of mapOf(edits)) await reference.put(fromHex(key), value)
        let trie = NOTHING
        for (const next of edits) {
          trie = edit(trie, next)
          trie.hash()
        }
        expect(toHex(trie.hash())).toBe(toHex(reference.root()))
      }),
      { numRuns: 300 },
    )
  })

  test('holds the entries of a map in key order', () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const trie = edits.reduce(edit, NOTHING)
        const map = mapOf(edits)
        expect(entriesOf(trie)).toEqual([...map].toSorted(([left], [right]) => (left < right ? -1 : 1)))
        expect(trie.isEmpty).toBe(map.size === 0)
        for (const [key] of edits) expect(trie.get(key)).toBe(map.get(toHex(key)))
      }),
      { numRuns: 300 },
    )
  })

  test('begins the entries at the first key that is not below the start', () => {
    fc.assert(
      fc.property(anyEdits, anyKey, (edits, start) => {
        const trie = edits.reduce(edit, NOTHING)
        const keys = Array.from(trie.entries(start), ([key]) => toHex(key))
        const expected = entriesOf(trie).flatMap(([key]) => (String(key) >= toHex(start) ? [key] : []))
        expect(keys).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('is not changed by edits', () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, fc.boolean(), (first, second, hashBefore) => {
        const trie = first.reduce(edit, NOTHING)
        const before = entriesOf(trie)
        if (hashBefore) trie.hash()
        second.reduce(edit, trie).hash()
        expect(entriesOf(trie)).toEqual(before)
        expect(toHex(trie.hash())).toBe(toHex(first.reduce(edit, NOTHING).hash()))
      }),
    )
  })

  test('is returned itself when a missing key is deleted', () => {
    const trie = NOTHING.put(Uint8Array.of(0x12, 0x34), Uint8Array.of(1)).put(
      Uint8Array.of(0x12, 0x43),
      Uint8Array.of(2),
    )
    const missing = [
      [0x13, 0x34],
      [0x12, 0x35],
      [0x12, 0x44],
      [0x12, 0x53],
    ]
    for (const key of missing) expect(trie.delete(Uint8Array.from(key))).toBe(trie)
    expect(NOTHING.delete(Uint8Array.of(1))).toBe(NOTHING)
  })

  test('refuses a key that is the beginning of another', () => {
    const trie = NOTHING.put(Uint8Array.of(0x12, 0x34), Uint8Array.of(1))
    expect(() => trie.put(Uint8Array.of(0x12), Uint8Array.of(2))).toThrow(InvariantError)
    expect(() => trie.put(Uint8Array.of(0x12, 0x34, 0x56), Uint8Array.of(2))).toThrow(InvariantError)
  })

  test('encodes a value once, however often it is hashed', () => {
    let calls = 0
    const counting = new Trie((value: Uint8Array) => {
      calls++
      return value
    })
    const first = counting.put(Uint8Array.of(1, 2), new Uint8Array(40))
    first.hash()
    first.put(Uint8Array.of(2, 2), new Uint8Array(40)).hash()
    first.put(Uint8Array.of(3, 2), new Uint8Array(40)).hash()
    // One leaf moves a level down in each of the two later tries.
    expect(calls).toBe(1 + 2 + 2)
  })
})

describe('proof', () => {
  test('of any key in any trie is accepted by the reference implementation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 30 }), anyKey, async (edits, key) => {
        const trie = edits.reduce(edit, NOTHING)
        fc.pre(!trie.isEmpty)
        const value = await verifyMPTWithMerkleProof(await createMPT(), trie.hash(), key, trie.prove(key))
        expect(value ?? undefined).toEqual(trie.get(key))
      }),
      { numRuns: 300 },
    )
  })

  test('lists a root shorter than a hash, and no other node that is', () => {
    const trie = NOTHING.put(Uint8Array.of(0x11), Uint8Array.of(1)).put(Uint8Array.of(0x21), Uint8Array.of(2))
    const proof = trie.prove(Uint8Array.of(0x11))
    expect(proof.map(toHex)).toEqual([toHex(encodeRlp(decodeRlp(proof[0]!)))])
    expect(proof[0]!.length).toBeLessThan(32)
    expect(keccak256(proof[0]!)).toEqual(trie.hash())
  })
})
