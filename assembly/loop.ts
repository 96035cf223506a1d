/** The interpreter loop. It runs one frame until the frame ends or needs the machine, and can resume at every instruction. */

import {
  ADDRESS, BLOCKS, CALLER, CODE, CODE_LENGTH, DATA_LENGTH, ENVIRONMENT, FULL, SLICE_END_GAS, GAS, INVALID_JUMP, INVALID_OPCODE, IS_LAST,
  IS_NOTED, IS_STATIC, MEMORY, MEMORY_SIZE, MISSING_SLOT, OUTPUT_LENGTH, OUT_OF_GAS, POSITION, REFUND, REQUEST, RETURNED_LENGTH, MIN_GAS_AT_STORE,
  SLICE, STACK, STATIC_STATE_CHANGE, STEP_REFUND, TABLE, STOPS_AT_STORAGE, TOP, VALUE,
} from './layout'
import { fits, isDestination, knowBlock } from './analysis'
import { addModulo, divide, divideSigned, multiplyModulo, remainder, remainderSigned } from './divide'
import { loadData, setOutput, perform, push } from './effects'
import { dynamicGas } from './gas'
import { BLOCK_END, EXACT, announce, leave, leaveExactly, stackHalt } from './leaving'
import { multiply } from './multiply'
import { note } from './noted-blocks'
import { MISSING, loadTransient, refundAfter } from './storage'
import {
  add, and, byteAt, copy, countLeadingZeros, exchange, extendSign, isEqual, isLess, isLessSigned, isZero, not, or,
  reverse, saturated, set, shiftLeft, shiftRight, shiftRightSigned, subtract, xor,
} from './words'

/**
 * Three versions of the loop are compiled: two check gas and stack once for each basic block, one of which also notes the blocks;
 * the third checks them for each instruction. The types only select the version.
 */
type ByBlock = u64
type ByNotedBlock = f64
type ByInstruction = u32

// @ts-ignore: decorator
@inline
function isByBlock<T>(): bool {
  return sizeof<T>() == 8
}

// @ts-ignore: decorator
@inline
function notesBlocks<T>(): bool {
  return isFloat<T>()
}

/**
 * Runs a frame. If gas or stack does not suffice for a basic block, the loop that checks every instruction runs to the end of
 * that block.
 */
export function run(f: usize): i32 {
  let stop: i32
  do {
    stop = loop<ByBlock>(f, false, false)
    if (stop == EXACT) stop = loop<ByInstruction>(f, false, false)
  } while (stop == BLOCK_END)
  return stop
}

/** Runs a frame and notes the basic blocks that it enters. Stops also if there is no room for a further one. */
export function runAndNote(f: usize): i32 {
  let stop: i32
  do {
    stop = loop<ByNotedBlock>(f, false, false)
    if (stop == EXACT) stop = loop<ByInstruction>(f, false, false)
  } while (stop == BLOCK_END)
  // The instruction that needs the slot runs again, in a block that is noted already.
  store<bool>(IS_NOTED, stop == MISSING_SLOT)
  return stop
}

/**
 * Stops before the next instruction, so that an observer is notified of it. If `performs` is set, it first performs the
 * current instruction, of which the observer was notified before.
 */
export function step(f: usize, performs: bool): i32 {
  return loop<ByInstruction>(f, true, performs)
}

