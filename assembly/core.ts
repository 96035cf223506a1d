/** The core of the machine: what its host (lib/evm/machine/core.ts) calls. */

import { MEMORY_SIZE } from '../lib/evm/machine/layout'
import { expand, rangeGas, reserve } from './memory'
import { insert } from './slots'

export { analyse } from './analysis'
export { run, step } from './loop'
export { checkpointSlots, clearSlots, revertSlots } from './slots'

/** Adds a slot under a word; answers its address, or zero if there is no room. */
export function insertSlot(account: u32, key: usize): usize {
  return insert(account, key)
}

/** Gas for reaching the end of a range of a frame's memory; negative if no gas suffices. */
export function memoryGas(f: usize, offset: f64, length: f64): f64 {
  return <f64>rangeGas(f, <u64>offset, <u64>length)
}

/** Makes a range of a frame's memory that has been paid for addressable; whether there was room. */
export function expandMemory(f: usize, offset: u32, length: u32): bool {
  return expand(f, offset, length)
}

/** Makes addresses up to an end usable; whether they are. */
export function reserveMemory(end: u32): bool {
  return reserve(end)
}
