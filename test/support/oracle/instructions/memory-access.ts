/** Reading, writing, copying, hashing and logging of memory (Yellow Paper, appendix H.2; EIP-5656). */

import { bytesToBigInt, toWord } from '../../../../lib/base/hex.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import type { Frame } from '../frame.ts'
import { STATIC_STATE_CHANGE } from '../halt.ts'
import type { DynamicGas, Effect, Instructions } from '../instruction.ts'
import { instruction } from '../instruction.ts'
import type { Span } from '../memory.ts'
import { spanOf, wordsOf } from '../memory.ts'

/** Gas per copied word. */
const COPY_WORD = 3

/** Cost of expanding memory to a number of bytes at the topmost word. */
const rangeGas =
  (bytes: bigint): DynamicGas =>
  (frame) =>
    frame.memory.expansionGas(frame.peek(0), bytes)

/** Cost of copying to memory, with the stack positions of the target and of the length. */
export const copyGas =
  (place: number, length: number): DynamicGas =>
  (frame) =>
    frame.memory.expansionGas(frame.peek(place), frame.peek(length)) + COPY_WORD * wordsOf(frame.peek(length))

/** Pops target, offset and length, and copies from a source to memory. */
export function copyToMemory(frame: Frame, source: Uint8Array): void {
  const offset = frame.pop()
  const from = frame.pop()
  const to = expanded(frame, offset, frame.pop())
  frame.memory.copy(source, from < source.length ? Number(from) : source.length, to)
}

/** A range of memory that has been paid for. */
export function expanded(frame: Frame, offset: bigint, length: bigint): Span {
  const span = spanOf(offset, length)
  frame.memory.expand(span.offset, span.length)
  return span
}

const hash: Effect = (frame) => {
  const offset = frame.pop()
  const span = expanded(frame, offset, frame.pop())
  frame.push(bytesToBigInt(keccak256(frame.memory.view(span.offset, span.length))))
}

/** The instructions of all networks. */
export const memoryAccess: Instructions = [
  instruction(0x20, 'KECCAK256', [2, 1, 30], {
    dynamicGas: (frame) =>
      frame.memory.expansionGas(frame.peek(0), frame.peek(1)) + 6 * wordsOf(frame.peek(1)),
    run: hash,
  }),
  instruction(0x51, 'MLOAD', [1, 1, 3], {
    dynamicGas: rangeGas(32n),
    run: (frame) => {
      const offset = Number(frame.pop())
      frame.memory.expand(offset, 32)
      frame.push(frame.memory.word(offset))
    },
  }),
  instruction(0x52, 'MSTORE', [2, 0, 3], {
    dynamicGas: rangeGas(32n),
    run: (frame) => {
      const offset = Number(frame.pop())
      frame.memory.expand(offset, 32)
      frame.memory.setWord(offset, frame.pop())
    },
  }),
  instruction(0x53, 'MSTORE8', [2, 0, 3], {
    dynamicGas: rangeGas(1n),
    run: (frame) => {
      const offset = Number(frame.pop())
      frame.memory.expand(offset, 1)
      frame.memory.setByte(offset, Number(frame.pop() & 0xffn))
    },
  }),
  instruction(0x59, 'MSIZE', [0, 1, 2], { run: (frame) => frame.push(BigInt(frame.memory.size)) }),
  ...[0, 1, 2, 3, 4].map((topics) =>
    instruction(0xa0 + topics, `LOG${topics}`, [2 + topics, 0, 375 + 375 * topics], {
      dynamicGas: logGas,
      run: log(topics),
    }),
  ),
]

/** MCOPY (EIP-5656). */
export const copyMemory = instruction(0x5e, 'MCOPY', [3, 0, 3], {
  dynamicGas: (frame) => {
    const length = frame.peek(2)
    const growth = frame.memory.expansionGasOfBoth(
      { offset: frame.peek(0), length },
      { offset: frame.peek(1), length },
    )
    return growth + COPY_WORD * wordsOf(length)
  },
  run: (frame) => {
    const offset = frame.pop()
    const source = frame.pop()
    const length = frame.pop()
    const from = expanded(frame, source, length)
    frame.memory.move(from.offset, expanded(frame, offset, length))
  },
})

function logGas(frame: Frame): number {
  if (frame.message.isStatic) throw STATIC_STATE_CHANGE
  return frame.memory.expansionGas(frame.peek(0), frame.peek(1)) + 8 * Number(frame.peek(1))
}

function log(topicCount: number): Effect {
  return (frame, machine) => {
    const offset = frame.pop()
    const span = expanded(frame, offset, frame.pop())
    const topics = Array.from({ length: topicCount }, () => toWord(frame.pop()))
    const data = frame.memory.view(span.offset, span.length).slice()
    machine.log({ address: frame.address, topics, data })
  }
}
