/** Products of words, and powers. Results replace the second operand. */

import { byteLength, copy, set } from './words'

const LOW: u64 = 0xffffffff

const BASE: usize = memory.data(32, 16)
const POWER: usize = memory.data(32, 16)
const EXPONENT: usize = memory.data(32, 16)

/** The upper half of a product of two limbs. */
// @ts-ignore: decorator
@inline
function upper(a: u64, b: u64): u64 {
  const aLow = a & LOW
  const aHigh = a >> 32
  const bLow = b & LOW
  const bHigh = b >> 32
  const middle = aHigh * bLow + ((aLow * bLow) >> 32)
  const other = aLow * bHigh + (middle & LOW)
  return aHigh * bHigh + (middle >> 32) + (other >> 32)
}

/** b = a * b, one row for each limb of a. A limb that is zero, as in most numbers, has no row. */
export function multiply(a: usize, b: usize): void {
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  let limb = load<u64>(a)
  let low: u64 = 0
  let carry: u64 = 0
  let product0 = limb * b0
  let product1: u64 = 0
  let product2: u64 = 0
  let product3: u64 = 0
  if (limb) {
    product1 = upper(limb, b0)
    if (b1) {
      low = limb * b1
      product1 += low
      product2 = upper(limb, b1) + u64(product1 < low)
    }
    if (b2) {
      low = limb * b2
      product2 += low
      product3 = upper(limb, b2) + u64(product2 < low)
    }
    product3 += limb * b3
  }
  limb = load<u64>(a, 8)
  if (limb) {
    low = limb * b0
    product1 += low
    carry = upper(limb, b0) + u64(product1 < low)
    product2 += carry
    let next = u64(product2 < carry)
    low = limb * b1
    product2 += low
    next += upper(limb, b1) + u64(product2 < low)
    product3 += limb * b2 + next
  }
  limb = load<u64>(a, 16)
  if (limb) {
    low = limb * b0
    product2 += low
    product3 += upper(limb, b0) + u64(product2 < low) + limb * b1
  }
  product3 += load<u64>(a, 24) * b0
  store<u64>(b, product0)
  store<u64>(b, product1, 8)
  store<u64>(b, product2, 16)
  store<u64>(b, product3, 24)
}

/** All 512 bits of a product, in digits of 32 bits. */
export function multiplyWide(a: usize, b: usize, product: usize): void {
  memory.fill(product, 0, 64)
  for (let i: usize = 0; i < 32; i += 4) {
    const digit: u64 = load<u32>(a + i)
    if (!digit) continue
    let carry: u64 = 0
    for (let j: usize = 0; j < 32; j += 4) {
      const at = product + i + j
      const sum = digit * <u64>load<u32>(b + j) + <u64>load<u32>(at) + carry
      store<u32>(at, <u32>sum)
      carry = sum >> 32
    }
    store<u32>(product + i + 32, <u32>carry)
  }
}

/** exponent = base ** exponent, by squaring. */
export function raise(base: usize, exponent: usize): void {
  copy(BASE, base)
  copy(EXPONENT, exponent)
  set(POWER, 1)
  const bytes = byteLength(EXPONENT)
  for (let i: i32 = 0; i < bytes; i++) {
    const bits = load<u8>(EXPONENT + i)
    for (let bit: u8 = 0; bit < 8; bit++) {
      if ((bits >> bit) & 1) multiply(BASE, POWER)
      multiply(BASE, BASE)
    }
  }
  copy(exponent, POWER)
}
