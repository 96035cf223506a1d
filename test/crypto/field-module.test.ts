import { describe, expect, test } from '@jest/globals'
import { bytesToBigInt } from '../../lib/base/hex.ts'
import { BLS_MODULUS } from '../../lib/crypto/bls12-381.ts'
import { fieldModule } from '../../lib/crypto/field-module.ts'
import { sha256 } from '../../lib/crypto/sha256.ts'
import { compileWasm, startWasm, wasmMemory } from '../../lib/crypto/wasm.ts'

/** R of the Montgomery form, and its inverse. */
const R = 2n ** 384n
const INVERSE = raised(R % BLS_MODULUS, BLS_MODULUS - 2n)

/** Bytes of an element, and addresses of operands and result in memory. */
const BYTES = 48
const [LEFT, RIGHT, RESULT] = [0, BYTES, 4 * BYTES]

function raised(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n
  const root = raised((base * base) % BLS_MODULUS, exponent >> 1n)
  return (exponent & 1n) === 1n ? (root * base) % BLS_MODULUS : root
}

const random = (seed: number, bytes: number): bigint =>
  Array.from({ length: bytes / 32 }, (_, index) => bytesToBigInt(sha256(Buffer.from([seed, index])))).reduce(
    (number, part) => (number << 256n) + part,
    0n,
  )

const EXTREMES = [0n, 1n, 2n ** 30n - 1n, 2n ** 360n, BLS_MODULUS - 1n, BLS_MODULUS - 2n]
const ELEMENTS = [...EXTREMES, ...Array.from({ length: 30 }, (_, seed) => random(seed, 64) % BLS_MODULUS)]
const PAIRS = ELEMENTS.flatMap((left) => ELEMENTS.map((right) => [left, right] as const))

/** Runs a function of the module on consecutive numbers in memory. */
function runner() {
  const { exports, bytes } = startWasm(compileWasm(fieldModule(BLS_MODULUS)), wasmMemory(1))
  return (name: string, operands: readonly bigint[], length: number): bigint => {
    for (const [index, operand] of operands.entries()) {
      const digits = operand.toString(16).padStart(4 * BYTES, '0')
      bytes().set(Buffer.from(digits, 'hex').reverse(), LEFT + index * BYTES)
    }
    // Memory after an operand must not matter.
    bytes().fill(0xff, LEFT + (operands.length + 1) * BYTES, RESULT + 4 * BYTES)
    exports[name]!(...(name.startsWith('multiply') ? [RESULT, LEFT, RIGHT, 0] : [RESULT, LEFT, 0]))
    return bytesToBigInt(
      bytes()
        .slice(RESULT, RESULT + length)
        .reverse(),
    )
  }
}

describe('the arithmetic of the field of BLS12-381', () => {
  const run = runner()

  test('multiplies with reduction (times R to the power of -1) and without', () => {
    for (const [left, right] of PAIRS) {
      expect(run('multiply', [left, right], BYTES)).toBe((left * right * INVERSE) % BLS_MODULUS)
      expect(run('multiplyUnreduced', [left, right], 2 * BYTES)).toBe(left * right)
    }
  })

  test('squares with reduction and without', () => {
    for (const value of ELEMENTS) {
      expect(run('square', [value], BYTES)).toBe((value * value * INVERSE) % BLS_MODULUS)
      expect(run('squareUnreduced', [value], 2 * BYTES)).toBe(value * value)
    }
  })

  test('reduces every number below R times the modulus', () => {
    const limit = R * BLS_MODULUS
    const numbers = Array.from({ length: 200 }, (_, seed) => random(seed, 96) % limit)
    for (const value of [0n, 1n, BLS_MODULUS, R, R - 1n, limit - 1n, limit - BLS_MODULUS, ...numbers]) {
      expect(run('reduce', [value], BYTES)).toBe((value * INVERSE) % BLS_MODULUS)
    }
  })
})
