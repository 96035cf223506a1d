/** Inverts odd numbers modulo powers of two. */

/** The inverse of an odd number modulo 2^bits (Newton's iteration). */
export function inverseModuloBits(odd: bigint, bits: number): bigint {
  let inverse = 1n
  for (let known = 1; known < bits; known *= 2) {
    inverse = BigInt.asUintN(2 * known, inverse * (2n - odd * inverse))
  }
  return BigInt.asUintN(bits, inverse)
}
