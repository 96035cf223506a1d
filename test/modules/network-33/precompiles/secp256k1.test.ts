import { describe, expect, test } from '@jest/globals'
import { SigningKey } from 'ethers'
import { bigIntToBytes32, toHex } from '../../../../lib/base/hex.ts'
import { PrecompileFailure } from '../../../../lib/evm/precompile.ts'
import {
  secp256k1Add,
  secp256k1Multiply,
} from '../../../../lib/modules/network-33/precompiles/precompiles.ts'
import { gasOf, runPrecompile } from '../../../support/precompile-calls.ts'

const FIELD = 2n ** 256n - 2n ** 32n - 977n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint | number) => toHex(bigIntToBytes32(BigInt(value))).slice(2)
const INFINITY = '00'.repeat(64)

/** A multiple of the generator, which is the public key of the factor. */
const times = (factor: bigint | number) => new SigningKey(`0x${word(factor)}`).publicKey.slice(4)

describe('secp256k1Add', () => {
  test.each([
    ['two points', times(1) + times(2), times(3)],
    ['a point twice', times(7) + times(7), times(14)],
    ['a point and its opposite', times(1) + times(ORDER - 1n), INFINITY],
    ['a point and infinity', times(5) + INFINITY, times(5)],
    ['infinity and a point', INFINITY + times(5), times(5)],
    ['infinity and infinity', INFINITY + INFINITY, INFINITY],
    ['a point and missing bytes', times(5), times(5)],
    ['nothing', '', INFINITY],
    ['two points and more bytes', `${times(1)}${times(2)}ffff`, times(3)],
  ])('adds %s', (_case, input, output) => {
    expect(runPrecompile(secp256k1Add, `0x${input}`)).toBe(`0x${output}`)
    expect(gasOf(secp256k1Add, `0x${input}`)).toBe(150)
  })
})

describe('secp256k1Multiply', () => {
  test.each([
    ['by one', times(5) + word(1), times(5)],
    ['by a number', times(5) + word(123_456_789), times(617_283_945)],
    ['by zero', times(5) + word(0), INFINITY],
    ['by the order', times(5) + word(ORDER), INFINITY],
    ['by more than the order', times(5) + word(ORDER + 2n), times(10)],
    ['by a missing number', times(5), INFINITY],
    ['infinity', INFINITY + word(3), INFINITY],
    ['and ignores further bytes', `${times(5)}${word(2)}ff`, times(10)],
  ])('multiplies %s', (_case, input, output) => {
    expect(runPrecompile(secp256k1Multiply, `0x${input}`)).toBe(`0x${output}`)
    expect(gasOf(secp256k1Multiply, `0x${input}`)).toBe(3000)
  })

  test('a truncated number is padded with zeros', () => {
    const input = `0x${times(1)}01`
    expect(runPrecompile(secp256k1Multiply, input)).toBe(`0x${times(1n << 248n)}`)
  })
})

describe('coordinates off the curve are rejected', () => {
  test.each([
    ['a wrong y', word(1) + word(1)],
    ['only y', word(0) + word(1)],
    // y for x = 1, and the same x beyond the field.
    ['an x outside the field', word(FIELD + 1n) + times(1).slice(64)],
    ['a y outside the field', times(1).slice(0, 64) + word(2n ** 256n - 1n)],
  ])('%s', (_case, point) => {
    expect(() => runPrecompile(secp256k1Add, `0x${point}`)).toThrow(PrecompileFailure)
    expect(() => runPrecompile(secp256k1Add, `0x${times(1)}${point}`)).toThrow(PrecompileFailure)
    expect(() => runPrecompile(secp256k1Multiply, `0x${point}${word(0)}`)).toThrow(PrecompileFailure)
  })
})
