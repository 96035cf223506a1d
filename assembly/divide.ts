/** Quotients and remainders of words: Knuth's algorithm D in digits of 32 bits. Results replace the last operand. */

import { multiplyWide } from './multiply'
import { add, copy, isLess, isZero, set, subtract } from './words'

const LOW: u64 = 0xffffffff

/** Dividend of up to 17 digits, and later the remainder; divisor; quotient. */
const DIVIDEND: usize = memory.data(80, 16)
const DIVISOR: usize = memory.data(48, 16)
const QUOTIENT: usize = memory.data(80, 16)
const WIDE: usize = memory.data(80, 16)
const ZERO: usize = memory.data(32, 16)

/** Number of digits without leading zeros. */
function digitCount(number: usize, maxDigits: i32): i32 {
  let count = maxDigits
  while (count > 0 && !load<u32>(number + ((count - 1) << 2))) count--
  return count
}

/** Writes digits shifted to the left by less than 32 bits, with a digit more. */
function normalize(to: usize, from: usize, count: i32, shift: u64): void {
  let carry: u64 = 0
  for (let i = 0; i < count; i++) {
    const digit = <u64>load<u32>(from + (i << 2)) << shift
    store<u32>(to + (i << 2), <u32>(digit | carry))
    carry = digit >> 32
  }
  store<u32>(to + (count << 2), <u32>carry)
}

/** Divides by one digit. */
function divideShort(number: usize, count: i32, digit: u64): void {
  let remainder: u64 = 0
  for (let i = count - 1; i >= 0; i--) {
    const part = (remainder << 32) | <u64>load<u32>(number + (i << 2))
    store<u32>(QUOTIENT + (i << 2), <u32>(part / digit))
    remainder = part % digit
  }
  set(DIVIDEND, remainder)
}

/** The digit of the quotient for the digits of the dividend that end at an address; it may be too large by one. */
// @ts-ignore: decorator
@inline
function estimate(end: usize, top: u64, second: u64): u64 {
  const part = (<u64>load<u32>(end) << 32) | <u64>load<u32>(end - 4)
  let digit = part / top
  let rest = part % top
  while (digit > LOW || digit * second > ((rest << 32) | <u64>load<u32>(end - 8))) {
    digit--
    rest += top
    if (rest > LOW) break
  }
  return digit
}

/** Subtracts the product of the divisor and a digit from the dividend. Returns whether the product was too large. */
// @ts-ignore: decorator
@inline
function subtractProduct(at: usize, length: usize, digit: u64): bool {
  let borrow: i64 = 0
  let carry: u64 = 0
  for (let i: usize = 0; i < length; i += 4) {
    const product = digit * <u64>load<u32>(DIVISOR + i) + carry
    carry = product >> 32
    const rest = <i64>load<u32>(at + i) + borrow - <i64>(product & LOW)
    store<u32>(at + i, <u32>rest)
    borrow = rest >> 32
  }
  const rest = <i64>load<u32>(at + length) + borrow - <i64>carry
  store<u32>(at + length, <u32>rest)
  return rest < 0
}

/** Adds the divisor back to the dividend. */
function addBack(at: usize, length: usize): void {
  let carry: u64 = 0
  for (let i: usize = 0; i < length; i += 4) {
    const sum = <u64>load<u32>(at + i) + <u64>load<u32>(DIVISOR + i) + carry
    store<u32>(at + i, <u32>sum)
    carry = sum >> 32
  }
  store<u32>(at + length, load<u32>(at + length) + <u32>carry)
}

/** Divides up to 16 digits by a word that is not zero: the last eight digits to QUOTIENT, the remainder to DIVIDEND. */
function divideDigits(number: usize, maxDigits: i32, divisor: usize): void {
  const count = digitCount(number, maxDigits)
  const length = digitCount(divisor, 8)
  set(QUOTIENT, 0)
  if (count < length) return copy(DIVIDEND, number)
  if (length == 1) return divideShort(number, count, load<u32>(divisor))
  const shift = <u64>clz<u32>(load<u32>(divisor + ((length - 1) << 2)))
  normalize(DIVISOR, divisor, length, shift)
  normalize(DIVIDEND, number, count, shift)
  const bytes = <usize>length << 2
  const top: u64 = load<u32>(DIVISOR + bytes - 4)
  const second: u64 = load<u32>(DIVISOR + bytes - 8)
  for (let i = count - length; i >= 0; i--) {
    const at = DIVIDEND + (i << 2)
    let digit = estimate(at + bytes, top, second)
    if (subtractProduct(at, bytes, digit)) {
      digit--
      addBack(at, bytes)
    }
    if (i < 8) store<u32>(QUOTIENT + (i << 2), <u32>digit)
  }
  for (let i: usize = 0; i < bytes; i += 4) store<u32>(DIVIDEND + i, <u32>(load<u64>(DIVIDEND + i) >> shift))
  memory.fill(DIVIDEND + bytes, 0, 32 - bytes)
}

/** Divides unless the divisor is zero, which then is the result. */
function divideWords(a: usize, b: usize, wantsRemainder: bool): void {
  if (isZero(b)) return
  const isLong = load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)
  if (!(isLong | load<u64>(b, 8) | load<u64>(b, 16) | load<u64>(b, 24))) {
    const left = load<u64>(a)
    const right = load<u64>(b)
    return set(b, wantsRemainder ? left % right : left / right)
  }
  divideDigits(a, 8, b)
  copy(b, wantsRemainder ? DIVIDEND : QUOTIENT)
}

export function divide(a: usize, b: usize): void {
  divideWords(a, b, false)
}

export function remainder(a: usize, b: usize): void {
  divideWords(a, b, true)
}

function negate(word: usize): void {
  subtract(ZERO, word)
}

function divideSignedWords(a: usize, b: usize, wantsRemainder: bool): void {
  const isLeftNegative = load<i64>(a, 24) < 0
  const isRightNegative = load<i64>(b, 24) < 0
  if (isLeftNegative) negate(a)
  if (isRightNegative) negate(b)
  divideWords(a, b, wantsRemainder)
  if (wantsRemainder ? isLeftNegative : isLeftNegative != isRightNegative) negate(b)
}

export function divideSigned(a: usize, b: usize): void {
  divideSignedWords(a, b, false)
}

export function remainderSigned(a: usize, b: usize): void {
  divideSignedWords(a, b, true)
}

/** modulus = (a + b) % modulus */
export function addModulo(a: usize, b: usize, modulus: usize): void {
  if (isZero(modulus)) return
  copy(WIDE, b)
  add(a, WIDE)
  store<u64>(WIDE, u64(isLess(WIDE, a)), 32)
  divideDigits(WIDE, 9, modulus)
  copy(modulus, DIVIDEND)
}

/** modulus = (a * b) % modulus */
export function multiplyModulo(a: usize, b: usize, modulus: usize): void {
  if (isZero(modulus)) return
  multiplyWide(a, b, WIDE)
  divideDigits(WIDE, 16, modulus)
  copy(modulus, DIVIDEND)
}
