/** Memory of frames: the gas of its expansion, and the expansion. */

import {
  MAX_MEMORY,
  MEMORY,
  MEMORY_SIZE,
  OUT_OF_GAS,
  RETURNED,
  RETURNED_LENGTH,
  RULES,
} from './layout'
import { set } from './words'

/** Number of spare pages that are added with the needed ones. */
const SPARE_PAGES: u64 = 16

/** Address at which frames must end. */
let arenaEnd: u64 = 0xffff0000

export function arenaLimit(): u64 {
  return arenaEnd
}

/** Reserves the addresses from `end` on for the slot tables. */
export function limitArena(end: u64): void {
  arenaEnd = end
}

/** Grows the memory of WebAssembly, so that frames reach up to an address. Returns whether that was possible. */
export function reserve(end: u64): bool {
  if (end > arenaEnd) return false
  return reservePages(end)
}

export function reservePages(end: u64): bool {
  const pages = (end + 0xffff) >> 16
  const missing = <i64>pages - <i64>memory.size()
  if (missing <= 0) return true
  return memory.grow(<i32>(missing + SPARE_PAGES)) >= 0 || memory.grow(<i32>missing) >= 0
}

/** Memory gas: three per word, and a 512th of the square of the words (Yellow Paper, H.1). */
// @ts-ignore: decorator
@inline
function gasOf(words: u64): u64 {
  return 3 * words + ((words * words) >> 9)
}

function growthGas(f: usize, offset: u64, length: u64): i64 {
  const limit = <u64>load<f64>(RULES, MAX_MEMORY)
  if (offset > limit || length > limit || offset + length > limit) return OUT_OF_GAS
  const words = (offset + length + 31) >> 5
  return <i64>(gasOf(words) - gasOf(<u64>load<u32>(f, MEMORY_SIZE) >> 5))
}

/** Gas for expanding the memory to the end of a range; zero for an empty range. Negative if no gas suffices. */
// @ts-ignore: decorator
@inline
export function rangeGas(f: usize, offset: u64, length: u64): i64 {
  const end = offset + length
  if (!length || (end <= <u64>load<u32>(f, MEMORY_SIZE) && end >= offset)) return 0
  return growthGas(f, offset, length)
}

/** Expands the memory to a range whose gas has been charged. Returns whether it could grow. */
// @ts-ignore: decorator
@inline
export function expand(f: usize, offset: u64, length: u64): bool {
  return !length || offset + length <= <u64>load<u32>(f, MEMORY_SIZE) || grow(f, offset + length)
}

function grow(f: usize, end: u64): bool {
  const size = (end + 31) & ~31
  const from = f + MEMORY + load<u32>(f, MEMORY_SIZE)
  const to = <u64>f + MEMORY + size
  const returned = load<u32>(f, RETURNED_LENGTH)
  if (!reserve(to + returned)) return false
  // The return data is after the memory of the frame and moves up with it.
  if (returned && <u64>load<u32>(f, RETURNED) < to) {
    memory.copy(<usize>to, load<u32>(f, RETURNED), returned)
    store<u32>(f, <u32>to, RETURNED)
  }
  if (to - from <= 256) for (let at = from; at < <usize>to; at += 32) set(at, 0)
  else memory.fill(from, 0, <usize>to - from)
  store<u32>(f, <u32>size, MEMORY_SIZE)
  return true
}