function loop<T>(f: usize, announces: bool, performs: bool): i32 {
  const code: usize = load<u32>(f, CODE)
  // The gas and stack of blocks, an entry per byte of code, zero before a block is first entered. Addresses of code are used as index, hence the difference.
  const blocks: usize = load<usize>(f, BLOCKS) - (code << 3)
  const bottom: usize = f + STACK - 32
  // The address of the instruction in the memory of the core.
  let pc: usize = code + load<u32>(f, POSITION)
  let sp: usize = load<u32>(f, TOP)
  // A float in memory, because JavaScript reads it as a number.
  let gas = <i64>load<f64>(f, GAS)
  let isBlockStart = true
  let isBlockEnd = false
  while (true) {
    const op = <u32>load<u8>(pc)
    if (isByBlock<T>()) {
      if (isBlockStart || op == 0x5b) {
        if (notesBlocks<T>() && !note(<u32>(pc - code))) { leave(f, pc, sp, gas); return FULL }
        const entry = blocks + (pc << 3)
        let block = load<u64>(entry)
        if (!fits(block, gas, <u32>(sp - bottom))) {
          block = knowBlock(block, entry, pc)
          if (!fits(block, gas, <u32>(sp - bottom))) { leave(f, pc, sp, gas); return EXACT }
        }
        gas -= <i64>(block & 0xffffffff)
        isBlockStart = false
      }
    } else {
      if (isBlockEnd && !announces) { leave(f, pc, sp, gas); return BLOCK_END }
      // Bits 0 to 15: static gas. From 16: minimum height of the stack. From 32: how much higher it may be. From 48: flags.
      const entry = load<u64>(TABLE + (op << 3))
      isBlockEnd = ((entry >> 48) & IS_LAST) != 0
      if (announces && pc - code >= <usize>load<u32>(f, CODE_LENGTH)) {
        leave(f, pc, sp, gas)
        store<u32>(f, 0, OUTPUT_LENGTH)
        return 0
      }
      const height = <u32>(sp - bottom)
      // A height below the minimum wraps around, so that it is above the maximum.
      const isOutOfRange = height - <u32>((entry >> 16) & 0xffff) > <u32>((entry >> 32) & 0xffff)
      let halt: i32 = isOutOfRange ? stackHalt(entry, height) : 0
      let cost: i64 = 0
      if (!halt) {
        cost = dynamicGas(f, op, sp, gas)
        // The slot is not in the cache of the core: the machine loads it, and resumes here.
        if (cost == MISSING) { copy(REQUEST, sp); leave(f, pc, sp, gas); return MISSING_SLOT }
        if (cost < 0) { halt = <i32>cost; cost = 0 }
        else if (cost + <i64>(entry & 0xffff) > gas) halt = OUT_OF_GAS
      }
      if (announces && !performs) {
        leave(f, pc, sp, gas)
        store<f64>(STEP_REFUND, op == 0x55 && cost > 0 ? refundAfter(f, sp) : load<f64>(REFUND))
        return announce(f, halt, cost)
      }
      performs = false
      if (halt) { leave(f, pc, sp, gas); return halt }
      gas -= cost + <i64>(entry & 0xffff)
    }
    // The opcodes have their names in lib/evm/machine/instructions/core.ts.
    switch (op) {
      // STOP, arithmetic
      case 0x00: { leave(f, pc, sp, gas); store<u32>(f, 0, OUTPUT_LENGTH); return 0 }
      case 0x01: { add(sp, sp - 32); sp -= 32; break }
      case 0x02: { multiply(sp, sp - 32); sp -= 32; break }
      case 0x03: { subtract(sp, sp - 32); sp -= 32; break }
      case 0x04: { divide(sp, sp - 32); sp -= 32; break }
      case 0x05: { divideSigned(sp, sp - 32); sp -= 32; break }
      case 0x06: { remainder(sp, sp - 32); sp -= 32; break }
      case 0x07: { remainderSigned(sp, sp - 32); sp -= 32; break }
      case 0x08: { addModulo(sp, sp - 32, sp - 64); sp -= 64; break }
      case 0x09: { multiplyModulo(sp, sp - 32, sp - 64); sp -= 64; break }
      case 0x0b: { extendSign(sp, sp - 32); sp -= 32; break }
      // LT to CLZ: comparisons and bits
      case 0x10: { set(sp - 32, u64(isLess(sp, sp - 32))); sp -= 32; break }
      case 0x11: { set(sp - 32, u64(isLess(sp - 32, sp))); sp -= 32; break }
      case 0x12: { set(sp - 32, u64(isLessSigned(sp, sp - 32))); sp -= 32; break }
      case 0x13: { set(sp - 32, u64(isLessSigned(sp - 32, sp))); sp -= 32; break }
      case 0x14: { set(sp - 32, u64(isEqual(sp, sp - 32))); sp -= 32; break }
      case 0x15: { set(sp, u64(isZero(sp))); break }
      case 0x16: { and(sp, sp - 32); sp -= 32; break }
      case 0x17: { or(sp, sp - 32); sp -= 32; break }
      case 0x18: { xor(sp, sp - 32); sp -= 32; break }
      case 0x19: { not(sp); break }
      case 0x1a: { byteAt(sp, sp - 32); sp -= 32; break }
      case 0x1b: { shiftLeft(sp, sp - 32); sp -= 32; break }
      case 0x1c: { shiftRight(sp, sp - 32); sp -= 32; break }
      case 0x1d: { shiftRightSigned(sp, sp - 32); sp -= 32; break }
      case 0x1e: { countLeadingZeros(sp); break }
      // ADDRESS to RETURNDATASIZE: the frame and the transaction
      case 0x30: { sp += 32; copy(sp, f + ADDRESS); break }
      case 0x32: { sp += 32; copy(sp, ENVIRONMENT); break }
      case 0x33: { sp += 32; copy(sp, f + CALLER); break }
      case 0x34: { sp += 32; copy(sp, f + VALUE); break }
      case 0x35: { loadData(f, sp); break }
      case 0x36: { sp += 32; set(sp, load<u32>(f, DATA_LENGTH)); break }
      case 0x38: { sp += 32; set(sp, load<u32>(f, CODE_LENGTH)); break }
      case 0x3a: { sp += 32; copy(sp, ENVIRONMENT + 32); break }
      case 0x3d: { sp += 32; set(sp, load<u32>(f, RETURNED_LENGTH)); break }
      // COINBASE to CHAINID, BASEFEE, BLOBBASEFEE, SLOTNUM: the block
      case 0x41: case 0x42: case 0x43: case 0x44: case 0x45: case 0x46: {
        sp += 32; copy(sp, ENVIRONMENT + 64 + ((op - 0x41) << 5)); break
      }
      case 0x48: { sp += 32; copy(sp, ENVIRONMENT + 256); break }
      case 0x4a: { sp += 32; copy(sp, ENVIRONMENT + 288); break }
      case 0x4b: { sp += 32; copy(sp, ENVIRONMENT + 320); break }
      // POP, MLOAD, MSTORE. A negative cost is a reason to halt; unsigned, it is greater than every gas.
      case 0x50: { sp -= 32; break }
      case 0x51: {
        const offset = saturated(sp)
        if (offset + 32 > <u64>load<u32>(f, MEMORY_SIZE) || offset >= u32.MAX_VALUE) {
          if (isByBlock<T>()) {
            const cost = dynamicGas(f, op, sp, gas)
            if (<u64>cost > <u64>gas) return leaveExactly(f, pc, sp, gas)
            gas -= cost
          }
          if (!perform(f, op, sp)) { leave(f, pc, sp, gas); return OUT_OF_GAS }
          break
        }
        reverse(sp, f + MEMORY + <usize>offset)
        break
      }
      case 0x52: {
        const offset = saturated(sp)
        if (offset + 32 > <u64>load<u32>(f, MEMORY_SIZE) || offset >= u32.MAX_VALUE) {
          if (isByBlock<T>()) {
            const cost = dynamicGas(f, op, sp, gas)
            if (<u64>cost > <u64>gas) return leaveExactly(f, pc, sp, gas)
            gas -= cost
          }
          if (!perform(f, op, sp)) { leave(f, pc, sp, gas); return OUT_OF_GAS }
          sp -= 64
          break
        }
        reverse(f + MEMORY + <usize>offset, sp - 32)
        sp -= 64
        break
      }
      // EXP, KECCAK256, CALLDATACOPY, CODECOPY, RETURNDATACOPY, MSTORE8, MCOPY
      case 0x0a: case 0x20: case 0x37: case 0x39: case 0x3e: case 0x53: case 0x5e: {
        if (isByBlock<T>()) {
          const cost = dynamicGas(f, op, sp, gas)
          if (<u64>cost > <u64>gas) return leaveExactly(f, pc, sp, gas)
          gas -= cost
        }
        sp = perform(f, op, sp)
        if (!sp) { leave(f, pc, sp, gas); return OUT_OF_GAS }
        break
      }
      // SLOAD, SSTORE
      case 0x54: case 0x55: {
        if (isByBlock<T>()) {
          const cost = dynamicGas(f, op, sp, gas)
          if (<u64>cost > <u64>gas) return leaveExactly(f, pc, sp, gas)
          gas -= cost
        }
        copy(REQUEST, sp)
        copy(REQUEST + 32, sp - 32)
        sp = perform(f, op, sp)
        if (!sp) { leave(f, pc, sp, gas); return OUT_OF_GAS }
        // A tracer wants to be notified of storage.
        if (load<u32>(STOPS_AT_STORAGE)) { leave(f, pc + 1, sp, gas); return op }
        isBlockStart = true
        break
      }
      // JUMP, JUMPI
      case 0x56: {
        const to = saturated(sp)
        sp -= 32
        if (!isDestination(f, to)) { leave(f, pc, sp, gas); return INVALID_JUMP }
        pc = code + <usize>to
        if (gas < <i64>load<f64>(f, SLICE_END_GAS)) { leave(f, pc, sp, gas); return SLICE }
        continue
      }
      case 0x57: {
        const to = saturated(sp)
        const isTaken = !isZero(sp - 32)
        sp -= 64
        isBlockStart = true
        if (!isTaken) break
        if (!isDestination(f, to)) { leave(f, pc, sp, gas); return INVALID_JUMP }
        pc = code + <usize>to
        if (gas < <i64>load<f64>(f, SLICE_END_GAS)) { leave(f, pc, sp, gas); return SLICE }
        continue
      }
      // PC, MSIZE, GAS, JUMPDEST, TLOAD, TSTORE. After GAS, the outcome may depend on the gas limit: estimates ask for it.
      case 0x58: { sp += 32; set(sp, pc - code); break }
      case 0x59: { sp += 32; set(sp, load<u32>(f, MEMORY_SIZE)); break }
      case 0x5a: { sp += 32; set(sp, <u64>gas); store<f64>(MIN_GAS_AT_STORE, 0); isBlockStart = true; break }
      case 0x5b: break
      case 0x5c: { loadTransient(f, sp); break }
      case 0x5d: {
        if (load<u32>(f, IS_STATIC)) { leave(f, pc, sp, gas); return STATIC_STATE_CHANGE }
        sp = perform(f, op, sp)
        if (!sp) { leave(f, pc, sp, gas); return OUT_OF_GAS }
        break
      }
      // PUSH0 to PUSH32
      case 0x5f: { sp += 32; set(sp, 0); break }
      case 0x60: { sp += 32; set(sp, load<u8>(pc, 1)); pc += 2; continue }
      case 0x61: { sp += 32; set(sp, bswap<u16>(load<u16>(pc, 1))); pc += 3; continue }
      case 0x63: { sp += 32; set(sp, bswap<u32>(load<u32>(pc, 1))); pc += 5; continue }
      case 0x7f: { sp += 32; reverse(sp, pc + 1); pc += 33; continue }
      case 0x62: case 0x64: case 0x65: case 0x66: case 0x67: {
        sp += 32; set(sp, bswap<u64>(load<u64>(pc, 1)) >> ((0x67 - op) << 3)); pc += op - 0x5e; continue
      }
      case 0x68: case 0x69: case 0x6a: case 0x6b: case 0x6c: case 0x6d: case 0x6e: case 0x6f:
      case 0x70: case 0x71: case 0x72: case 0x73: case 0x74: case 0x75: case 0x76: case 0x77:
      case 0x78: case 0x79: case 0x7a: case 0x7b: case 0x7c: case 0x7d: case 0x7e: {
        sp += 32; push(sp, pc + 1, op - 0x5f); pc += op - 0x5e; continue
      }
      // DUP1 to DUP16
      case 0x80: { copy(sp + 32, sp); sp += 32; break }
      case 0x81: { copy(sp + 32, sp - 32); sp += 32; break }
      case 0x82: { copy(sp + 32, sp - 64); sp += 32; break }
      case 0x83: case 0x84: case 0x85: case 0x86: case 0x87: case 0x88: case 0x89:
      case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x8e: case 0x8f: {
        copy(sp + 32, sp - ((op - 0x80) << 5)); sp += 32; break
      }
      // SWAP1 to SWAP16
      case 0x90: { exchange(sp, sp - 32); break }
      case 0x91: { exchange(sp, sp - 64); break }
      case 0x92: case 0x93: case 0x94: case 0x95: case 0x96: case 0x97: case 0x98: case 0x99:
      case 0x9a: case 0x9b: case 0x9c: case 0x9d: case 0x9e: case 0x9f: {
        exchange(sp, sp - ((op - 0x8f) << 5)); break
      }
      // LOG0 to LOG4
      case 0xa0: case 0xa1: case 0xa2: case 0xa3: case 0xa4: {
        if (isByBlock<T>()) {
          const cost = dynamicGas(f, op, sp, gas)
          if (<u64>cost > <u64>gas) return leaveExactly(f, pc, sp, gas)
          gas -= cost
        }
        if (!setOutput(f, sp)) { leave(f, pc, sp, gas); return OUT_OF_GAS }
        for (let i: usize = 0; i < <usize>op - 0xa0; i++) copy(<usize>REQUEST + (i << 5), sp - 64 - (i << 5))
        leave(f, pc + 1, sp - ((op - 0x9e) << 5), gas)
        return op
      }
      // RETURN, REVERT
      case 0xf3: case 0xfd: {
        if (isByBlock<T>()) {
          const cost = dynamicGas(f, op, sp, gas)
          if (<u64>cost > <u64>gas) return leaveExactly(f, pc, sp, gas)
          gas -= cost
        }
        if (!setOutput(f, sp)) { leave(f, pc, sp, gas); return OUT_OF_GAS }
        leave(f, pc, sp - 64, gas)
        return op
      }
      // INVALID
      case 0xfe: { leave(f, pc, sp, gas); return INVALID_OPCODE }
      // The machine (lib/evm/machine) charges and performs all other instructions.
      default: { leave(f, pc, sp, gas); return op }
    }
    pc++
  }
}
