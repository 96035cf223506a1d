/** Compares the curves of mcl with those of noble, also for special points. */

import { NobleBLS } from '@ethereumjs/evm'
import { describe, expect, test } from '@jest/globals'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { bigIntToBytes32, toHex } from '../../lib/base/hex.ts'
import { bls12381, mapToPoint } from '../../lib/crypto/bls12-381.ts'
import * as bn from '../../lib/crypto/bn254.ts'
import { PointError, type Group } from '../../lib/crypto/pairing-curve.ts'
import { sha256 } from '../../lib/crypto/sha256.ts'

const noble = new NobleBLS()
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const padded = (value: bigint, bytes: number): Uint8Array =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex'))
const element = (value: bigint): Uint8Array => padded(value, 64)
const word = bigIntToBytes32
const seeds = Array.from({ length: 6 }, (_, index) => index + 1)
const random = (seed: number): bigint => BigInt(toHex(sha256(word(BigInt(seed)))))

/** Result of a calculation, or its rejection. */
function outcome(calculate: () => Uint8Array): string {
  try {
    return toHex(calculate())
  } catch {
    return 'refused'
  }
}

type Fp2 = ReturnType<typeof bls12_381.fields.Fp2.create>

/** A point of the curve that is most probably not in the subgroup. */
function strayPoint(group: Group, seed: number): Uint8Array {
  const { Fp, Fp2 } = bls12_381.fields
  for (let x = random(seed); ; x++) {
    try {
      if (group === 'g1') return join(element(x), element(Fp.sqrt(Fp.create(x ** 3n + 4n))))
      const at: Fp2 = { c0: x, c1: 1n }
      const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(at), at), { c0: 4n, c1: 4n }))
      return join(...[at.c0, at.c1, y.c0, y.c1].map(element))
    } catch {
      // Without a square root it tries the next.
    }
  }
}

const negative = (point: Uint8Array): Uint8Array => {
  const half = point.length / 2
  const parts = Array.from({ length: half / 64 }, (_, index) => {
    const y = BigInt(toHex(point.subarray(half + 64 * index, half + 64 * (index + 1))))
    return element(y === 0n ? 0n : bls12_381.fields.Fp.ORDER - y)
  })
  return join(point.subarray(0, half), ...parts)
}

describe.each([
  {
    group: 'g1' as const,
    point: (seed: number) => noble.mapFPtoG1(element(random(seed))),
    mapped: (seed: number) => [
      mapToPoint('g1', element(random(seed))),
      noble.mapFPtoG1(element(random(seed))),
    ],
    add: (input: Uint8Array) => noble.addG1(input),
    multiplyAll: (input: Uint8Array) => noble.msmG1(input),
  },
  {
    group: 'g2' as const,
    point: (seed: number) => noble.mapFP2toG2(join(element(random(seed)), element(random(seed + 1)))),
    mapped: (seed: number) => {
      const input = join(element(random(seed)), element(random(seed + 1)))
      return [mapToPoint('g2', input), noble.mapFP2toG2(input)]
    },
    add: (input: Uint8Array) => noble.addG2(input),
    multiplyAll: (input: Uint8Array) => noble.msmG2(input),
  },
])('BLS12-381, $group', ({ group, point, mapped, add, multiplyAll }) => {
  const curve = bls12381()
  const infinity = new Uint8Array(curve.pointBytes(group))
  const stray = strayPoint(group, 1)
  const off = point(1)
  off.set([1], off.length - 1)

  test.each(seeds)('maps an element to the same point: %i', (seed) => {
    const [ours, theirs] = mapped(seed)
    expect(toHex(ours!)).toBe(toHex(theirs!))
  })

  test.each([
    ['two points', point(1), point(2)],
    ['a point twice', point(1), point(1)],
    ['a point and its negative', point(1), negative(point(1))],
    ['infinity and a point', infinity, point(3)],
    ['infinity twice', infinity, infinity],
    ['points of another order', stray, strayPoint(group, 2)],
    ['a point of another order and its negative', stray, negative(stray)],
    ['coordinates off the curve', off, point(1)],
  ])('adds as noble does: %s', (_case, left, right) => {
    const input = join(left, right)
    expect(outcome(() => curve.add(group, input))).toBe(outcome(() => add(input)))
  })

  const order = bls12_381.fields.Fr.ORDER
  test.each([
    ['one term', [[point(1), random(1)]]],
    ['two terms', [[point(1), random(1)], [point(2), random(2)]]], // oxfmt-ignore
    ['many terms', seeds.map((seed) => [point(seed), random(seed)])],
    ['a point times zero', [[point(1), 0n]]],
    ['a point times the order', [[point(1), order]]],
    ['a point times more than the order', [[point(1), 2n ** 256n - 1n]]],
    ['infinity among others', [[infinity, 5n], [point(1), 7n], [infinity, 0n]]], // oxfmt-ignore
    ['terms that cancel', [[point(1), 7n], [negative(point(1)), 7n]]], // oxfmt-ignore
    ['the same point often', seeds.map((seed) => [point(1), random(seed)])],
    ['a point of another order', [[point(1), 7n], [stray, 7n]]], // oxfmt-ignore
    ['a point of another order times zero', [[stray, 0n]]],
    ['coordinates off the curve', [[off, 1n]]],
  ] as [string, [Uint8Array, bigint][]][])('multiplies as noble does: %s', (_case, terms) => {
    const input = join(...terms.map(([base, factor]) => join(base, word(factor))))
    expect(outcome(() => curve.multiplyAll(group, input))).toBe(outcome(() => multiplyAll(input)))
  })

  test.each(seeds)('refuses points of another order: %i', (seed) => {
    const input = join(strayPoint(group, seed + 10), word(1n))
    expect(() => curve.multiplyAll(group, input)).toThrow(PointError)
    expect(outcome(() => multiplyAll(input))).toBe('refused')
  })
})

