import { describe, expect, test } from '@jest/globals'
import { fromHex, padTo32, toHex } from '../../lib/base/hex.ts'
import { readDerSignature, writeDerSignature } from '../../lib/crypto/secp256k1.ts'

const LONG = `02210080${'11'.repeat(31)}`
const wordOf = (hex: string) => padTo32(fromHex(hex))

describe('signatures in DER', () => {
  test.each([
    ['short numbers', '0x3006020101020102', '0x01', '0x02'],
    ['a number with its first bit set', `0x3026${LONG}020102`, `0x80${'11'.repeat(31)}`, '0x02'],
    ['zero', '0x3006020100020101', '0x', '0x01'],
  ])('are read and written: %s', (_case, der, r, s) => {
    const signature = { r: wordOf(r), s: wordOf(s) }
    expect(readDerSignature(fromHex(der))).toEqual(signature)
    expect(toHex(writeDerSignature(signature))).toBe(der)
  })

  test.each([
    ['no bytes', '0x'],
    ['another type', '0x3106020101020102'],
    ['a missing number', '0x3003020101'],
    ['a negative number', '0x3006020181020102'],
    ['a needless zero', '0x300702020001020102'],
    ['33 bytes that are no padding', `0x302602210180${'11'.repeat(31)}020102`],
    ['a byte too many', '0x300602010102010201'],
  ])('are not read from %s', (_case, der) => {
    expect(readDerSignature(fromHex(der))).toBeUndefined()
  })
})
