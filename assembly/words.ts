/** Words of 256 bits: four limbs of 64 bits at an address, the least significant first. Results replace the second operand. */

// @ts-ignore: decorator
@inline
export function set(word: usize, value: u64): void {
  store<u64>(word, value)
  store<u64>(word, 0, 8)
  v128.store(word, i64x2.splat(0), 16)
}

// @ts-ignore: decorator
@inline
export function copy(to: usize, from: usize): void {
  const low = v128.load(from)
  const high = v128.load(from, 16)
  v128.store(to, low)
  v128.store(to, high, 16)
}

// @ts-ignore: decorator
@inline
export function exchange(left: usize, right: usize): void {
  const low = v128.load(left)
  const high = v128.load(left, 16)
  copy(left, right)
  v128.store(right, low)
  v128.store(right, high, 16)
}

// @ts-ignore: decorator
@inline
function mirrored(half: v128): v128 {
  return i8x16.shuffle(half, half, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
}

/** Copies a word in the other order of bytes: memory has the most significant byte first. */
// @ts-ignore: decorator
@inline
export function reverse(to: usize, from: usize): void {
  const first = v128.load(from)
  const second = v128.load(from, 16)
  v128.store(to, mirrored(second))
  v128.store(to, mirrored(first), 16)
}

// @ts-ignore: decorator
@inline
export function isZero(word: usize): bool {
  return !v128.any_true(v128.or(v128.load(word), v128.load(word, 16)))
}

// @ts-ignore: decorator
@inline
export function isEqual(left: usize, right: usize): bool {
  const low = v128.xor(v128.load(left), v128.load(right))
  const high = v128.xor(v128.load(left, 16), v128.load(right, 16))
  return !v128.any_true(v128.or(low, high))
}

/** The word as a number of 64 bits, or the greatest such number if it is larger. */
// @ts-ignore: decorator
@inline
export function saturated(word: usize): u64 {
  const high = load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)
  return high ? u64.MAX_VALUE : load<u64>(word)
}

/** Number of bytes without leading zeros. */
export function byteLength(word: usize): i32 {
  for (let limb: i32 = 24; limb >= 0; limb -= 8) {
    const value = load<u64>(word + limb)
    if (value) return limb + ((71 - <i32>clz<u64>(value)) >> 3)
  }
  return 0
}

// @ts-ignore: decorator
@inline
export function add(a: usize, b: usize): void {
  const first = load<u64>(a)
  const sum0 = first + load<u64>(b)
  let carry = u64(sum0 < first)
  const second = load<u64>(a, 8)
  let part = second + load<u64>(b, 8)
  const sum1 = part + carry
  carry = u64(part < second) | u64(sum1 < part)
  const third = load<u64>(a, 16)
  part = third + load<u64>(b, 16)
  const sum2 = part + carry
  carry = u64(part < third) | u64(sum2 < part)
  store<u64>(b, sum0)
  store<u64>(b, sum1, 8)
  store<u64>(b, sum2, 16)
  store<u64>(b, load<u64>(a, 24) + load<u64>(b, 24) + carry, 24)
}

/** b = a - b */
// @ts-ignore: decorator
@inline
export function subtract(a: usize, b: usize): void {
  const first = load<u64>(a)
  const other = load<u64>(b)
  let borrow = u64(first < other)
  const left1 = load<u64>(a, 8)
  const right1 = load<u64>(b, 8)
  const part1 = left1 - right1
  const difference1 = part1 - borrow
  borrow = u64(left1 < right1) | u64(part1 < borrow)
  const left2 = load<u64>(a, 16)
  const right2 = load<u64>(b, 16)
  const part2 = left2 - right2
  const difference2 = part2 - borrow
  borrow = u64(left2 < right2) | u64(part2 < borrow)
  store<u64>(b, first - other)
  store<u64>(b, difference1, 8)
  store<u64>(b, difference2, 16)
  store<u64>(b, load<u64>(a, 24) - load<u64>(b, 24) - borrow, 24)
}

