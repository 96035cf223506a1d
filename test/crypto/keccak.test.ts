import { expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { keccak256, keccakImplementation } from '../../lib/crypto/keccak.ts'

test('the fast implementation runs', () => {
  expect(keccakImplementation).toBe('hash-wasm')
  expect(toHex(keccak256(new Uint8Array(0)))).toBe(
    '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  )
})
