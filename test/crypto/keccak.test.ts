import { randomBytes } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { keccak256 as reference } from 'ethereum-cryptography/keccak.js'
import { toHex } from '../../lib/base/hex.ts'
import {
  keccak256,
  keccak256InPlace,
  keccakCandidates,
  keccakImplementation,
  selectKeccak,
} from '../../lib/crypto/keccak.ts'

const text = (value: string) => new TextEncoder().encode(value)
const implementations = keccakCandidates.map(({ name, load }) => ({ name, hash: load() }))

describe.each(implementations)('keccak256 of $name', ({ hash }) => {
  // A block has 136 bytes; the figures around it are those of js-sha3.
  test.each([
    ['nothing', text(''), '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', text('abc'), '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['cow', text('cow'), '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4'],
    ['135 zeros', new Uint8Array(135), '0x29e3704feeca7fb9ba229f0fa04d9b36449cf3ad6e1d85d9cfff3a10df9abc3e'],
    ['136 zeros', new Uint8Array(136), '0x3a5912a7c5faa06ee4fe906253e339467a9ce87d533c65be3c15cb231cdb25f9'],
    ['137 zeros', new Uint8Array(137), '0xbee7fbb405cb0d91a8775e338c4a5e4b5d6b2d051f687fa942043cffdc73bd28'],
  ])('knows the hash of %s', (_case, data, expected) => {
    expect(toHex(hash(data))).toBe(expected)
  })

  test('agrees with the reference at every length up to four blocks and beyond the WASM buffer', () => {
    for (const length of [...Array(600).keys(), 54_399, 54_400, 54_401, 108_800, 200_000]) {
      const data = new Uint8Array(randomBytes(length))
      expect(toHex(hash(data))).toBe(toHex(reference(data)))
    }
  })

  test.each([
    ['a Buffer', Buffer.from('abc')],
    ['a view into a larger buffer', text('xxabcxx').subarray(2, 5)],
    ['an array of another realm', runInNewContext('Uint8Array.from([97, 98, 99])')],
    ['a subclass of another realm', runInNewContext('new (class Bytes extends Uint8Array {})([97, 98, 99])')],
  ])('accepts %s', (_case, data) => {
    expect(toHex(hash(data))).toBe(toHex(reference(text('abc'))))
  })
})

describe('keccak256', () => {
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

describe('the choice of keccak256', () => {
  const [wasm, javascript] = keccakCandidates

  test('is WASM if it runs and is not left out', () => {
    const isLeftOut = process.env['DEV_NODE_CRYPTO'] === 'javascript'
    expect(keccakImplementation).toBe(isLeftOut ? 'ethereum-cryptography' : 'WebAssembly')
    expect(toHex(keccak256(text('abc')))).toBe(toHex(reference(text('abc'))))
  })

  test('falls back to JavaScript if WASM does not load', () => {
    const load = () => {
      throw new Error('no WebAssembly\nhere')
    }
    const broken = { name: 'broken', load }
    const choice = selectKeccak([broken, javascript])
    expect(choice.name).toBe('ethereum-cryptography')
    expect(choice.skipped).toEqual([{ name: 'broken', reason: 'no WebAssembly' }])
  })

  test('skips an implementation with a wrong result', () => {
    const wrong = { name: 'wrong', load: () => () => new Uint8Array(32) }
    const choice = selectKeccak([wrong, wasm])
    expect(choice.name).toBe('WebAssembly')
    expect(choice.skipped[0]?.reason).toMatch(/keccak256 of no bytes is 0x0000/)
  })
})
