import { randomBytes } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { keccak256 as reference } from 'ethereum-cryptography/keccak.js'
import { toHex } from '../../lib/base/hex.ts'
import { keccak256, keccak256InPlace } from '../../lib/crypto/keccak.ts'

const text = (value: string) => new TextEncoder().encode(value)

describe('keccak256', () => {
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
