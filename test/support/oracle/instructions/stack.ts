/** POP, PUSH, DUP and SWAP (Yellow Paper, appendix H.2, 0x50 and 0x60 to 0x9f; EIP-3855). */

import type { Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'

/** Every word of one byte, made once. */
const BYTES: readonly bigint[] = Array.from({ length: 256 }, (_, byte) => BigInt(byte))

const pushByte: Effect = (frame) => {
  frame.push(BYTES[frame.code.bytes[frame.position++] ?? 0] ?? 0n)
}

const pushBytes =
  (length: number): Effect =>
  (frame) => {
    frame.push(frame.code.word(frame.position, length))
    frame.position += length
  }

const double =
  (depth: number): Effect =>
  (frame) =>
    frame.push(frame.peek(depth - 1))

const swap =
  (depth: number): Effect =>
  ({ words, height }) => {
    const top = words[height - 1] ?? 0n
    words[height - 1] = words[height - 1 - depth] ?? 0n
    words[height - 1 - depth] = top
  }

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

/** The instructions of all networks. */
export const stack: Instructions = [
  instruction(0x50, 'POP', [1, 0, 2], { run: (frame) => void frame.pop() }),
  ...upTo(32).map((length) =>
    instruction(0x5f + length, `PUSH${length}`, [0, 1, 3], {
      run: length === 1 ? pushByte : pushBytes(length),
    }),
  ),
  ...upTo(16).map((depth) =>
    instruction(0x7f + depth, `DUP${depth}`, [depth, depth + 1, 3], { run: double(depth) }),
  ),
  ...upTo(16).map((depth) =>
    instruction(0x8f + depth, `SWAP${depth}`, [depth + 1, depth + 1, 3], { run: swap(depth) }),
  ),
]

/** PUSH0 (EIP-3855). */
export const pushZero = instruction(0x5f, 'PUSH0', [0, 1, 2], { run: (frame) => frame.push(0n) })
