/** Comparison and bits of words (Yellow Paper, appendix H.2, 0x10 to 0x1d; EIP-145, 7939). */

import type { Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'

const MAX_WORD = 2n ** 256n - 1n

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)

/** Pushes 1 if a condition on the two topmost words holds, or else 0. */
const compare =
  (isTrue: (first: bigint, second: bigint) => boolean): Effect =>
  (frame) => {
    const first = frame.pop()
    frame.push(isTrue(first, frame.pop()) ? 1n : 0n)
  }

/** Shifts the second word by the topmost. */
const shift =
  (shifted: (value: bigint, by: bigint) => bigint): Effect =>
  (frame) => {
    const by = frame.pop()
    frame.push(shifted(frame.pop(), by))
  }

/** The instructions of all networks. */
export const bitwise: Instructions = [
  instruction(0x10, 'LT', [2, 1, 3], { run: compare((a, b) => a < b) }),
  instruction(0x11, 'GT', [2, 1, 3], { run: compare((a, b) => a > b) }),
  instruction(0x12, 'SLT', [2, 1, 3], { run: compare((a, b) => signed(a) < signed(b)) }),
  instruction(0x13, 'SGT', [2, 1, 3], { run: compare((a, b) => signed(a) > signed(b)) }),
  instruction(0x14, 'EQ', [2, 1, 3], { run: compare((a, b) => a === b) }),
  instruction(0x15, 'ISZERO', [1, 1, 3], { run: (frame) => frame.push(frame.pop() === 0n ? 1n : 0n) }),
  instruction(0x16, 'AND', [2, 1, 3], { run: (frame) => frame.push(frame.pop() & frame.pop()) }),
  instruction(0x17, 'OR', [2, 1, 3], { run: (frame) => frame.push(frame.pop() | frame.pop()) }),
  instruction(0x18, 'XOR', [2, 1, 3], { run: (frame) => frame.push(frame.pop() ^ frame.pop()) }),
  instruction(0x19, 'NOT', [1, 1, 3], { run: (frame) => frame.push(MAX_WORD - frame.pop()) }),
  instruction(0x1a, 'BYTE', [2, 1, 3], {
    run: shift((value, index) => (index > 31n ? 0n : (value >> (8n * (31n - index))) & 0xffn)),
  }),
  instruction(0x1b, 'SHL', [2, 1, 3], {
    run: shift((value, by) => (by > 255n ? 0n : BigInt.asUintN(256, value << by))),
  }),
  instruction(0x1c, 'SHR', [2, 1, 3], { run: shift((value, by) => (by > 255n ? 0n : value >> by)) }),
  instruction(0x1d, 'SAR', [2, 1, 3], {
    run: shift((value, by) => BigInt.asUintN(256, signed(value) >> (by > 255n ? 255n : by))),
  }),
]

/** CLZ: the number of leading zero bits (EIP-7939). */
export const countLeadingZeros = instruction(0x1e, 'CLZ', [1, 1, 5], {
  run: (frame) => {
    const value = frame.pop()
    frame.push(value === 0n ? 256n : BigInt(256 - value.toString(2).length))
  },
})
