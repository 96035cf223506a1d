/** The exports of the core, which lib/evm/machine/core.ts calls. */

import { MEMORY_SIZE } from './layout'
import { expand, rangeGas, reserve } from './memory'
import { insert } from './slots'

export { run, runAndNote, step } from './loop'
export { checkpointSlots, clearSlots, revertSlots } from './slots'

/** Adds the slot of an account and a key. Returns its address, or zero if the table is full. */
export function insertSlot(account: u32, key: usize): usize {
  return insert(account, key)
}

/** Gas for expanding a frame's memory to the end of a range; negative if no gas suffices. */
export function memoryGas(f: usize, offset: f64, length: f64): f64 {
  return <f64>rangeGas(f, <u64>offset, <u64>length)
}

/** Expands a frame's memory to a range whose gas has been charged. Returns whether the memory could grow. */
export function expandMemory(f: usize, offset: u32, length: u32): bool {
  return expand(f, offset, length)
}

/** Grows the WebAssembly memory up to an address. Returns whether that was possible. */
export function reserveMemory(end: u32): bool {
  return reserve(end)
}
