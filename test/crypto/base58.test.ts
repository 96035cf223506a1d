import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { fromBase58Check, toBase58Check } from '../../lib/crypto/base58.ts'

/** Addresses of twenty zero bytes, which have no known key, with the versions of two networks. */
test.each([
  [`0x00${'00'.repeat(20)}`, '1111111111111111111114oLvT2'],
  [`0x6f${'00'.repeat(20)}`, 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8'],
])('%s is encoded as %s', (hex, text) => {
  expect(toBase58Check(fromHex(hex))).toBe(text)
  expect(toHex(fromBase58Check(text)!)).toBe(hex)
})

test('decodes its own encoding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (payload) => {
      expect(fromBase58Check(toBase58Check(payload))).toEqual(payload)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['an invalid letter', '0OIl'],
  ['a wrong checksum', '1111111111111111111114oLvT3'],
  ['too long', '1'.repeat(201)],
])('%s is not base 58', (_, text) => {
  expect(fromBase58Check(text)).toBeUndefined()
})
