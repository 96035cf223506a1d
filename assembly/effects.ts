/** Performs the instructions on memory, data and storage, after their gas has been charged. */

import {
  CODE,
  CODE_LENGTH,
  DATA,
  DATA_LENGTH,
  MEMORY,
  OUTPUT,
  OUTPUT_LENGTH,
  RETURNED,
  RETURNED_LENGTH,
} from './layout'
import { keccak } from './keccak'
import { expand } from './memory'
import { raise } from './multiply'
import { loadSlot, storeSlot, storeTransient } from './storage'
import { reverse, saturated, set } from './words'

/** Performs an instruction. Returns the address of the top of the stack after it, or zero if the memory could not grow. */
export function perform(f: usize, opcode: u32, top: usize): usize {
  switch (opcode) {
    case 0x0a: // EXP
      raise(top, top - 32)
      return top - 32
    case 0x20: // KECCAK256
      return hash(f, top)
    case 0x37: // CALLDATACOPY
      return copyToMemory(f, top, load<usize>(f, DATA), load<u32>(f, DATA_LENGTH))
    case 0x39: // CODECOPY
      return copyToMemory(f, top, load<usize>(f, CODE), load<u32>(f, CODE_LENGTH))
    case 0x3e: // RETURNDATACOPY
      return copyReturned(f, top)
    case 0x51: // MLOAD
      return loadWord(f, top)
    case 0x52: // MSTORE
      return storeWord(f, top)
    case 0x53: // MSTORE8
      return storeByte(f, top)
    case 0x54: // SLOAD
      return loadSlot(f, top) ? top : 0
    case 0x55: // SSTORE
      return storeSlot(f, top) ? top - 64 : 0
    case 0x5d: // TSTORE
      return storeTransient(f, top) ? top - 64 : 0
    case 0x5e: // MCOPY
      return moveInMemory(f, top)
    default:
      // scripts/build-core.js checks that the loop asks for no other opcode.
      return 0
  }
}

function hash(f: usize, top: usize): usize {
  const offset = saturated(top)
  const length = saturated(top - 32)
  if (!expand(f, offset, length)) return 0
  keccak(f + MEMORY + <usize>offset, <usize>length, top - 32)
  return top - 32
}

/** Takes three words: destination, source offset and length. Bytes beyond the source are zero. */
function copyToMemory(f: usize, top: usize, source: usize, available: u64): usize {
  const offset = saturated(top)
  const from = saturated(top - 32)
  const length = saturated(top - 64)
  if (!expand(f, offset, length)) return 0
  if (!length) return top - 96
  const to = f + MEMORY + <usize>offset
  const known = from < available ? min(length, available - from) : 0
  if (known) memory.copy(to, source + <usize>from, <usize>known)
  if (known < length) memory.fill(to + <usize>known, 0, <usize>(length - known))
  return top - 96
}

function copyReturned(f: usize, top: usize): usize {
  // The memory grows first, because the return data moves when the memory grows into it.
  if (!expand(f, saturated(top), saturated(top - 64))) return 0
  return copyToMemory(f, top, load<usize>(f, RETURNED), load<u32>(f, RETURNED_LENGTH))
}

function loadWord(f: usize, top: usize): usize {
  const offset = saturated(top)
  if (!expand(f, offset, 32)) return 0
  reverse(top, f + MEMORY + <usize>offset)
  return top
}

function storeWord(f: usize, top: usize): usize {
  const offset = saturated(top)
  if (!expand(f, offset, 32)) return 0
  reverse(f + MEMORY + <usize>offset, top - 32)
  return top - 64
}

function storeByte(f: usize, top: usize): usize {
  const offset = saturated(top)
  if (!expand(f, offset, 1)) return 0
  store<u8>(f + MEMORY + <usize>offset, load<u8>(top - 32))
  return top - 64
}

function moveInMemory(f: usize, top: usize): usize {
  const to = saturated(top)
  const from = saturated(top - 32)
  const length = saturated(top - 64)
  if (!expand(f, max(to, from), length)) return 0
  if (length) memory.copy(f + MEMORY + <usize>to, f + MEMORY + <usize>from, <usize>length)
  return top - 96
}

/** Sets the frame's output to a range of memory. Returns whether the memory could grow to it. */
export function setOutput(f: usize, top: usize): bool {
  const offset = saturated(top)
  const length = saturated(top - 32)
  if (!expand(f, offset, length)) return false
  store<u32>(f, length ? <u32>(f + MEMORY + <usize>offset) : 0, OUTPUT)
  store<u32>(f, <u32>length, OUTPUT_LENGTH)
  return true
}

/** Replaces an offset by the word of the call data there. */
export function loadData(f: usize, top: usize): void {
  const offset = saturated(top)
  const length = <u64>load<u32>(f, DATA_LENGTH)
  if (offset >= length) return set(top, 0)
  const at = load<usize>(f, DATA) + <usize>offset
  if (offset + 32 <= length) return reverse(top, at)
  set(top, 0)
  const known = <usize>(length - offset)
  for (let i: usize = 0; i < known; i++) store<u8>(top + 31 - i, load<u8>(at + i))
}

/** Pushes up to 32 bytes of code. Zeros follow the code. */
export function push(to: usize, from: usize, count: usize): void {
  set(to, 0)
  for (let i: usize = 0; i < count; i++) store<u8>(to + count - 1 - i, load<u8>(from + i))
}
