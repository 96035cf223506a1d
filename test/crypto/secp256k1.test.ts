import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt, fromHex, toHex } from '../../lib/base/hex.ts'
import { checkedCurve, type Curve } from '../../lib/crypto/curve.ts'
import { curve, curveCandidates, selectCurve } from '../../lib/crypto/secp256k1.ts'
import { describeCrypto } from '../../lib/crypto/describe-crypto.ts'
import { keccakImplementation } from '../../lib/crypto/keccak.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const curves = curveCandidates.map(({ load }) => load())
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
  const [native, wasm, javascript] = curveCandidates
  const load = () => {
    throw new Error("Cannot find package 'x'")
  }
  const missing = { name: 'missing', load }

  test('is native if a build exists and is not left out', () => {
    const asked = curveCandidates.find(({ kind }) => kind === process.env['DEV_NODE_CRYPTO'])
    const builds = ['linux-x64', 'darwin-arm64', 'win32-x64']
    const hasBuild = builds.includes(`${process.platform}-${process.arch}`)
    expect(curve.name).toBe(asked?.name ?? (hasBuild ? 'secp256k1' : 'tiny-secp256k1'))
  })

  test('falls back to WASM, then to JavaScript', () => {
    expect(selectCurve([missing, wasm, javascript]).name).toBe('tiny-secp256k1')
    const last = selectCurve([missing, { ...missing, name: 'gone' }, javascript])
    expect(last.implementation.name).toBe('ethereum-cryptography')
    expect(last.skipped.map(({ name }) => name)).toEqual(['missing', 'gone'])
    expect(last.skipped[0]?.reason).toBe("Cannot find package 'x'")
  })

  test.each([
    ['r', { sign: (...input: SignInput) => ({ ...rawSign(...input), rs: spoil(rawSign(...input).rs, 31) }) }],
    ['s', { sign: (...input: SignInput) => ({ ...rawSign(...input), rs: spoil(rawSign(...input).rs, 63) }) }],
    ['recovered key', { recover: () => new Uint8Array(65).fill(4) }],
    ['recovered key', { recover: () => undefined }],
    ['public key', { publicKey: () => new Uint8Array(65).fill(4) }],
    ['product', { multiply: (point: Uint8Array) => point }],
    ['recovery bit', { sign: (...input: SignInput) => ({ ...rawSign(...input), recovery: 1 }) }],
  ])('skips an implementation with a wrong %s', (_what, fault) => {
    const wrong = { name: 'wrong', load: () => checkedCurve('wrong', { ...raw, ...fault }) }
    const choice = selectCurve([wrong, javascript])
    expect(choice.name).toBe('ethereum-cryptography')
    expect(choice.skipped).toMatchObject([{ name: 'wrong' }])
  })

  test('accepts the same implementation without the fault', () => {
    const right = { name: 'right', load: () => checkedCurve('right', raw) }
    expect(selectCurve([right, native]).name).toBe('right')
  })

  test('is described', () => {
    expect(describeCrypto()).toMatchObject({ keccak: keccakImplementation, secp256k1: curve.name })
    expect(describeCrypto().skipped.every(({ reason }) => reason.length > 0)).toBe(true)
  })
})

type SignInput = Parameters<Curve['sign']>

const spoil = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))

function rawSign(hash: Uint8Array, privateKey: Uint8Array) {
  const { r, s, recovery } = curve.sign(hash, privateKey)
  return { rs: new Uint8Array([...r, ...s]), recovery: recovery as number }
}

/** A correct implementation, to which tests add faults. */
const raw = {
  sign: rawSign,
  recover: (hash: Uint8Array, rs: Uint8Array, recovery: 0 | 1) =>
    new Uint8Array([4, ...curve.recover(hash, { r: rs.slice(0, 32), s: rs.slice(32), recovery })]),
  publicKey: (privateKey: Uint8Array) => new Uint8Array([4, ...curve.publicKey(privateKey)]),
  decompress: (key: Uint8Array) => new Uint8Array([4, ...curve.decodePoint(key)!]),
  add: (left: Uint8Array, right: Uint8Array) =>
    new Uint8Array([4, ...curve.addPoints(left.slice(1), right.slice(1))!]),
  multiply: (point: Uint8Array, scalar: Uint8Array) =>
    new Uint8Array([4, ...curve.multiply(point.slice(1), scalar)!]),
}
