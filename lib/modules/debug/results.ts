/**
 * Schemas of the debugger's results: sessions, stacks, variables, motions, breakpoints. For documents and tests; they are made when they
 * are first used: a start does without them.
 */

import * as z from 'zod'
import { addressText, count, dataText, hashText, list, quantityText, text } from '../../schema/results.ts'

/** Whole part of a source: bytes of its UTF-8 text, and lines and columns from 1. */
const debugPlace = z.lazy(() =>
  z.strictObject({
    /** Id of the source in dev_debugSource. */
    id: text,
    /** Path as the compiler names it. */
    path: text,
    start: count,
    end: count,
    line: z.int().positive(),
    column: z.int().positive(),
    endLine: z.int().positive(),
    endColumn: z.int().positive(),
  }),
)

export type DebugPlace = z.output<typeof debugPlace>

/** An open session: the recorded execution of a transaction, a failure or a call. */
export const debugSession = z.lazy(() =>
  z.strictObject({
    session: text,
    /** Number of instructions. */
    steps: count,
    /** Step of the first statement; 0 if no statement is known. */
    first: count,
    /** Step of the last instruction. */
    last: count,
    /** Step at which the failure began, as far as the execution failed. */
    failure: count.optional(),
    status: z.enum(['success', 'reverted', 'failed']),
    /** Reason of the failure in words. */
    reason: text.optional(),
    /** Whether the execution had more instructions: those after the last step were not recorded. */
    isCut: z.literal(true).optional(),
    /** Hash of the transaction; absent for a call. */
    hash: hashText.optional(),
  }),
)

export type DebugSessionResult = z.output<typeof debugSession>

const debugFrame = z.lazy(() =>
  z.strictObject({
    /** 0 for the outermost function. */
    frame: count,
    /** Such as `Shop.buy`, `Shop.onlyOwner` or `Shop.constructor`; `0x... (unknown contract)` without artifacts. */
    name: text,
    kind: z.enum(['function', 'modifier', 'constructor', 'assembly', 'contract', 'unknown']),
    address: addressText,
    contract: text.optional(),
    /** Whether the function began a frame of the machine: it was called by a message, or it creates a contract. */
    isExternal: z.boolean(),
    /** Where it is; absent if the source is not known. */
    place: debugPlace.optional(),
    /** Step at which the function was entered. */
    entered: count,
    /** Step at which this function is: of a caller, that of its call. */
    step: count,
    pc: count,
  }),
)

export type DebugFrame = z.output<typeof debugFrame>

/** The running functions at a step, innermost first. */
export const debugStack = z.lazy(() =>
  z.strictObject({
    step: count,
    /** Name of the instruction that runs next. */
    op: text,
    gasLeft: quantityText,
    frames: list(debugFrame),
    /** The failure that happens at this step. */
    exception: z.strictObject({ reason: text, isCaught: z.boolean() }).optional(),
  }),
)

/** The running functions at a step. */
export type DebugStack = z.output<typeof debugStack>

/** A variable or the value of an expression; `unknown` says why there is none. */
export const debugVariable = z.lazy(() =>
  z.strictObject({
    name: text,
    /** As in Solidity. */
    type: text.optional(),
    /** Empty if the value is not known. */
    value: text,
    /** Why the value is not known. */
    unknown: text.optional(),
    /** Number of parts, which dev_debugVariables lists at the path with the name of this variable added. */
    parts: count,
    /** Place in the storage, for breakpoints on writes. */
    stored: z.strictObject({ address: addressText, slot: hashText, offset: count, bytes: count }).optional(),
  }),
)

export type DebugVariable = z.output<typeof debugVariable>

/** Variables of a scope or parts of a variable. */
export const debugVariables = z.lazy(() => list(debugVariable))

export const DEBUG_SCOPES = ['locals', 'state', 'message', 'storage', 'memory', 'stack'] as const

/** A place to go. */
export const debugStop = z.lazy(() =>
  z.strictObject({
    step: count,
    /** `end` and `start` if nothing was met on the way. */
    reason: z.enum(['step', 'breakpoint', 'function', 'exception', 'event', 'call', 'write', 'end', 'start']),
    /** Ids of the breakpoints that were met. */
    breakpoints: list(z.int()),
    /** Texts of the logpoints that were passed, in order. */
    logs: list(z.strictObject({ breakpoint: z.int(), text })),
    /** Sentence about the reason, such as the reason of a revert or both values of a written variable. */
    text: text.optional(),
  }),
)

/** Where a motion ended. */
export type DebugStop = z.output<typeof debugStop>

/** A function that the statement at a step is going to enter. */
export const debugTargets = z.lazy(() =>
  list(z.strictObject({ step: count, name: text, place: debugPlace.optional() })),
)

/** Functions that a statement enters. */
export type DebugTargets = z.output<typeof debugTargets>

/** A breakpoint as the node placed it. */
export const placedBreakpoints = z.lazy(() =>
  list(
    z.strictObject({
      id: z.int(),
      isPlaced: z.boolean(),
      /** Line of the statement that it stops at. */
      line: z.int().positive().optional(),
      /** Why it is not placed, or what is wrong with its condition. */
      message: text.optional(),
    }),
  ),
)

export type PlacedBreakpoints = z.output<typeof placedBreakpoints>

/** Instructions of the code of a function's frame, around its own. */
export const debugCode = z.lazy(() =>
  list(
    z.strictObject({
      pc: count,
      op: text,
      /** Data of a PUSH. */
      data: dataText.optional(),
      place: debugPlace.optional(),
    }),
  ),
)

export type DebugCode = z.output<typeof debugCode>

/** A stop of an attached debugger; the request waits for its end, except with the reason `end`: it only passed logpoints. */
export const heldStop = z.lazy(() =>
  z
    .strictObject({
      /** Of the stop, to resume it. */
      stop: z.int().positive(),
      session: debugSession,
      /** The method of the request that waits. */
      method: text,
      /** Id of the world; null for the default chain. */
      world: text.nullable(),
      at: debugStop,
    })
    .nullable(),
)

/** A stop of an attached debugger; null if none came in time. */
export type HeldStop = z.output<typeof heldStop>
