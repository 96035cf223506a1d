/** References to blocks. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex, toQuantity } from '../../lib/base/hex.ts'
import { TAGS, simpleBlockRef, blockRef } from '../../lib/schema/requests.ts'

const HASH = `0x${'ab'.repeat(32)}`

describe.each([
  ['blockRef', blockRef],
  ['blockNumber', simpleBlockRef],
])('%s', (_, schema) => {
  test.each(TAGS)('reads %s in any case', (tag) => {
    expect(schema.parse(tag)).toEqual({ tag })
    expect(schema.parse(tag.toUpperCase())).toEqual({ tag })
  })

  test('reads numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (number) => {
        expect(schema.parse(toQuantity(number))).toEqual({ number })
        expect(schema.parse(number.toString())).toEqual({ number })
      }),
      { seed: 33 },
    )
  })

  test('reads 32 bytes as a hash, also those that begin with zeros', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(schema.parse(toHex(bytes))).toEqual({ hash: toHex(bytes), requireCanonical: false })
      }),
      { seed: 33 },
    )
  })

  test.each([
    [''],
    ['newest'],
    ['latest '],
    ['0x'],
    ['-1'],
    [-1],
    [1.5],
    [true],
    [null],
    [undefined],
    [[]],
    [['latest']],
  ])('refuses %j', (value) => {
    expect(schema.safeParse(value).error!.issues[0]!.message).toMatch(/^expected a block/)
  })
})

describe('an object', () => {
  test.each([
    [{ blockNumber: '0x1' }, { number: 1n }],
    [{ blockNumber: 1 }, { number: 1n }],
    [{ blockHash: HASH }, { hash: HASH, requireCanonical: false }],
    [
      { blockHash: HASH, requireCanonical: true },
      { hash: HASH, requireCanonical: true },
    ],
    [
      { blockHash: HASH, requireCanonical: 'true' },
      { hash: HASH, requireCanonical: true },
    ],
    [
      { blockHash: HASH, requireCanonical: 'false' },
      { hash: HASH, requireCanonical: false },
    ],
  ])('%j is a block', (value, expected) => {
    expect(blockRef.parse(value)).toEqual(expected)
  })

  test.each([
    [{}],
    [{ requireCanonical: true }],
    [{ blockHash: HASH, blockNumber: '0x1' }],
    [{ blockNumber: '0x1', requireCanonical: true }],
    [{ blockHash: '0x1' }],
    [{ blockHash: HASH, requireCanonical: 1 }],
    [{ blockNumber: 'latest' }],
    [{ blockNumber: '0x1', number: 1 }],
  ])('%j is refused', (value) => {
    expect(blockRef.safeParse(value).success).toBe(false)
  })

  test('names no block where only numbers and tags do', () => {
    expect(simpleBlockRef.safeParse({ blockNumber: '0x1' }).success).toBe(false)
  })
})
