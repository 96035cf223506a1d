/**
 * Analyses contract code: finds jump destinations, and computes the constant gas and the stack requirements of each basic
 * block.
 */

import { GROWTH, IS_LAST, TABLE } from './layout'

const JUMPDEST: u32 = 0x5b
const PUSH1: u32 = 0x60
const PUSH32: u32 = 0x7f
const STACK_BYTES: i32 = 32768
/** The requirements of a block that never fits, because it needs more words than the stack can have. */
const NEVER: u64 = 0xffff << 32

/**
 * Marks jump destinations, a bit for each position. Where a basic block begins, writes its gas (32 bits), the bytes that
 * it needs on the stack (16) and the bytes that the stack may have beyond these (16). A block ends after an instruction
 * with the flag IS_LAST, and before a JUMPDEST. The bits have to be zero at the start.
 */
export function analyse(code: usize, length: usize, destinations: usize, blocks: usize): void {
  let start: usize = 0
  let gas: u64 = 0
  let height: i32 = 0
  let needed: i32 = 0
  let maxHeight: i32 = 0
  for (let i: usize = 0; i <= length; i++) {
    const opcode = <u32>load<u8>(code + i)
    if (opcode == JUMPDEST && i < length) {
      const at = destinations + (i >> 3)
      store<u8>(at, load<u8>(at) | (1 << <u8>(i & 7)))
      if (i > start) {
        store<u64>(blocks + (start << 3), blockOf(gas, needed, maxHeight))
        start = i
        gas = 0
        height = 0
        needed = 0
        maxHeight = 0
      }
    }
    const entry = load<u64>(TABLE + (opcode << 3))
    gas += entry & 0xffff
    needed = max(needed, <i32>((entry >> 16) & 0xffff) - height)
    height += <i32>load<i8>(GROWTH + opcode) << 5
    maxHeight = max(maxHeight, height)
    if (opcode >= PUSH1 && opcode <= PUSH32) {
      i += opcode - PUSH1 + 1
    } else if ((entry >> 48) & IS_LAST) {
      store<u64>(blocks + (start << 3), blockOf(gas, needed, maxHeight))
      start = i + 1
      gas = 0
      height = 0
      needed = 0
      maxHeight = 0
    }
  }
  store<u64>(blocks + (start << 3), blockOf(gas, needed, maxHeight))
}

function blockOf(gas: u64, needed: i32, maxHeight: i32): u64 {
  const range = STACK_BYTES - maxHeight - needed
  return range < 0 || needed > STACK_BYTES || gas > u32.MAX_VALUE ? NEVER : gas | (<u64>needed << 32) | (<u64>range << 48)
}

/** Whether a block fits the gas and the height of the stack. */
// @ts-ignore: decorator
@inline
export function fits(block: u64, gas: i64, height: u32): bool {
  return <i64>(block & 0xffffffff) <= gas && height - <u32>((block >> 32) & 0xffff) <= <u32>(block >> 48)
}

/** Constant gas of the instructions from a position to the end of its block. */
export function restOfBlock(at: usize): i64 {
  let gas: u64 = 0
  do {
    const opcode = <u32>load<u8>(at)
    const entry = load<u64>(TABLE + (opcode << 3))
    gas += entry & 0xffff
    if ((entry >> 48) & IS_LAST) break
    at += opcode >= PUSH1 && opcode <= PUSH32 ? <usize>opcode - PUSH1 + 2 : 1
  } while (load<u8>(at) != JUMPDEST)
  return <i64>gas
}