// @ts-ignore: decorator
@inline
export function isLess(a: usize, b: usize): bool {
  const a3 = load<u64>(a, 24)
  const b3 = load<u64>(b, 24)
  if (a3 != b3) return a3 < b3
  const a2 = load<u64>(a, 16)
  const b2 = load<u64>(b, 16)
  if (a2 != b2) return a2 < b2
  const a1 = load<u64>(a, 8)
  const b1 = load<u64>(b, 8)
  if (a1 != b1) return a1 < b1
  return load<u64>(a) < load<u64>(b)
}

export function isLessSigned(a: usize, b: usize): bool {
  const a3 = load<i64>(a, 24)
  const b3 = load<i64>(b, 24)
  return a3 == b3 ? isLess(a, b) : a3 < b3
}

// @ts-ignore: decorator
@inline
export function and(a: usize, b: usize): void {
  v128.store(b, v128.and(v128.load(a), v128.load(b)))
  v128.store(b, v128.and(v128.load(a, 16), v128.load(b, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function or(a: usize, b: usize): void {
  v128.store(b, v128.or(v128.load(a), v128.load(b)))
  v128.store(b, v128.or(v128.load(a, 16), v128.load(b, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function xor(a: usize, b: usize): void {
  v128.store(b, v128.xor(v128.load(a), v128.load(b)))
  v128.store(b, v128.xor(v128.load(a, 16), v128.load(b, 16)), 16)
}

// @ts-ignore: decorator
@inline
export function not(word: usize): void {
  v128.store(word, v128.not(v128.load(word)))
  v128.store(word, v128.not(v128.load(word, 16)), 16)
}

/** The byte of a word at an index that counts from the most significant one. */
export function byteAt(index: usize, word: usize): void {
  const at = saturated(index)
  set(word, at > 31 ? 0 : <u64>load<u8>(word + 31 - <usize>at))
}

export function shiftLeft(by: usize, word: usize): void {
  const count = saturated(by)
  if (count > 255) return set(word, 0)
  const limbs = <i32>(count >> 6)
  const bits = count & 63
  for (let to = 3; to >= 0; to--) {
    const from = to - limbs
    let value: u64 = 0
    if (from >= 0) value = load<u64>(word + (from << 3)) << bits
    if (from > 0 && bits) value |= load<u64>(word + ((from - 1) << 3)) >> (64 - bits)
    store<u64>(word + (to << 3), value)
  }
}

/** Shifts to the right and fills with zeros, or with ones. */
function shiftRightWith(fill: u64, by: usize, word: usize): void {
  const count = saturated(by)
  const limbs = <i32>min<u64>(count >> 6, 4)
  const bits = count & 63
  for (let to = 0; to < 4; to++) {
    const from = to + limbs
    let value = from < 4 ? load<u64>(word + (from << 3)) : fill
    if (bits) {
      const above = from < 3 ? load<u64>(word + ((from + 1) << 3)) : fill
      value = (value >> bits) | (above << (64 - bits))
    }
    store<u64>(word + (to << 3), value)
  }
}

export function shiftRight(by: usize, word: usize): void {
  shiftRightWith(0, by, word)
}

export function shiftRightSigned(by: usize, word: usize): void {
  shiftRightWith(<u64>(load<i64>(word, 24) >> 63), by, word)
}

/** Extends the sign of a word whose last byte has an index that counts from the least significant one. */
export function extendSign(last: usize, word: usize): void {
  const index = saturated(last)
  if (index > 30) return
  const limb = <usize>(index >> 3) << 3
  const shift = 56 - ((index & 7) << 3)
  const extended = (load<i64>(word + limb) << shift) >> shift
  store<i64>(word + limb, extended)
  for (let at = limb + 8; at < 32; at += 8) store<i64>(word + at, extended >> 63)
}

/** Number of zero bits above the most significant one (EIP-7939). */
export function countLeadingZeros(word: usize): void {
  let zeros: u64 = 0
  for (let limb: i32 = 24; limb >= 0; limb -= 8) {
    const value = load<u64>(word + limb)
    zeros += clz<u64>(value)
    if (value) break
  }
  set(word, zeros)
}
