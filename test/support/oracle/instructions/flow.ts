/** Jumps and ends (Yellow Paper, appendix H.2, 0x00, 0x56 to 0x5b, 0xf3, 0xfd, 0xfe). */

import { EMPTY_BYTES } from '../../../../lib/base/hex.ts'
import type { Frame } from '../frame.ts'
import { INVALID_JUMP, INVALID_OPCODE } from '../halt.ts'
import type { DynamicGas, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'
import { spanOf } from '../memory.ts'

function jump(frame: Frame, destination: bigint): void {
  const position = Number(destination)
  if (!frame.code.isDestination(position)) throw INVALID_JUMP
  frame.position = position
}

const answerGas: DynamicGas = (frame) => frame.memory.expansionGas(frame.peek(0), frame.peek(1))

/** The output of a frame; a copy, because it outlives the memory of the frame. */
function takeAnswer(frame: Frame): Uint8Array {
  const offset = frame.pop()
  const { memory } = frame
  const span = spanOf(offset, frame.pop())
  memory.expand(span.offset, span.length)
  return memory.view(span.offset, span.length).slice()
}

/** The instructions of all networks. */
export const flow: Instructions = [
  instruction(0x00, 'STOP', [0, 0, 0], {
    run: (frame, machine) => machine.end(frame, 'success', EMPTY_BYTES),
  }),
  instruction(0x56, 'JUMP', [1, 0, 8], { run: (frame) => jump(frame, frame.pop()) }),
  instruction(0x57, 'JUMPI', [2, 0, 10], {
    run: (frame) => {
      const destination = frame.pop()
      if (frame.pop() !== 0n) jump(frame, destination)
    },
  }),
  instruction(0x58, 'PC', [0, 1, 2], { run: (frame) => frame.push(BigInt(frame.position - 1)) }),
  instruction(0x5a, 'GAS', [0, 1, 2], { run: (frame) => frame.push(BigInt(frame.gas)) }),
  instruction(0x5b, 'JUMPDEST', [0, 0, 1], { run: () => undefined }),
  instruction(0xf3, 'RETURN', [2, 0, 0], {
    dynamicGas: answerGas,
    run: (frame, machine) => machine.end(frame, 'success', takeAnswer(frame)),
  }),
  instruction(0xfd, 'REVERT', [2, 0, 0], {
    dynamicGas: answerGas,
    run: (frame, machine) => machine.end(frame, 'reverted', takeAnswer(frame)),
  }),
  instruction(0xfe, 'INVALID', [0, 0, 0], {
    run: () => {
      throw INVALID_OPCODE
    },
  }),
]
