import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bigIntToBytes, bytesToBigInt } from '../../lib/base/hex.ts'
import { modularPower } from '../../lib/crypto/modular-power.ts'

/** The power by squaring and multiplying, bit by bit. */
function repeated(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let power = 1n % modulus
  for (const bit of exponent.toString(2)) {
    power = (power * power) % modulus
    if (bit === '1') power = (power * base) % modulus
  }
  return power
}

/** Numbers with a maximum number of bits; numbers with few ones or few zeros are more frequent than by chance. */
const number = (maxBits: number) =>
  fc
    .tuple(
      fc.integer({ min: 1, max: maxBits }),
      fc.bigInt({ min: 0n, max: 2n ** BigInt(maxBits) - 1n }),
      fc.nat(3),
    )
    .map(([bits, value, kind]) => {
      const top = 1n << BigInt(bits - 1)
      return [value, 2n * top - 1n, top, top | BigInt.asUintN(bits, value)][kind] ?? 0n
    })

/** Bits of the largest moduli that the functions of the module take, and of 8 to 65 bytes. */
const LIMITS = [64, 82, 128, 138, 256, 278, 512, 520, 530]

const modulus = fc
  .oneof(
    number(560),
    fc
      .tuple(fc.constantFrom(...LIMITS), fc.integer({ min: -3, max: 3 }))
      .map(([bits, more]) => (1n << BigInt(bits)) + BigInt(more)),
    fc.tuple(number(300), fc.nat(300)).map(([odd, zeros]) => (odd | 1n) << BigInt(zeros)),
    fc.nat(600).map((zeros) => 1n << BigInt(zeros)),
  )
  .filter((value) => value > 0n)

const exponent = fc
  .oneof(fc.constantFrom(0n, 1n, 2n, 3n, 0xffn, 0x100n, 0x10001n), number(300), number(20))
  .chain((value) =>
    fc.nat(3).map((zeros) => Uint8Array.from([...new Uint8Array(zeros), ...bigIntToBytes(value)])),
  )

test('equals repeated squaring and multiplication', () => {
  fc.assert(
    fc.property(
      fc.oneof(number(600), fc.constantFrom(0n, 1n, 2n)),
      exponent,
      modulus,
      (base, power, divisor) => {
        expect(modularPower(base, power, divisor)).toBe(repeated(base, bytesToBigInt(power), divisor))
      },
    ),
    {
      numRuns: 3000,
      examples: [
        [0n, new Uint8Array(0), 1n],
        [2n, Uint8Array.of(8), 256n],
        [6n, Uint8Array.of(1, 0), 2n ** 64n * 3n],
        [6n, Uint8Array.of(1, 0), 2n ** 260n * 3n],
        [4n, Uint8Array.of(1, 1), 2n ** 519n],
      ],
    },
  )
})

test('a base that is a multiple of the modulus, or less than it by one', () => {
  fc.assert(
    fc.property(modulus, exponent, (divisor, power) => {
      const parity = BigInt(power.at(-1) ?? 0) & 1n
      expect(modularPower(3n * divisor, power, divisor)).toBe(bytesToBigInt(power) === 0n ? 1n % divisor : 0n)
      expect(modularPower(divisor - 1n, power, divisor)).toBe(parity === 0n ? 1n % divisor : divisor - 1n)
    }),
  )
})

test.each([
  ['odd', 2n ** 61n - 1n],
  ['even', 3n * 2n ** 60n],
])('an exponent that does not fit the memory at once, with an %s modulus', (_which, divisor) => {
  const long = new Uint8Array(2 ** 15 + 1).fill(0xa5)
  for (const base of [3n, 6n]) {
    expect(modularPower(base, long, divisor)).toBe(repeated(base, bytesToBigInt(long), divisor))
  }
})
