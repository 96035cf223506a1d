import { describe, expect, test } from '@jest/globals'
import { bls12_381 } from 'ethereum-cryptography/bls.js'
import { bigIntToBytes32, fromHex, toHex } from '../../lib/base/hex.ts'
import { KZG_MODULUS, kzgSetup, readCompressed } from '../../lib/crypto/kzg.ts'
import { isKzgProven } from '../../lib/crypto/kzg.ts'
import { SIZE } from '../../lib/crypto/pairing-curve.ts'

const bytes = (hex: string) => fromHex(`0x${hex}`)

/** Claims from the tests of other implementations (go-ethereum, revm). */
const CLAIM = {
  commitment: bytes(
    '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
  ),
  place: bytes('564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306'),
  value: bytes('24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1'),
  proof: bytes(
    '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
  ),
}
const OTHER = {
  ...CLAIM,
  place: bigIntToBytes32(KZG_MODULUS - 1n),
  value: bytes('1522a4a7f34e1ea350ae07c29c96c7e79655aa926122e95fe69fcbd932ca49e9'),
  proof: bytes(
    'a62ad71d14c5719385c0686f1871430475bf3a00f0aa3f7b8dd99a9abc2160744faf0070725e00b60ad9a026a15b1a8c',
  ),
}

/** The same point in 96 bytes. */
const withBothCoordinates = (point: Uint8Array) =>
  bls12_381.G1.ProjectivePoint.fromHex(toHex(point).slice(2)).toRawBytes(false)

/** The point at infinity, compressed. */
const NEUTRAL = bytes(`c0${'00'.repeat(47)}`)

/** The point (0, 2), compressed: its order is three. */
const OF_ORDER_THREE = bytes(`80${'00'.repeat(47)}`)

describe('a claim about a polynomial', () => {
  test.each([
    ['one', CLAIM],
    ['another point of the same polynomial', OTHER],
    [
      'zero everywhere',
      { commitment: NEUTRAL, place: CLAIM.place, value: bigIntToBytes32(0n), proof: NEUTRAL },
    ],
  ])('is proven: %s', (_which, claim) => {
    expect(isKzgProven(claim)).toBe(true)
  })

  test.each([
    ['another value', { ...CLAIM, value: OTHER.value }],
    ['the proof of another point', { ...CLAIM, proof: OTHER.proof }],
    ['a value beyond the modulus', { ...CLAIM, value: bigIntToBytes32(KZG_MODULUS) }],
    ['a point beyond the modulus', { ...CLAIM, place: bigIntToBytes32(KZG_MODULUS) }],
    ['a proof that is not a point', { ...CLAIM, proof: new Uint8Array(48).fill(0xff) }],
    ['a commitment of another order', { ...CLAIM, commitment: OF_ORDER_THREE }],
    ['a proof of another order', { ...CLAIM, proof: OF_ORDER_THREE }],
    ['a commitment without the compression flag', { ...CLAIM, commitment: new Uint8Array(48) }],
    ['a commitment that is not compressed', { ...CLAIM, commitment: withBothCoordinates(CLAIM.commitment) }],
  ])('is not proven: %s', (_which, claim) => {
    expect(isKzgProven(claim)).toBe(false)
  })
})

test('a compressed point is read if it has the right order', () => {
  const { curve } = kzgSetup()
  curve.mcl.scope(() => {
    const at = curve.mcl.take(SIZE.g1)
    const areRead = [CLAIM.commitment, CLAIM.proof, NEUTRAL, OF_ORDER_THREE].map((point) =>
      readCompressed(curve, point, at),
    )
    expect(areRead).toEqual([true, true, true, false])
  })
})
