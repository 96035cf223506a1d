/**
 * Writes a new frame to the memory of the core, after the memory of its caller. Call data and code that are not in the core
 * yet are written before it.
 */

import { roundUp, type Core } from './core.ts'
import { NO_SPAN, isCreation, type FrameInput, type Span } from './frame-input.ts'
import { Frame, type FrameStart } from './frame.ts'
import * as layout from '../../../assembly/layout.ts'

/** Input of a new frame besides the message. */
export interface FrameSetup {
  /** The calling frame; absent for the outermost frame. */
  readonly caller: Frame | undefined
  /** Number of the account whose storage it uses. */
  readonly storage: number
  readonly code: Uint8Array
}

/** Writes the header of a frame. @throws Halt 'out of gas' if the memory cannot grow */
export function openFrame(core: Core, message: FrameInput, { caller, code, storage }: FrameSetup): Frame {
  let at = caller === undefined ? layout.FRAMES : roundUp(caller.end)
  const isNew = isCreation(message)
  const data = isNew ? NO_SPAN : placeData(core, message.data, at)
  at = Math.max(at, roundUp(data.offset + data.length))
  const loaded = isNew ? core.writeCode(code, at) : core.loadCode(code, at)
  if (loaded.at >= at) at = roundUp(loaded.end)
  core.reserve(at + layout.MEMORY)
  const { u32, f64 } = core
  const index = at >>> 2
  u32[index + layout.POSITION / 4] = 0
  u32[index + layout.TOP / 4] = at + layout.STACK - 32
  u32[index + layout.CODE / 4] = loaded.at
  u32[index + layout.CODE_LENGTH / 4] = loaded.length
  u32[index + layout.DESTINATIONS / 4] = loaded.destinations
  u32[index + layout.BLOCKS / 4] = loaded.blocks
  u32[index + layout.RETURNED_LENGTH / 4] = 0
  u32[index + layout.MEMORY_SIZE / 4] = 0
  u32[index + layout.DATA / 4] = data.offset
  u32[index + layout.DATA_LENGTH / 4] = data.length
  u32[index + layout.IS_STATIC / 4] = message.isStatic ? 1 : 0
  u32[index + layout.STORAGE / 4] = storage
  f64[(at + layout.GAS) >>> 3] = message.gas
  core.setAddress(at + layout.ADDRESS, message.address)
  core.setAddress(at + layout.CALLER, message.caller)
  core.setWord(at + layout.VALUE, message.value)
  const refund = f64[layout.REFUND >>> 3] ?? 0
  const stateGas = stateGasIn(core)
  const checkpoint = core.wasm.checkpointSlots()
  return new Frame(core, message, { at, caller, code, checkpoint, refund, stateGas })
}

/** Writes call data to an address, unless it is in the memory of the caller already. Returns where it is. */
function placeData(core: Core, data: Uint8Array, at: number): Span {
  const { length } = data
  if (length === 0) return NO_SPAN
  if (core.holds(data)) return { offset: data.byteOffset, length }
  core.reserve(at + length)
  core.u8.set(data, at)
  return { offset: at, length }
}

/** Where new state is part of other prices, all frames share this. */
const NO_STATE_GAS = { used: 0, returned: 0 }

function stateGasIn({ f64 }: Core): FrameStart['stateGas'] {
  if (f64[(layout.RULES + layout.SLOT_STATE_GAS) >>> 3] === 0) return NO_STATE_GAS
  const used = f64[layout.STATE_GAS_USED >>> 3] ?? 0
  return { used, returned: f64[layout.STATE_GAS_RETURNED >>> 3] ?? 0 }
}
