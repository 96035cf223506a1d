/**
 * Keccak's permutation (FIPS 202, chapter 3). Absorbs whole blocks of a message into a state of 25 lanes, which are locals from
 * the first block to the last. The core and lib/crypto/keccak.ts call it on a memory that each of them has.
 */

/** Length of a block in bytes: 1088 bits for a hash of 256. */
const BLOCK: usize = 136

/** Address of the state after a call. */
const STATE: usize = 0

/** Round constants (3.2.5), and their length in bytes. */
const CONSTANTS = memory.data<u64>([
  0x1, 0x8082, 0x800000000000808a, 0x8000000080008000,
  0x808b, 0x80000001, 0x8000000080008081, 0x8000000000008009,
  0x8a, 0x88, 0x80008009, 0x8000000a,
  0x8000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
  0x8000000000008002, 0x8000000000000080, 0x800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x80000001, 0x8000000080008008,
])
const CONSTANTS_BYTES: usize = 24 * 8

/** Absorbs at least one block. `isContinued`: an earlier call absorbed the beginning of the message. */
export function absorb(block: usize, blocks: u32, isContinued: bool): void {
  let a0: u64 = 0
  let a1: u64 = 0
  let a2: u64 = 0
  let a3: u64 = 0
  let a4: u64 = 0
  let a5: u64 = 0
  let a6: u64 = 0
  let a7: u64 = 0
  let a8: u64 = 0
  let a9: u64 = 0
  let a10: u64 = 0
  let a11: u64 = 0
  let a12: u64 = 0
  let a13: u64 = 0
  let a14: u64 = 0
  let a15: u64 = 0
  let a16: u64 = 0
  let a17: u64 = 0
  let a18: u64 = 0
  let a19: u64 = 0
  let a20: u64 = 0
  let a21: u64 = 0
  let a22: u64 = 0
  let a23: u64 = 0
  let a24: u64 = 0
  if (isContinued) {
    a0 = load<u64>(STATE, 0)
    a1 = load<u64>(STATE, 8)
    a2 = load<u64>(STATE, 16)
    a3 = load<u64>(STATE, 24)
    a4 = load<u64>(STATE, 32)
    a5 = load<u64>(STATE, 40)
    a6 = load<u64>(STATE, 48)
    a7 = load<u64>(STATE, 56)
    a8 = load<u64>(STATE, 64)
    a9 = load<u64>(STATE, 72)
    a10 = load<u64>(STATE, 80)
    a11 = load<u64>(STATE, 88)
    a12 = load<u64>(STATE, 96)
    a13 = load<u64>(STATE, 104)
    a14 = load<u64>(STATE, 112)
    a15 = load<u64>(STATE, 120)
    a16 = load<u64>(STATE, 128)
    a17 = load<u64>(STATE, 136)
    a18 = load<u64>(STATE, 144)
    a19 = load<u64>(STATE, 152)
    a20 = load<u64>(STATE, 160)
    a21 = load<u64>(STATE, 168)
    a22 = load<u64>(STATE, 176)
    a23 = load<u64>(STATE, 184)
    a24 = load<u64>(STATE, 192)
  }
  do {
    a0 ^= load<u64>(block, 0)
    a1 ^= load<u64>(block, 8)
    a2 ^= load<u64>(block, 16)
    a3 ^= load<u64>(block, 24)
    a4 ^= load<u64>(block, 32)
    a5 ^= load<u64>(block, 40)
    a6 ^= load<u64>(block, 48)
    a7 ^= load<u64>(block, 56)
    a8 ^= load<u64>(block, 64)
    a9 ^= load<u64>(block, 72)
    a10 ^= load<u64>(block, 80)
    a11 ^= load<u64>(block, 88)
    a12 ^= load<u64>(block, 96)
    a13 ^= load<u64>(block, 104)
    a14 ^= load<u64>(block, 112)
    a15 ^= load<u64>(block, 120)
    a16 ^= load<u64>(block, 128)
    for (let constant = CONSTANTS; constant < CONSTANTS + CONSTANTS_BYTES; constant += 8) {
      // Theta: XORs every lane with the parities of two columns (3.2.1).
      const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20
      const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21
      const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22
      const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23
      const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24
      const d0 = c4 ^ rotl<u64>(c1, 1)
      const d1 = c0 ^ rotl<u64>(c2, 1)
      const d2 = c1 ^ rotl<u64>(c3, 1)
      const d3 = c2 ^ rotl<u64>(c4, 1)
      const d4 = c3 ^ rotl<u64>(c0, 1)
      a0 ^= d0
      a5 ^= d0
      a10 ^= d0
      a15 ^= d0
      a20 ^= d0
      a1 ^= d1
      a6 ^= d1
      a11 ^= d1
      a16 ^= d1
      a21 ^= d1
      a2 ^= d2
      a7 ^= d2
      a12 ^= d2
      a17 ^= d2
      a22 ^= d2
      a3 ^= d3
      a8 ^= d3
      a13 ^= d3
      a18 ^= d3
      a23 ^= d3
      a4 ^= d4
      a9 ^= d4
      a14 ^= d4
      a19 ^= d4
      a24 ^= d4
      // Rho and pi: rotate each lane but the first and move it to the position of the next lane (3.2.2 and 3.2.3).
      const moved = a1
      a1 = rotl<u64>(a6, 44)
      a6 = rotl<u64>(a9, 20)
      a9 = rotl<u64>(a22, 61)
      a22 = rotl<u64>(a14, 39)
      a14 = rotl<u64>(a20, 18)
      a20 = rotl<u64>(a2, 62)
      a2 = rotl<u64>(a12, 43)
      a12 = rotl<u64>(a13, 25)
      a13 = rotl<u64>(a19, 8)
      a19 = rotl<u64>(a23, 56)
      a23 = rotl<u64>(a15, 41)
      a15 = rotl<u64>(a4, 27)
      a4 = rotl<u64>(a24, 14)
      a24 = rotl<u64>(a21, 2)
      a21 = rotl<u64>(a8, 55)
      a8 = rotl<u64>(a16, 45)
      a16 = rotl<u64>(a5, 36)
      a5 = rotl<u64>(a3, 28)
      a3 = rotl<u64>(a18, 21)
      a18 = rotl<u64>(a17, 15)
      a17 = rotl<u64>(a11, 10)
      a11 = rotl<u64>(a7, 6)
      a7 = rotl<u64>(a10, 3)
      a10 = rotl<u64>(moved, 1)
      // Chi: XORs each lane with a combination of the next two lanes in its row (3.2.4). Iota adds the constant of the round (3.2.5).
      let first: u64
      let second: u64
      first = a0
      second = a1
      a0 ^= ~a1 & a2
      a1 ^= ~a2 & a3
      a2 ^= ~a3 & a4
      a3 ^= ~a4 & first
      a4 ^= ~first & second
      first = a5
      second = a6
      a5 ^= ~a6 & a7
      a6 ^= ~a7 & a8
      a7 ^= ~a8 & a9
      a8 ^= ~a9 & first
      a9 ^= ~first & second
      first = a10
      second = a11
      a10 ^= ~a11 & a12
      a11 ^= ~a12 & a13
      a12 ^= ~a13 & a14
      a13 ^= ~a14 & first
      a14 ^= ~first & second
      first = a15
      second = a16
      a15 ^= ~a16 & a17
      a16 ^= ~a17 & a18
      a17 ^= ~a18 & a19
      a18 ^= ~a19 & first
      a19 ^= ~first & second
      first = a20
      second = a21
      a20 ^= ~a21 & a22
      a21 ^= ~a22 & a23
      a22 ^= ~a23 & a24
      a23 ^= ~a24 & first
      a24 ^= ~first & second
      a0 ^= load<u64>(constant)
    }
    block += BLOCK
  } while (--blocks)
  store<u64>(STATE, a0, 0)
  store<u64>(STATE, a1, 8)
  store<u64>(STATE, a2, 16)
  store<u64>(STATE, a3, 24)
  store<u64>(STATE, a4, 32)
  store<u64>(STATE, a5, 40)
  store<u64>(STATE, a6, 48)
  store<u64>(STATE, a7, 56)
  store<u64>(STATE, a8, 64)
  store<u64>(STATE, a9, 72)
  store<u64>(STATE, a10, 80)
  store<u64>(STATE, a11, 88)
  store<u64>(STATE, a12, 96)
  store<u64>(STATE, a13, 104)
  store<u64>(STATE, a14, 112)
  store<u64>(STATE, a15, 120)
  store<u64>(STATE, a16, 128)
  store<u64>(STATE, a17, 136)
  store<u64>(STATE, a18, 144)
  store<u64>(STATE, a19, 152)
  store<u64>(STATE, a20, 160)
  store<u64>(STATE, a21, 168)
  store<u64>(STATE, a22, 176)
  store<u64>(STATE, a23, 184)
  store<u64>(STATE, a24, 192)
}

/** Number of zero bytes in a range. */
export function countZeros(at: usize, length: usize): u32 {
  const end = at + length
  let zeros: u32 = 0
  for (; at + 16 <= end; at += 16) zeros += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0))))
  for (; at < end; at++) zeros += u32(load<u8>(at) == 0)
  return zeros
}
