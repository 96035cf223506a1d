/** One call or creation whose code runs: stack, memory, gas and program counter. */

import type { Address } from '../../../lib/base/hex.ts'
import { EMPTY_BYTES } from '../../../lib/base/hex.ts'
import type { FrameKind } from '../../../lib/evm/observer.ts'
import type { Status } from '../../../lib/evm/outcome.ts'
import type { Code } from './code.ts'
import type { Span } from './memory.ts'
import { Memory } from './memory.ts'

/** A message call or a creation, as the parameters of its frame. */
export interface FrameInput {
  readonly kind: FrameKind
  /** 0 for the outermost. */
  readonly depth: number
  /** The account whose code calls or creates, or the sender of the transaction. */
  readonly from: Address
  /** The result of CALLER: in a delegatecall the caller of the caller. */
  readonly caller: Address
  /** The account that executes: its storage and balance are used. */
  readonly address: Address
  /** The account whose code runs; the new account in a creation. */
  readonly codeAddress: Address
  /** Wei. In a delegatecall nothing is transferred. */
  readonly value: bigint
  readonly gas: number
  /** Call data, or init code of a creation. */
  readonly data: Uint8Array
  readonly isStatic: boolean
  /** The frame that called it; absent for the outermost frame. */
  readonly parent: Frame | undefined
  /** The range of the caller's memory for the output. */
  readonly output: Span
}

/** Initial values of a frame. */
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
  /** Whether the frame ran code of a contract. */
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
  /** Return data of the last call or creation. */
  returnData: Uint8Array = EMPTY_BYTES
  /** Refund for storage when the frame began. */
  readonly refundBefore: number
  /** Gas that the running call instruction forwards; computed with its cost. */
  forwardedGas = 0
  /** False once it has ended, and while it waits for a frame it called. */
  isRunning = true
  /** Number of words on the stack. */
  height = 0
  /** The stack, bottom first; words above `height` are unused. */
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

  /** Pops the topmost word; the machine has checked the height. */
  pop(): bigint {
    return this.words[--this.height] ?? 0n
  }

  push(word: bigint): void {
    this.words[this.height++] = word
  }

  /** The word at a depth below the topmost. */
  peek(below: number): bigint {
    return this.words[this.height - 1 - below] ?? 0n
  }
}

/** Whether the message creates a contract. */
export const isCreation = ({ kind }: FrameInput): boolean => kind === 'create' || kind === 'create2'
