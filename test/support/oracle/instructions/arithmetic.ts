/** Arithmetic on words (Yellow Paper, appendix H.2, 0x00 to 0x0b). */

import type { Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'

const unsigned = (value: bigint): bigint => BigInt.asUintN(256, value)
const signed = (value: bigint): bigint => BigInt.asIntN(256, value)

/** Replaces the two topmost words. */
const binary =
  (answer: (first: bigint, second: bigint) => bigint): Effect =>
  (frame) => {
    const first = frame.pop()
    frame.push(answer(first, frame.pop()))
  }

/** Replaces the three topmost words. */
const ternary =
  (answer: (first: bigint, second: bigint, third: bigint) => bigint): Effect =>
  (frame) => {
    const first = frame.pop()
    const second = frame.pop()
    frame.push(answer(first, second, frame.pop()))
  }

/** The instructions; EXP has a cost per byte of the exponent (EIP-160). */
export const arithmetic = (expByte: number): Instructions => [
  instruction(0x01, 'ADD', [2, 1, 3], { run: (frame) => frame.push(unsigned(frame.pop() + frame.pop())) }),
  instruction(0x02, 'MUL', [2, 1, 5], { run: (frame) => frame.push(unsigned(frame.pop() * frame.pop())) }),
  instruction(0x03, 'SUB', [2, 1, 3], { run: (frame) => frame.push(unsigned(frame.pop() - frame.pop())) }),
  instruction(0x04, 'DIV', [2, 1, 5], { run: binary((a, b) => (b === 0n ? 0n : a / b)) }),
  instruction(0x05, 'SDIV', [2, 1, 5], {
    run: binary((a, b) => (b === 0n ? 0n : unsigned(signed(a) / signed(b)))),
  }),
  instruction(0x06, 'MOD', [2, 1, 5], { run: binary((a, b) => (b === 0n ? 0n : a % b)) }),
  instruction(0x07, 'SMOD', [2, 1, 5], {
    run: binary((a, b) => (b === 0n ? 0n : unsigned(signed(a) % signed(b)))),
  }),
  instruction(0x08, 'ADDMOD', [3, 1, 8], { run: ternary((a, b, n) => (n === 0n ? 0n : (a + b) % n)) }),
  instruction(0x09, 'MULMOD', [3, 1, 8], { run: ternary((a, b, n) => (n === 0n ? 0n : (a * b) % n)) }),
  instruction(0x0a, 'EXP', [2, 1, 10], {
    dynamicGas: (frame) => expByte * byteLengthOf(frame.peek(1)),
    run: binary(power),
  }),
  instruction(0x0b, 'SIGNEXTEND', [2, 1, 5], {
    run: binary((last, value) =>
      last > 30n ? value : unsigned(BigInt.asIntN(8 * (Number(last) + 1), value)),
    ),
  }),
]

const byteLengthOf = (value: bigint): number => (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))

/** Power modulo 2^256, by squaring. */
function power(base: bigint, exponent: bigint): bigint {
  let answer = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) answer = unsigned(answer * square)
    square = unsigned(square * square)
  }
  return answer
}
