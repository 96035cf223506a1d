/** Struct logs: one entry per instruction in geth's format (go-ethereum, eth/tracers/logger), written during the run. */

import { getOrAdd } from '../../base/once.ts'
import { toHex, type Address } from '../../base/hex.ts'
import type { Observer, Step } from '../../evm/observer.ts'
import {
  isCreation,
  gethExceptionText,
  opcodeName,
  storedWord,
  touchedSlot,
} from '../../insight/replay/call-tree.ts'
import type { Tracer, TracerInput } from './tracer.ts'

/** Traces every instruction. Memory is included unless `disableMemory` is set. */
export function structLogs(input: TracerInput): Tracer {
  const { sink, config } = input
  const entryOf = entryTexts(input)
  /** For each running frame: whether it creates a contract, and the return data of its last call. */
  const frames: { readonly isCreation: boolean; returned: string }[] = []
  /** The newest entry without its closing brace, so that an error can be added if its instruction fails. */
  let open: string | undefined
  /** Whether the newest entry is that of a REVERT. */
  let isReverting = false
  /** Whether the number of entries has reached the limit. */
  let isFull = false
  let count = 0
  void sink.write('{"structLogs":[')
  const observer: Observer = {
    onOpcode: (step) => {
      isFull = config.limit !== undefined && count >= config.limit
      isReverting = !isFull && step.name === 'REVERT'
      if (isFull) return undefined
      const closed = open === undefined ? '' : `${open}},`
      open = entryOf(step, frames.at(-1)?.returned ?? '0x')
      count++
      return sink.write(closed)
    },
    onFault: (step, exception) => {
      isReverting = false
      if (!isFull) open = `${open ?? ''},"error":${JSON.stringify(gethExceptionText(exception, step))}`
    },
    onEnter: (event) => void frames.push({ isCreation: isCreation(event), returned: '0x' }),
    onExit: ({ status, output }) => {
      const frame = frames.pop()
      const caller = frames.at(-1)
      // A failed frame returns no data. A creation returns data only if it is reverted.
      const isEmpty = status === 'failed' || (status === 'success' && frame?.isCreation === true)
      if (caller !== undefined) caller.returned = isEmpty ? '0x' : toHex(output)
      if (isReverting) open = `${open ?? ''},"reason":"${toHex(output)}"`
      isReverting = false
    },
  }
  return {
    observer,
    end: ({ gasUsed, status, returnData }) => {
      const last = open === undefined ? '' : `${open}}`
      const returned = status === 'failed' ? '0x' : toHex(returnData)
      return `${last}],"gas":${gasUsed},"failed":${status !== 'success'},"returnValue":"${returned}"}`
    },
  }
}

/** Returns a step's entry without the closing brace; `returned` is the return data of its frame's last call. */
function entryTexts({ config, traced: { state } }: TracerInput): (step: Step, returned: string) => string {
  const stackText = stackTexts((word) => `"0x${word.toString(16)}"`)
  const memoryText = memoryTexts('0x')
  const storage: TouchedSlots = new Map()
  /** The account's slots touched so far, if the instruction itself touches one. */
  const storageOf = (step: Step): string => {
    const { address } = step
    const touched = touchedSlot(step)
    if (touched === undefined) return ''
    const { slot, written = storedWord(state, address, slot) } = touched
    getOrAdd(storage, address, () => new Map()).set(slot, written)
    return `,"storage":${slotsText(storage, address)}`
  }
  return (step, returned) => {
    const { pc, gasLeft, cost, depth } = step
    let text = `{"pc":${pc},"op":"${opcodeName(step)}","gas":${gasLeft},"gasCost":${cost},"depth":${depth + 1}`
    if (!config.disableStack) text += `,"stack":${stackText(step.stack)}`
    if (!config.disableMemory) text += `,"memory":${memoryText(step.memory)}`
    if (config.enableReturnData && returned !== '0x') text += `,"returnData":"${returned}"`
    if (!config.disableStorage) text += storageOf(step)
    return step.refund === 0 ? text : `${text},"refund":${step.refund}`
  }
}

/** Returns a stack as JSON, bottom first. Words that did not change since the last step are not rendered again. */
export function stackTexts(wordText: (value: bigint) => string): (stack: readonly bigint[]) => string {
  let last: readonly bigint[] = []
  /** Text of the words up to and including each position. */
  const upTo: string[] = []
  return (stack) => {
    let same = 0
    while (same < stack.length && same < upTo.length && stack[same] === last[same]) same++
    upTo.length = same
    for (let position = same; position < stack.length; position++) {
      const text = wordText(stack[position] ?? 0n)
      upTo.push(position === 0 ? text : `${upTo[position - 1] ?? ''},${text}`)
    }
    last = stack
    return `[${upTo.at(-1) ?? ''}]`
  }
}

/** Returns the words of a memory as JSON. The prefix precedes the 64 hex digits of each. */
export function memoryTexts(prefix: '0x' | ''): (memory: Uint8Array) => string {
  let last = new Uint8Array(0)
  let text = '[]'
  return (memory) => {
    if (Buffer.compare(memory, last) === 0) return text
    const words = toHex(memory).slice(2).match(/.{64}/g) ?? []
    // Copied, because the next instructions change the memory.
    last = memory.slice()
    return (text = `[${words.map((word) => `"${prefix}${word}"`).join(',')}]`)
  }
}

/** Touched storage slots by account, in order of first access, as hex texts in the tracer's format. */
export type TouchedSlots = Map<Address, Map<string, string>>

export const slotsText = (slots: TouchedSlots, account: Address): string =>
  JSON.stringify(Object.fromEntries(slots.get(account) ?? []))

/** Maximum number of zero bytes that geth adds when memory is read beyond its end (go-ethereum, eth/tracers/internal/util.go). */
export const MAX_PADDING = 1024 * 1024

/** A part of the memory, with zeros after its end. */
export function paddedSlice(memory: Uint8Array, begin: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - begin)
  bytes.set(memory.subarray(begin, end))
  return bytes
}
