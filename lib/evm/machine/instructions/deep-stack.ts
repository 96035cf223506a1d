/** DUPN, SWAPN and EXCHANGE, whose operands are in the byte after the opcode (EIP-8024). */

import type { Frame } from '../frame.ts'
import { haltOfCore } from '../frame-input.ts'
import { instruction, type Instructions, type RequestHandler } from '../instruction.ts'
import { INVALID_OPCODE, STACK_UNDERFLOW } from '../../../../assembly/layout.ts'

/** Bytes from here to `LAST_EXCLUDED` are not operands, so that JUMPDEST and PUSH keep their meaning. */
const FIRST_EXCLUDED = { single: 91, pair: 82 }
const LAST_EXCLUDED = 127

/** The byte after the opcode; zero beyond the code. @throws Halt */
function operandOf(frame: Frame, kind: keyof typeof FIRST_EXCLUDED): number {
  const operand = frame.code[frame.position + 1] ?? 0
  if (operand >= FIRST_EXCLUDED[kind] && operand <= LAST_EXCLUDED) throw haltOfCore(INVALID_OPCODE)
  return operand
}

const depthOf = (operand: number): number => (operand + 145) % 256

function pairOf(operand: number): readonly [number, number] {
  const key = operand ^ 143
  const [row, column] = [key >>> 4, key & 15]
  return row < column ? [row + 1, column + 1] : [column + 1, 29 - row]
}

/** Performs an instruction on the words of the stack down to the deepest one. @throws Halt */
const onStack =
  (perform: (frame: Frame) => void): RequestHandler['run'] =>
  (frame) => {
    perform(frame)
    frame.position++
    return undefined
  }

/** Swaps two words; 0 is the top. @throws Halt */
function swap(frame: Frame, one: number, other: number): void {
  if (Math.max(one, other) >= frame.height) throw haltOfCore(STACK_UNDERFLOW)
  frame.changeAbove(frame.height - 1 - Math.max(one, other))
  const [from, to] = [frame.word(one), frame.word(other)]
  frame.core.setWord(frame.wordAt(one), to)
  frame.core.setWord(frame.wordAt(other), from)
}

export const deepStack: Instructions = [
  instruction(0xe6, 'DUPN', [0, 1, 3], {
    run: onStack((frame) => {
      const depth = depthOf(operandOf(frame, 'single'))
      if (depth > frame.height) throw haltOfCore(STACK_UNDERFLOW)
      frame.push(frame.word(depth - 1))
    }),
  }),
  instruction(0xe7, 'SWAPN', [0, 0, 3], {
    run: onStack((frame) => swap(frame, 0, depthOf(operandOf(frame, 'single')))),
  }),
  instruction(0xe8, 'EXCHANGE', [0, 0, 3], {
    run: onStack((frame) => swap(frame, ...pairOf(operandOf(frame, 'pair')))),
  }),
]
