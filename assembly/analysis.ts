/**
 * Analyses contract code as it runs: finds jump destinations up to the farthest jump, and computes the constant gas and the stack
 * requirements of each basic block when it is first entered. Code that never runs, as the data behind a constructor, costs nothing.
 */

import { CODE, CODE_LENGTH, DESTINATIONS, GROWTH, IS_LAST, TABLE } from './layout'

const JUMPDEST: u32 = 0x5b
const PUSH1: u32 = 0x60
const PUSH32: u32 = 0x7f
const STACK_BYTES: i32 = 32768
/** The requirements of a block that never fits, because it needs more words than the stack can have. */
const NEVER: u64 = 0xffff << 32

/** Bytes from an instruction to the next one. */
// @ts-ignore: decorator
@inline
function lengthOf(opcode: u32): usize {
  return opcode >= PUSH1 && opcode <= PUSH32 ? <usize>opcode - PUSH1 + 2 : 1
}

/**
 * The instructions from an address to the end of their basic block, which is after an instruction with the flag IS_LAST, and before
 * a JUMPDEST: their gas (32 bits), the bytes that they need on the stack (16), and one more than the bytes that the stack may have
 * beyond these (16; zero if they never fit). Never zero.
 */
export function blockFrom(at: usize): u64 {
  let gas: u64 = 0
  let height: i32 = 0
  let needed: i32 = 0
  let maxHeight: i32 = 0
  do {
    const opcode = <u32>load<u8>(at)
    const entry = load<u64>(TABLE + (opcode << 3))
    gas += entry & 0xffff
    needed = max(needed, <i32>((entry >> 16) & 0xffff) - height)
    height += <i32>load<i8>(GROWTH + opcode) << 5
    maxHeight = max(maxHeight, height)
    if ((entry >> 48) & IS_LAST) break
    at += lengthOf(opcode)
  } while (load<u8>(at) != JUMPDEST)
  const range = STACK_BYTES - maxHeight - needed
  return range < 0 || needed > STACK_BYTES || gas > u32.MAX_VALUE ? NEVER : gas | (<u64>needed << 32) | (<u64>(range + 1) << 48)
}

/** Computes the requirements of the block at an address, unless `known`, those stored at `entry`, are not zero. */
export function knowBlock(known: u64, entry: usize, at: usize): u64 {
  if (known) return known
  const block = blockFrom(at)
  store<u64>(entry, block)
  return block
}

/** Whether a block fits the gas and the height of the stack. An unknown one, zero, does not. */
// @ts-ignore: decorator
@inline
export function fits(block: u64, gas: i64, height: u32): bool {
  return <i64>(block & 0xffffffff) <= gas && height - <u32>((block >> 32) & 0xffff) < <u32>(block >> 48)
}

/** Whether a position in the code of a frame is a JUMPDEST, and not data of a PUSH. */
// @ts-ignore: decorator
@inline
export function isDestination(f: usize, position: u64): bool {
  if (position >= <u64>load<u32>(f, CODE_LENGTH)) return false
  return isMarked(load<usize>(f, DESTINATIONS), <usize>position) || findDestinations(f, <usize>position)
}

// @ts-ignore: decorator
@inline
function isMarked(destinations: usize, position: usize): bool {
  return ((load<u8>(destinations + (position >> 3)) >> <u8>(position & 7)) & 1) != 0
}

/** Marks the jump destinations up to a position, from where the last search ended. Returns whether it is one. */
function findDestinations(f: usize, position: usize): bool {
  const code = load<usize>(f, CODE)
  const destinations = load<usize>(f, DESTINATIONS)
  let i: usize = load<u32>(destinations - 4)
  if (i > position) return false
  while (i <= position) {
    const opcode = <u32>load<u8>(code + i)
    if (opcode == JUMPDEST) {
      const at = destinations + (i >> 3)
      store<u8>(at, load<u8>(at) | (1 << <u8>(i & 7)))
    }
    i += lengthOf(opcode)
  }
  store<u32>(destinations - 4, <u32>i)
  return isMarked(destinations, position)
}
