import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { fromBase58Check, toBase58Check } from '../../lib/crypto/base58.ts'

/** Addresses whose keys are known to be nobody's: twenty zeros, with the versions of two networks. */
test.each([
  [`0x00${'00'.repeat(20)}`, '1111111111111111111114oLvT2'],
  [`0x6f${'00'.repeat(20)}`, 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8'],
])('%s is written %s', (hex, text) => {
  expect(toBase58Check(fromHex(hex))).toBe(text)
  expect(toHex(fromBase58Check(text)!)).toBe(hex)
})

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (payload) => {
      expect(fromBase58Check(toBase58Check(payload))).toEqual(payload)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['a letter that is none', '0OIl'],
  ['a wrong check sum', '1111111111111111111114oLvT3'],
  ['too long', '1'.repeat(201)],
])('%s is no base 58', (_, text) => {
  expect(fromBase58Check(text)).toBeUndefined()
})
