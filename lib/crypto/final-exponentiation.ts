/**
 * The final exponentiation, the last step of a pairing on BLS12-381. It maps the result of the Miller loop to the group GT.
 */

import type { Fp12 } from './fp12.ts'
import { FP12_BYTES } from './fp12-module.ts'

/** Bits after the first one of the absolute value of the curve's parameter x, which is negative. */
export const PARAMETER_BITS = Array.from(0xd201000000010000n.toString(2).slice(1), Number)

/**
 * Whether the final exponentiation of the element is one. The exponent is three times the usual one: with the order r it is
 * (p⁶ - 1) (p² + 1) h, where 3 (p⁴ - p² + 1) / r is h = (x - 1)² (x + p) (x² + p² - 1) + 3 (eprint 2020/875).
 */
export function isFinalExponentiationOne(field: Fp12, element: number): boolean {
  const product = (left: number, right: number): number => field.apply('multiply', left, right)
  const conjugate = (of: number): number => field.apply('conjugate12', of)
  const raisedToModulus = (base: number): number => field.apply('frobenius', base)
  const raisedToSquare = (base: number): number => raisedToModulus(raisedToModulus(base))
  const raisedToX = (base: number): number => conjugate(raisedToParameter(field, base))
  const raisedToXMinus1 = (base: number): number => product(raisedToX(base), conjugate(base))

  const base = unitary(field, element)
  const first = raisedToXMinus1(raisedToXMinus1(base))
  const second = product(raisedToX(first), raisedToModulus(first))
  const third = product(product(raisedToX(raisedToX(second)), raisedToSquare(second)), conjugate(second))
  return field.isOne(product(third, product(base, field.apply('square', base))))
}

/**
 * The element f to the power of (p⁶ - 1) (p² + 1). It is c² c^(2 p²) n^(p⁴) / d with the conjugate c, the norm n = f c over
 * the subfield of degree six and its norm d over Fp2: the only inverse is that of an element of Fp2.
 */
function unitary(field: Fp12, element: number): number {
  const product = (left: number, right: number): number => field.apply('multiply', left, right)
  const raisedToSquare = (base: number): number => field.apply('frobenius', field.apply('frobenius', base))
  const conjugated = field.apply('conjugate12', element)
  const squared = field.apply('square', conjugated)
  const norm = product(element, conjugated)
  const second = raisedToSquare(norm)
  const fourth = raisedToSquare(second)
  const inverse = product(norm, product(second, fourth))
  field.invert(inverse)
  return product(product(squared, raisedToSquare(squared)), product(fourth, inverse))
}

/** A unitary element to the power of the parameter's absolute value. */
function raisedToParameter(field: Fp12, base: number): number {
  let [power, next] = [field.apply('squareUnitary', base), field.take(FP12_BYTES)]
  const step = (name: string, ...operands: readonly number[]): void => {
    field.run(name, next, power, ...operands)
    ;[power, next] = [next, power]
  }
  for (const [index, bit] of PARAMETER_BITS.entries()) {
    if (index > 0) step('squareUnitary')
    if (bit === 1) step('multiply', base)
  }
  return power
}
