/**
 * Stores the registers of the loop in the frame when the loop stops, so that it can resume, and computes the reason of the
 * stop.
 */

import {
  CODE, COST, GAS, HALT, INVALID_OPCODE, POSITION, STACK_OVERFLOW, STACK_UNDERFLOW, STEP, TOP,
} from './layout'
import { blockFrom } from './analysis'

/**
 * Result of the loop that checks gas and stack once per basic block: a block does not fit. The loop that checks every
 * instruction then finds the exception.
 */
export const EXACT: i32 = 0x300
/** Result of the loop that checks every instruction: the end of a basic block. */
export const BLOCK_END: i32 = 0x301

// @ts-ignore: decorator
@inline
export function leave(f: usize, at: usize, top: usize, gas: i64): void {
  store<u32>(f, <u32>(at - load<u32>(f, CODE)), POSITION)
  store<u32>(f, <u32>top, TOP)
  store<f64>(f, <f64>gas, GAS)
}

/**
 * Stops the loop that checks per block before an instruction, and refunds the gas that was charged for the rest of the block.
 */
export function leaveExactly(f: usize, at: usize, top: usize, gas: i64): i32 {
  leave(f, at, top, gas + <i64>(blockFrom(at) & 0xffffffff))
  return EXACT
}

/** The exception of an instruction that does not fit the stack. */
export function stackHalt(entry: u64, height: u32): i32 {
  const needed = <u32>((entry >> 16) & 0xffff)
  if (needed == 0xffff) return INVALID_OPCODE
  return height < needed ? STACK_UNDERFLOW : STACK_OVERFLOW
}

/** Stores exception and dynamic gas of the next instruction, of which an observer is then notified. */
export function announce(f: usize, halt: i32, cost: i64): i32 {
  store<i32>(f, halt, HALT)
  store<f64>(f, <f64>cost, COST)
  return STEP
}
