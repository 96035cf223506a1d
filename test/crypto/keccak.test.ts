import { randomBytes } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { keccak256 as reference } from 'ethereum-cryptography/keccak.js'
import { toHex } from '../../lib/base/hex.ts'
import { keccak256, keccak256InPlace } from '../../lib/crypto/keccak.ts'

const text = (value: string) => new TextEncoder().encode(value)

describe('keccak256', () => {
  // A block has 136 bytes; the figures around it are those of js-sha3.
  test.each([
    ['nothing', text(''), '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', text('abc'), '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['cow', text('cow'), '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4'],
    ['135 zeros', new Uint8Array(135), '0x29e3704feeca7fb9ba229f0fa04d9b36449cf3ad6e1d85d9cfff3a10df9abc3e'],
    ['136 zeros', new Uint8Array(136), '0x3a5912a7c5faa06ee4fe906253e339467a9ce87d533c65be3c15cb231cdb25f9'],
    ['137 zeros', new Uint8Array(137), '0xbee7fbb405cb0d91a8775e338c4a5e4b5d6b2d051f687fa942043cffdc73bd28'],
  ])('knows the hash of %s', (_case, data, expected) => {
    expect(toHex(keccak256(data))).toBe(expected)
  })

  test('agrees with the reference at every length up to four blocks and beyond the WASM buffer', () => {
    for (const length of [...Array(600).keys(), 54_399, 54_400, 54_401, 108_800, 200_000]) {
      const data = new Uint8Array(randomBytes(length))
      expect(toHex(keccak256(data))).toBe(toHex(reference(data)))
    }
  })

  test.each([
    ['a Buffer', Buffer.from('abc')],
    ['a view into a larger buffer', text('xxabcxx').subarray(2, 5)],
    ['an array of another realm', runInNewContext('Uint8Array.from([97, 98, 99])')],
    ['a subclass of another realm', runInNewContext('new (class Bytes extends Uint8Array {})([97, 98, 99])')],
  ])('accepts %s', (_case, data) => {
    expect(toHex(keccak256(data))).toBe(toHex(reference(text('abc'))))
  })

  test('returns a new array each time', () => {
    const first = keccak256(text('abc'))
    const before = toHex(first)
    keccak256(text('cow'))
    expect(toHex(first)).toBe(before)
    expect(first.buffer.byteLength).toBe(32)
  })

  test('equals the variant whose result the next hash overwrites', () => {
    expect(toHex(keccak256InPlace(text('abc')))).toBe(toHex(keccak256(text('abc'))))
  })
})