describe('pairings of BLS12-381', () => {
  const curve = bls12381()
  const g1 = (seed: number): Uint8Array => noble.mapFPtoG1(element(random(seed)))
  const g2 = (seed: number): Uint8Array => noble.mapFP2toG2(join(element(random(seed)), element(1n)))
  const [no1, no2] = [new Uint8Array(128), new Uint8Array(256)]

  test.each([
    ['one pair', [g1(1), g2(1)], false],
    ['a pair and its inverse', [g1(1), g2(1), negative(g1(1)), g2(1)], true],
    ['the same with infinity between', [g1(1), g2(1), no1, g2(2), g1(1), no2, g1(1), negative(g2(1))], true],
    ['infinity', [no1, no2], true],
  ])('%s', (_case, points, isOne) => {
    expect(curve.isPairingOne(join(...points))).toBe(isOne)
  })

  test.each([
    ['a first point of another order', [strayPoint('g1', 1), g2(1)]],
    ['a second point of another order', [g1(1), strayPoint('g2', 1)]],
    ['one paired with infinity', [no1, strayPoint('g2', 1)]],
  ])('refuses %s', (_case, points) => {
    expect(() => curve.isPairingOne(join(...points))).toThrow(PointError)
  })
})

describe('BN254', () => {
  const { G1, G2, fields } = bn254
  const written = ({ x, y }: { x: bigint; y: bigint }): Uint8Array => join(word(x), word(y))
  const point = (seed: number): Uint8Array => written(G1.Point.BASE.multiply(random(seed) % fields.Fr.ORDER))
  const twist = (seed: number): Uint8Array => {
    const { x, y } = G2.Point.BASE.multiply(random(seed) % fields.Fr.ORDER)
    return join(word(x.c1), word(x.c0), word(y.c1), word(y.c0))
  }
  const minus = (base: Uint8Array): Uint8Array =>
    join(base.subarray(0, 32), word(fields.Fp.ORDER - BigInt(toHex(base.subarray(32)))))

  test.each(seeds)('multiplies and adds as noble does: %i', (seed) => {
    const factor = random(seed + 50)
    const expected = G1.Point.fromAffine({
      x: BigInt(toHex(point(seed).subarray(0, 32))),
      y: BigInt(toHex(point(seed).subarray(32))),
    })
      .multiplyUnsafe(factor % fields.Fr.ORDER)
      .add(G1.Point.BASE)
    const product = bn.multiplyPoint(join(point(seed), word(factor)))
    expect(toHex(bn.bn254().add('g1', join(product, word(1n), word(2n))))).toBe(
      toHex(written(expected.toAffine())),
    )
  })

  test.each(seeds)('pairings cancel: %i', (seed) => {
    const pairs = join(point(seed), twist(seed), minus(point(seed)), twist(seed))
    expect(bn.bn254().isPairingOne(pairs)).toBe(true)
    expect(bn.bn254().isPairingOne(join(point(seed), twist(seed)))).toBe(false)
    expect(bn.bn254().isPairingOne(join(pairs, new Uint8Array(64), twist(2)))).toBe(true)
  })

  /** A point of the twist that is most probably of another order. */
  function stray(seed: number): Uint8Array {
    const { Fp2 } = fields
    const b = Fp2.div({ c0: 3n, c1: 0n }, { c0: 9n, c1: 1n })
    for (let x = random(seed) % fields.Fp.ORDER; ; x++) {
      try {
        const at = { c0: x, c1: 1n }
        const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(at), at), b))
        return join(word(at.c1), word(at.c0), word(y.c1), word(y.c0))
      } catch {
        // Without a square root it tries the next.
      }
    }
  }

  test.each(seeds)('refuses a point of another order: %i', (seed) => {
    expect(() => bn.bn254().isPairingOne(join(point(1), stray(seed)))).toThrow('no point of the right order')
    expect(() => bn.bn254().isPairingOne(join(new Uint8Array(64), stray(seed)))).toThrow(PointError)
  })
})
