import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import * as hex from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'

const word = fc.bigInt(0n, 2n ** 256n - 1n)

describe('hex', () => {
  test('of bytes is read back to the same bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => hex.equalBytes(hex.fromHex(hex.toHex(bytes)), bytes)))
  })

  test.each([0, 1, 63, 64, 65, 500])('of %d bytes is that of Buffer, in both cases', (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => 7 * index + length)
    const digits = Buffer.from(bytes).toString('hex')
    expect(hex.toHex(bytes)).toBe(`0x${digits}`)
    expect(hex.fromHex(`0x${digits}`)).toEqual(bytes)
    expect(hex.fromHex(`0x${digits.toUpperCase()}`)).toEqual(bytes)
  })

  test('of a window into other bytes is that of the window', () => {
    expect(hex.toHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe('0x0203')
  })

  test.each([
    ['0x', true],
    ['0xaF', true],
    ['0xa', false],
    ['af', false],
    ['0xgg', false],
    ['0X00', false],
  ])('data: %s is %s', (text, expected) => {
    expect(hex.isHexData(text)).toBe(expected)
  })

  test('is read as bytes, and nothing else is, however long', () => {
    const digits = fc.stringMatching(/^[0-9a-fA-F]{0,40}$/).map((text) => `0x${text}`)
    const long = digits.map((text) => `${text}${'5b'.repeat(600)}`)
    // U+0130 has the code of 0 in its low byte.
    const fault = fc.constantFrom('', 'g', ' ', '\u0130', '\u0130\u0130', 'é', '\u{1f600}', '0x')
    fc.assert(
      fc.property(fc.oneof(digits, long), fault, fc.nat(1300), (text, inserted, at) => {
        const given = `${text.slice(0, at)}${inserted}${text.slice(at)}`
        expect(hex.readHex(given)).toEqual(
          hex.isHexData(given) ? new Uint8Array(Buffer.from(given.slice(2), 'hex')) : undefined,
        )
      }),
    )
  })
})

describe('numbers', () => {
  test('survive their minimal, padded and quantity forms', () => {
    fc.assert(
      fc.property(word, (value) => {
        expect(hex.bytesToBigInt(hex.bigIntToBytes(value))).toBe(value)
        expect(hex.bytesToBigInt(hex.bigIntToBytes32(value))).toBe(value)
        expect(hex.bigIntToBytes32(value)).toHaveLength(32)
        expect(BigInt(hex.toWord(value))).toBe(value)
        expect(hex.toQuantity(value)).toBe(`0x${value.toString(16)}`)
      }),
    )
  })

  test('have minimal bytes: none for zero, no leading zero', () => {
    fc.assert(fc.property(word, (value) => hex.bigIntToBytes(value)[0] !== 0))
    expect(hex.bigIntToBytes(0n)).toHaveLength(0)
  })

  test('are the same with and without leading zeros', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), (bytes) => {
        expect(hex.bytesToBigInt(hex.stripZeros(bytes))).toBe(hex.bytesToBigInt(bytes))
        expect(hex.bytesToBigInt(hex.padTo32(bytes))).toBe(hex.bytesToBigInt(bytes))
        expect(hex.stripZeros(bytes)[0]).not.toBe(0)
      }),
    )
  })
})

describe('addresses and hashes', () => {
  test.each([
    ['address', hex.asAddress, 20],
    ['hash', hex.asHash, 32],
  ] as const)('an %s is lower case, of the right length, or an error', (_name, read, length) => {
    expect(read(`0x${'aB'.repeat(length)}`)).toBe(`0x${'ab'.repeat(length)}`)
    for (const wrong of [`0x${'ab'.repeat(length - 1)}`, 'ab'.repeat(length), `0x${'zz'.repeat(length)}`]) {
      expect(() => read(wrong)).toThrow(InvariantError)
    }
  })

  test.each([
    ['address', hex.toAddress, 20],
    ['hash', hex.toHash, 32],
  ] as const)('an %s is made of so many bytes and no other number', (_name, make, length) => {
    expect(make(new Uint8Array(length))).toBe(`0x${'00'.repeat(length)}`)
    expect(() => make(new Uint8Array(length + 1))).toThrow(InvariantError)
  })

  test('more than a word does not fit a word', () => {
    expect(() => hex.padTo32(new Uint8Array(33))).toThrow(InvariantError)
  })
})
