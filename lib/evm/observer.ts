/** What can be seen of an execution while it runs. What is made of it is for lib/trace; the machine tells. */

import type { Address, Hash } from '../base/hex.ts'
import type { Status } from './outcome.ts'

/** How a frame came to run. */
export type FrameKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall' | 'create' | 'create2'

/** A call or a creation that begins. */
export interface Frame {
  readonly kind: FrameKind
  /** 0 for the outermost. */
  readonly depth: number
  /** Who calls or creates; in a delegatecall the account that executes. */
  readonly from: Address
  /** Whose code is asked for; absent for a creation, whose address is known when it ends. */
  readonly to: Address | undefined
  /** Wei; what is not sent again, as in a delegatecall, is said all the same. */
  readonly value: bigint
  readonly gas: bigint
  /** Call data or init code. Only valid until the caller goes on. */
  readonly input: Uint8Array
  /** Whether the code is one of the protocol's own. */
  readonly isPrecompile: boolean
}

/** How a frame ended. */
export interface FrameEnd {
  readonly status: Status
  readonly gasUsed: bigint
  /** Return data, revert data, or the code of the created contract. */
  readonly output: Uint8Array
  /** The exception's name when the status is `failed`. */
  readonly exception: string | undefined
  /** Address of a creation, also of a failed one. */
  readonly created: Address | undefined
  /** Whether there was code of a contract to run. */
  readonly ranCode: boolean
}

/** An instruction that is about to run. */
export interface Step {
  readonly pc: number
  /** The byte in the code. */
  readonly opcode: number
  /** Name of the instruction; absent for a byte that is none. */
  readonly name: string | undefined
  readonly gasLeft: bigint
  /** With what a call hands to the callee; only the fixed part where working it out already failed. */
  readonly cost: bigint
  /** Of the cost, what a call hands to the callee. */
  readonly handedOver: bigint
  /** 0 for the outermost frame. */
  readonly depth: number
  /** Bottom first. */
  readonly stack: readonly bigint[]
  /** As it is before the instruction makes it longer. */
  readonly memory: Uint8Array
  /** The account that executes. */
  readonly address: Address
  /** Its wei. */
  readonly balance: bigint
}

/** Watches one execution. What is absent costs nothing. */
export interface Observer {
  /** The execution goes on once the promise is resolved. It must not be rejected; throwing ends the execution. */
  readonly onStep?: (step: Step) => Promise<void> | undefined
  // To enter and to exit a frame are the words of geth's tracers.
  readonly onEnter?: (frame: Frame) => void
  readonly onExit?: (end: FrameEnd) => void
  /** An account was read, before anything changed it. Called again at every later reading. */
  readonly onAccount?: (address: Address) => void
  /** A word of storage was read, before anything changed it. */
  readonly onSlot?: (address: Address, slot: Hash) => void
  /** Everything has run, and a simulation is not undone yet. */
  readonly onEnd?: () => void
}

/** An observer that never asks for a pause. */
export interface PromptObserver extends Observer {
  readonly onStep?: (step: Step) => undefined
}
