/** Hooks into a running execution, with the names of geth's (go-ethereum, core/tracing/hooks.go). */

import type { Address, Hash } from '../base/hex.ts'
import type { StateListener } from '../state/state.ts'
import type { Log, Status } from './outcome.ts'
import type { Rules } from './rules.ts'

/** The instruction or the transaction that a frame comes from. */
export type FrameKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall' | 'create' | 'create2'

/** A frame that is entered: a call, a creation or a self-destruct. */
export interface EnterEvent {
  readonly kind: FrameKind | 'selfdestruct'
  /** 0 for the outermost frame. */
  readonly depth: number
  /** The account that calls, creates or destroys itself; in a delegatecall the account whose storage is used. */
  readonly from: Address
  /** The account whose code is called, the new contract, or the beneficiary of a self-destruct. */
  readonly to: Address
  /** Wei. A delegatecall has the value of the call that its caller runs in. */
  readonly value: bigint
  /** Gas that the frame can use, with the stipend. */
  readonly gas: bigint
  /** Call data or init code; valid until the hook returns. */
  readonly input: Uint8Array
  readonly isPrecompile: boolean
}

/** The end of the frame that was entered last and has not ended. */
export interface ExitEvent {
  readonly status: Status
  readonly gasUsed: bigint
  /** Return data, revert data, or the code of the created contract. */
  readonly output: Uint8Array
  /** Name of the exception when the status is `failed`. */
  readonly exception: string | undefined
  /** Whether the frame ran the code of a contract. */
  readonly ranCode: boolean
  /** Position of the instruction that ended the frame; undefined if it ran no code. */
  readonly position: number | undefined
}

/** An instruction at the moment before it runs; valid until the hook returns or its promise is resolved. */
export interface Step {
  readonly pc: number
  /** The byte in the code. */
  readonly opcode: number
  /** Name of the instruction; absent when the opcode is not defined. */
  readonly name: string | undefined
  /** Number of words that the instruction takes from the stack. */
  readonly inputs: number
  readonly gasLeft: bigint
  /** Includes the gas that a call forwards. If computing the dynamic gas failed, it is only the constant gas. */
  readonly cost: bigint
  /** Refund counter, including the change by an SSTORE itself (geth, gasSStoreEIP2200 in core/vm/gas_table.go). */
  readonly refund: number
  /** 0 in the outermost frame. */
  readonly depth: number
  /** Bottom first. */
  readonly stack: readonly bigint[]
  readonly height: number
  /** The stack word with a number of words above it: 0 is the top. Only until the instruction runs. */
  word(below: number): bigint
  /** Not yet expanded by this instruction. */
  readonly memory: Uint8Array
  /** The account that executes. */
  readonly address: Address
}

/**
 * Observes one execution. An absent hook costs no time. Changes, logs and accesses are reported when they happen; if a
 * frame exits without success, its own are reverted.
 */
export interface Observer extends StateListener {
  /** The execution waits for the promise, which must not be rejected. A hook that throws ends the execution. */
  readonly onOpcode?: ((step: Step) => Promise<void> | undefined) | undefined
  /**
   * Called when the execution begins, and then after every few milliseconds of its work, with a description for people. The
   * execution waits for the promise, which must not be rejected. A hook that throws ends the execution.
   */
  readonly onSlice?: ((running?: { readonly title: string }) => Promise<void> | undefined) | undefined
  /**
   * The basic blocks that the innermost frame entered since the last report, as positions of their first instructions, in order. It
   * is called before the frame calls another one, when it ends, and at times in between. A block ends before a JUMPDEST and after a
   * jump, an instruction that ends the frame, accesses storage, an account or the gas left, logs, calls or creates. All arrays are
   * valid until the hook returns, except code of an account: it is the same array at each of its runs. Not called if there is a
   * hook for instructions or faults.
   */
  readonly onBlocks?: ((code: Uint8Array, blocks: Uint32Array) => void) | undefined
  /** An exception ended the frame at this instruction. Unlike in geth, REVERT is not a fault. */
  readonly onFault?: ((step: Step, exception: string) => void) | undefined
  /** Also called for calls and creations that cannot begin because of depth or value, and for self-destructs. */
  readonly onEnter?: ((event: EnterEvent) => void) | undefined
  readonly onExit?: ((event: ExitEvent) => void) | undefined
  readonly onLog?: ((log: Log) => void) | undefined
  /**
   * An account enters `accessed_addresses` (EIP-2929), or is accessed again; also called on networks without that EIP.
   * For accounts that the transaction itself accesses (EIP-7702), it is called before the frame is entered.
   */
  readonly onAccountAccess?: ((address: Address) => void) | undefined
  /** The same for `accessed_storage_keys`. */
  readonly onStorageAccess?: ((address: Address, slot: Hash) => void) | undefined
  /**
   * The transaction has ended. Its changes are still in the state, even those of a simulated call. On a fork it is called more than
   * once, and may throw `NotLoadedError` before the last time; only then is the gas known.
   */
  readonly onTransactionEnd?: ((gasUsed?: bigint) => void) | undefined
}

/** An observer whose hooks return no promises, so that it never pauses the execution. */
export interface SyncObserver extends Observer {
  readonly onOpcode?: ((step: Step) => undefined) | undefined
  readonly onSlice?: (() => undefined) | undefined
}

/** The part of an observer that pauses an execution, or ends one that takes too long. */
export type CallTimer = Pick<Observer, 'onSlice'>

/** Counts the runs of one code. */
export interface CodeMonitor {
  /**
   * Basic blocks that a frame entered, as positions of their first instructions; valid until the method returns. `previous` is the
   * block that the frame ran before them, unless another frame ran in between.
   */
  count(blocks: Uint32Array, previous: number | undefined): void
  /** An exception ended a frame at this instruction, so the rest of its basic block did not run. */
  halt(position: number): void
}

export interface RunningCode {
  /** An account's code is the same array at each run. Init code ends with the constructor's arguments. */
  readonly code: Uint8Array
  readonly isCreation: boolean
  readonly rules: Rules
}

/** Counts executions by code, or notes which codes run. Init code is valid until a method returns. */
export interface ExecutionMonitor {
  monitorOf?(running: RunningCode): CodeMonitor | undefined
  /** A frame begins to run the code. */
  codeEntered?(running: RunningCode): void
}

/** Returns the monitor for executions of a chain that begin now; undefined if they are not monitored. The default chain has no id. */
export type CurrentMonitor = (worldId?: string) => ExecutionMonitor | undefined
