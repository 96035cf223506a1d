/**
 * Writes a new frame to the memory of the core, after the memory of its caller. Call data and code that are not in the core
 * yet are written before it.
 */

import type { Core, LoadedCode } from './core.ts'
import type { FrameInput } from './frame-input.ts'
import { isCreation } from './frame-input.ts'
import { Frame } from './frame.ts'
import {
  ADDRESS,
  BLOCKS,
  CALLER,
  CODE,
  CODE_LENGTH,
  DATA,
  DATA_LENGTH,
  DESTINATIONS,
  FRAMES,
  GAS,
  IS_STATIC,
  MEMORY,
  MEMORY_SIZE,
  POSITION,
  REFUND,
  RETURNED_LENGTH,
  STACK,
  STORAGE,
  TOP,
  VALUE,
} from './layout.ts'

/** Input of a new frame besides the message. */
export interface FrameSetup {
  /** Number of the account whose storage it uses. */
  readonly storage: number
  readonly code: Uint8Array
}

const roundUp = (address: number): number => Math.ceil(address / 64) * 64

/** Writes the header of a frame. @throws Halt 'out of gas' if the memory cannot grow */
export function openFrame(core: Core, message: FrameInput, { storage, code }: FrameSetup): Frame {
  let at = message.parent === undefined ? FRAMES : roundUp(message.parent.end)
  const isNew = isCreation(message)
  const data = isNew ? NO_DATA : placeData(core, message.data, at)
  at = Math.max(at, roundUp(data.at + data.length))
  const loaded = isNew ? core.writeCode(code, at) : core.loadCode(code, at)
  if (loaded.at >= at) at = roundUp(loaded.end)
  core.reserve(at + MEMORY)
  const start = { code, checkpoint: core.checkpointSlots(), refund: core.f64[REFUND >>> 3] ?? 0 }
  writeHeader(core, at, loaded)
  const index = at >>> 2
  core.u32[index + DATA / 4] = data.at
  core.u32[index + DATA_LENGTH / 4] = data.length
  core.u32[index + IS_STATIC / 4] = message.isStatic ? 1 : 0
  core.u32[index + STORAGE / 4] = storage
  core.f64[(at + GAS) >>> 3] = message.gas
  core.setAddress(at + ADDRESS, message.address)
  core.setAddress(at + CALLER, message.caller)
  core.setWord(at + VALUE, message.value)
  return new Frame(message, core, at, start)
}

const NO_DATA = { at: 0, length: 0 }

/** Writes call data to an address, unless it is in the memory of the caller already. */
function placeData(core: Core, data: Uint8Array, at: number): typeof NO_DATA {
  const { length } = data
  if (length === 0) return NO_DATA
  if (core.holds(data)) return { at: data.byteOffset, length }
  core.reserve(at + length)
  core.u8.set(data, at)
  return { at, length }
}

function writeHeader(core: Core, at: number, code: LoadedCode): void {
  const { u32 } = core
  const index = at >>> 2
  u32[index + POSITION / 4] = 0
  u32[index + TOP / 4] = at + STACK - 32
  u32[index + CODE / 4] = code.at
  u32[index + CODE_LENGTH / 4] = code.length
  u32[index + DESTINATIONS / 4] = code.destinations
  u32[index + BLOCKS / 4] = code.blocks
  u32[index + RETURNED_LENGTH / 4] = 0
  u32[index + MEMORY_SIZE / 4] = 0
}
