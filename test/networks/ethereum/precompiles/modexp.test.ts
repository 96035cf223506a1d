import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, toHex } from '../../../../lib/base/hex.ts'
import { modexp } from '../../../../lib/networks/ethereum/precompiles/modexp.ts'
import { gasOf, runPrecompile } from '../../../support/precompile-calls.ts'

/** A 32-byte word, without prefix. */
const word = (value: bigint | number) => toHex(bigIntToBytes32(BigInt(value))).slice(2)
const zeros = (bytes: number) => '00'.repeat(bytes)

describe('modexp (EIP-198)', () => {
  const input = (lengths: readonly (bigint | number)[], data = '') => `0x${lengths.map(word).join('')}${data}`
  const P = 2n ** 256n - 2n ** 32n - 977n

  test.each([
    ['3 ** (P - 1) mod P = 1', input([1, 32, 32], `03${word(P - 1n)}${word(P)}`), word(1), 13_056],
    ['0 ** (P - 1) mod P = 0', input([0, 32, 32], `${word(P - 1n)}${word(P)}`), word(0), 13_056],
    [
      '3 ** ffff00 mod 80: cut',
      input([1, 2, 32], '03ffff80'),
      word(0x3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaabn),
      768,
    ],
    ['0 ** 0 mod 5 = 1', input([1, 1, 1], '000005'), '01', 0],
    ['mod 1 = 0', input([1, 1, 1], '030501'), '00', 0],
    ['mod 0 = 0', input([1, 1, 2], '03050000'), '0000', 0],
    ['no base and no modulus', input([0, 5, 0], '01'), '', 0],
    ['nothing', '0x', '', 0],
  ])('%s', (_case, given, output, gas) => {
    expect(runPrecompile(modexp, given)).toBe(`0x${output}`)
    expect(gasOf(modexp, given)).toBe(gas)
  })

  // Exponents with leading, inner and trailing zeros, and moduli that are even, one, and smaller than the base.
  test.each([
    0n,
    1n,
    15n,
    16n,
    0x10001n,
    0xf0f0f0n,
    0x1000000000n,
    2n ** 256n - 1n,
    (2n ** 64n - 1n) << 300n,
  ])('equals repeated multiplication for the exponent %s', (exponent) => {
    for (const base of [0n, 1n, 2n, 12_345n, 2n ** 200n + 7n]) {
      for (const modulus of [1n, 2n, 97n, 2n ** 32n, 2n ** 64n - 59n, P]) {
        let expected = 1n % modulus
        for (const bit of exponent.toString(2)) {
          expected = (expected * expected * (bit === '1' ? base : 1n)) % modulus
        }
        const digits = exponent.toString(16).padStart(96, '0')
        const given = input([32, 48, 32], `${word(base)}${digits}${word(modulus)}`)
        expect(runPrecompile(modexp, given)).toBe(`0x${word(expected)}`)
      }
    }
  })

  // x * x, then x * x / 4 + 96 x - 3072, then x * x / 16 + 480 x - 199680; times the bits of the exponent less one.
  test.each([
    [64, 4096],
    [65, 65 * 16 + 16 + 96 * 65 - 3072],
    [1024, 262_144 + 98_304 - 3072],
    [1025, 65_664 + 492_000 - 199_680],
  ])('numbers of %i bytes cost by length', (length, complexity) => {
    const given = input([length, 32, length], `${zeros(length)}${'ff'.repeat(32)}`)
    expect(gasOf(modexp, given)).toBe(Math.floor((complexity * 255) / 20))
  })

  test('a longer exponent costs eight bits per byte, and the bits of its first word', () => {
    const given = input([1, 40, 32], `03${'00'.repeat(31)}0f${zeros(8)}`)
    expect(gasOf(modexp, given)).toBe(Math.floor((1024 * (8 * 8 + 3)) / 20))
  })

  test.each([
    ['all', [2n ** 256n - 1n, 2n ** 256n - 1n, 2n ** 256n - 1n]],
    ['the base', [2n ** 255n, 1n, 1n]],
    ['the modulus', [1n, 1n, 2n ** 31n]],
  ])('lengths beyond 2^31 - 1 are reduced to it: %s', (_case, lengths) => {
    const most = lengths.map((length) => (length < 2n ** 31n ? length : 2n ** 31n - 1n))
    expect(gasOf(modexp, input(lengths))).toBe(gasOf(modexp, input(most)))
    expect(gasOf(modexp, input(lengths))).toBeGreaterThan(10 ** 15)
  })

  test('a huge exponent costs nothing and returns no data if base and modulus are empty', () => {
    const given = input([0, 2n ** 256n - 1n, 0])
    expect([gasOf(modexp, given), runPrecompile(modexp, given)]).toEqual([0, '0x'])
  })

  test('operands that reach beyond 2^31 - 1 return no data', () => {
    expect(runPrecompile(modexp, input([1, 2n ** 31n - 1n, 1]))).toBe('0x')
  })
})
