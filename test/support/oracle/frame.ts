/** One call or creation whose code runs: stack, memory, gas and program counter. */

import type { Address } from '../../../lib/base/hex.ts'
import { EMPTY_BYTES } from '../../../lib/base/hex.ts'
import type { FrameKind } from '../../../lib/evm/observer.ts'
import type { Status } from '../../../lib/evm/outcome.ts'
import type { Code } from './code.ts'
import type { Span } from './memory.ts'
import { Memory } from './memory.ts'

/** What a frame is asked to do, and by whom. */
export interface FrameInput {
  readonly kind: FrameKind
  /** 0 for the outermost. */
  readonly depth: number
  /** The account whose code calls or creates, or the sender of the transaction. */
  readonly from: Address
  /** What CALLER answers: in a delegatecall the caller's caller. */
  readonly caller: Address
  /** The account that executes: whose storage and balance are meant. */
  readonly address: Address
  /** Whose code runs; the new account in a creation. */
  readonly codeAddress: Address
  /** Wei. In a delegatecall nothing is moved. */
  readonly value: bigint
  readonly gas: number
  /** Call data, or init code of a creation. */
  readonly data: Uint8Array
  readonly isStatic: boolean
  /** Who waits for it; absent for the outermost. */
  readonly parent: Frame | undefined
  /** Where in the parent's memory the output goes. */
  readonly output: Span
}

/** What a frame begins with. */
export interface FrameStart {
  /** Bytes to which its memory can grow. */
  readonly memoryLimit: number
  readonly refundBefore: number
}

/** How a frame ended. */
export interface FrameResult {
  readonly status: Status
  readonly gasLeft: number
  /** Return data, revert data, or the code of the created contract. */
  readonly output: Uint8Array
  /** The exception's name when the status is `failed`. */
  readonly exception?: string
  /** Whether there was code of a contract to run. */
  readonly ranCode: boolean
}

/** Code that runs. */
export class Frame {
  readonly message: FrameInput
  readonly code: Code
  /** Call data of the code: none in a creation. */
  readonly data: Uint8Array
  /** The account that executes. */
  readonly address: Address
  readonly memory: Memory
  /** Position of the instruction that runs next. */
  position = 0
  gas: number
  /** What the last call or creation answered. */
  returnData: Uint8Array = EMPTY_BYTES
  /** Refund for storage when the frame began. */
  readonly refundBefore: number
  /** Gas that the running call instruction hands over; worked out with its cost. */
  forwardedGas = 0
  /** False once it has ended, and while it waits for a frame it called. */
  isRunning = true
  /** Number of words on the stack. */
  height = 0
  /** The stack, bottom first; what is above `height` is left over. */
  readonly words: bigint[] = []

  constructor(message: FrameInput, code: Code, { memoryLimit, refundBefore }: FrameStart) {
    this.message = message
    this.code = code
    this.refundBefore = refundBefore
    this.data = isCreation(message) ? EMPTY_BYTES : message.data
    this.address = message.address
    this.memory = new Memory(memoryLimit)
    this.gas = message.gas
  }

  /** Takes the topmost word; the machine has counted them. */
  pop(): bigint {
    return this.words[--this.height] ?? 0n
  }

  push(word: bigint): void {
    this.words[this.height++] = word
  }

  /** The word so many below the topmost. */
  peek(below: number): bigint {
    return this.words[this.height - 1 - below] ?? 0n
  }
}

/** Whether the message makes a contract. */
export const isCreation = ({ kind }: FrameInput): boolean => kind === 'create' || kind === 'create2'
