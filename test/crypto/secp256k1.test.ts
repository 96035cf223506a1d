import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt, fromHex, toHex } from '../../lib/base/hex.ts'
import { Curve } from '../../lib/crypto/curve.ts'
import {
  chooseCurve,
  curve,
  describeCurve,
  javascriptCurve,
  nativeCurve,
} from '../../lib/crypto/secp256k1.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const curves = [nativeCurve(), javascriptCurve()].map((raw) => new Curve(() => raw))
const random32 = () => new Uint8Array(randomBytes(32))
const sha256 = (text: string) => new Uint8Array(createHash('sha256').update(text).digest())

/** A signature as text, so that a difference is readable. */
function signText(implementation: Curve, hash: Uint8Array, privateKey: Uint8Array): string {
  const { r, s, recovery } = implementation.sign(hash, privateKey)
  return `${toHex(r)} ${toHex(s)} ${recovery}`
}

describe.each(curves.map((implementation) => ({ implementation, name: implementation.name })))(
  'known answers of $name',
  ({ implementation }) => {
    // RFC 6979 over secp256k1 and SHA-256 (trezor-crypto, test_rfc6979).
    test.each([
      [
        '0000000000000000000000000000000000000000000000000000000000000001',
        'Satoshi Nakamoto',
        '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8',
        '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
      ],
      [
        '0000000000000000000000000000000000000000000000000000000000000001',
        'All those moments will be lost in time, like tears in rain. Time to die...',
        '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b',
        '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
      ],
      [
        'f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181',
        'Alan Turing',
        '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c',
        '58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
      ],
    ])('signs deterministically: %s %s', (privateKey, message, r, s) => {
      const signature = implementation.sign(sha256(message), fromHex(`0x${privateKey}`))
      expect([toHex(signature.r), toHex(signature.s)]).toEqual([`0x${r}`, `0x${s}`])
    })

    test('the key 1 is the generator', () => {
      expect(toHex(implementation.publicKey(bigIntToBytes32(1n)))).toBe(
        '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
          '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
      )
    })
  },
)

describe('three implementations', () => {
  test('agree on signatures, keys and recovery, with low s', () => {
    for (let round = 0; round < 100; round++) {
      const [hash, privateKey] = [random32(), random32()]
      const signature = curve.sign(hash, privateKey)
      const publicKey = toHex(curve.publicKey(privateKey))
      expect(new Set(curves.map((each) => signText(each, hash, privateKey))).size).toBe(1)
      expect(new Set(curves.map((each) => toHex(each.publicKey(privateKey))))).toEqual(new Set([publicKey]))
      expect(new Set(curves.map((each) => toHex(each.recover(hash, signature))))).toEqual(
        new Set([publicKey]),
      )
      expect(bytesToBigInt(signature.s) <= ORDER / 2n).toBe(true)
    }
  })

  test('agree on both recovery bits among random signatures', () => {
    const bits = new Set(Array.from({ length: 40 }, () => curve.sign(random32(), random32()).recovery))
    expect(bits).toEqual(new Set([0, 1]))
  })

  test('agree on the recovery from random triples', () => {
    for (let round = 0; round < 100; round++) {
      const [hash, signature] = [random32(), { r: random32(), s: random32(), recovery: 1 } as const]
      expect(new Set(curves.map((each) => recoverText(each, hash, signature))).size).toBe(1)
    }
  })

  test('recover the same signer from the high s of a signature', () => {
    const [hash, privateKey] = [random32(), random32()]
    const { r, s, recovery } = curve.sign(hash, privateKey)
    const flipped = {
      r,
      s: bigIntToBytes32(ORDER - bytesToBigInt(s)),
      recovery: recovery === 0 ? 1 : 0,
    } as const
    const recovered = new Set(curves.map((each) => toHex(each.recover(hash, flipped))))
    expect(recovered).toEqual(new Set([toHex(curve.publicKey(privateKey))]))
  })

  test('verify a signature of its key and hash, with low s only', () => {
    const [hash, privateKey] = [random32(), random32()]
    const { r, s } = curve.sign(hash, privateKey)
    const key = curve.publicKey(privateKey)
    const highS = bigIntToBytes32(ORDER - bytesToBigInt(s))
    const verdicts = curves.map((each) => [
      each.verify(hash, { r, s }, key),
      each.verify(hash, { r, s: highS }, key),
      each.verify(random32(), { r, s }, key),
      each.verify(hash, { r, s }, curve.publicKey(random32())),
      each.verify(hash, { r: bigIntToBytes32(ORDER), s }, key),
      each.verify(hash, { r, s: bigIntToBytes32(0n) }, key),
    ])
    expect(verdicts).toEqual(curves.map(() => [true, false, false, false, false, false]))
  })

  test.each([0n, 1n, ORDER - 1n])('sign and recover the extreme hash %s alike', (value) => {
    const [hash, privateKey] = [bigIntToBytes32(value), random32()]
    const signature = curve.sign(hash, privateKey)
    expect(new Set(curves.map((each) => signText(each, hash, privateKey))).size).toBe(1)
    const recovered = new Set(curves.map((each) => toHex(each.recover(hash, signature))))
    expect(recovered).toEqual(new Set([toHex(curve.publicKey(privateKey))]))
  })

  // Their nonces differ here (libsecp256k1 does not reduce the hash first), but all signatures are valid.
  test.each([ORDER, ORDER + 1n, 2n ** 256n - 1n])(
    "recover each other's signatures of the hash %s",
    (value) => {
      const [hash, privateKey] = [bigIntToBytes32(value), random32()]
      const signatures = curves.map((each) => each.sign(hash, privateKey))
      const recovered = curves.flatMap((each) =>
        signatures.map((signature) => toHex(each.recover(hash, signature))),
      )
      expect(new Set(recovered)).toEqual(new Set([toHex(curve.publicKey(privateKey))]))
    },
  )
})

function recoverText(...[implementation, hash, signature]: [Curve, ...Parameters<Curve['recover']>]): string {
  try {
    return toHex(implementation.recover(hash, signature))
  } catch (error) {
    return String(error)
  }
}

describe('the choice of the curve', () => {
  test('is native if a build exists and is not left out', () => {
    expect(chooseCurve(nativeCurve, '').raw.name).toBe('secp256k1')
    const left = chooseCurve(nativeCurve, 'javascript')
    expect([left.raw.name, left.withoutNative]).toEqual([
      '@noble/curves',
      'left out by DEV_NODE_CRYPTO=javascript',
    ])
  })

  test('falls back to JavaScript and says why', () => {
    const load = () => {
      throw new Error("Cannot find package 'x'\nRequire stack:")
    }
    const { raw: fallback, withoutNative } = chooseCurve(load, '')
    expect([fallback.name, withoutNative]).toEqual(['@noble/curves', "Cannot find package 'x'"])
  })

  test('is described', () => {
    expect(describeCurve()).toMatch(new RegExp(`^secp256k1 ${curve.name}(; native skipped: .+)?$`))
  })
})
