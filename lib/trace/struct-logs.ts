/** One entry for every instruction, in geth's shape (go-ethereum, eth/tracers/logger). Written while the execution runs. */

import { toHex, toWord } from '../base/hex.ts'
import type { Frame, FrameEnd, Step } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import { gethText, nameOf } from './errors.ts'
import { REVERT, SLOAD, SSTORE } from './opcodes.ts'
import type { Tracer, TracerInput } from './tracer.ts'
import { MemoryTexts, StackTexts, TouchedStorage, digitsOf } from './words.ts'

/** Traces every instruction. Memory is shown unless it is switched off, as by Hardhat. */
export function structLogs(input: TracerInput): Tracer {
  const logger = new StructLogger(input)
  return {
    observer: {
      onStep: (step) => logger.add(step),
      onEnter: (frame) => logger.enter(frame),
      onExit: (end) => logger.exit(end),
    },
    end: (outcome) => logger.end(outcome),
  }
}

class StructLogger {
  readonly #input: TracerInput
  readonly #stacks = new StackTexts((word) => `"0x${word.toString(16)}"`)
  readonly #memories = new MemoryTexts('0x')
  readonly #storage = new TouchedStorage()
  /** What the last call of each running frame returned. */
  readonly #returned: string[] = []
  /** The newest entry without its closing brace: only what comes next says whether it failed. */
  #open: string | undefined
  #openOpcode = 0
  #openDepth = 0
  #count = 0
  #last: Step | undefined

  constructor(input: TracerInput) {
    this.#input = input
    void input.sink.write('{"structLogs":[')
  }

  add(step: Step): Promise<void> | undefined {
    const { sink, config } = this.#input
    if (config.limit !== undefined && this.#count >= config.limit) return undefined
    const closed = this.#open === undefined ? '' : `${this.#open}},`
    this.#open = this.#entryOf(step)
    this.#openOpcode = step.opcode
    this.#openDepth = step.depth
    this.#last = step
    this.#count++
    return sink.write(closed)
  }

  enter({ depth }: Frame): void {
    this.#returned[depth] = '0x'
  }

  exit({ status, exception, output, created }: FrameEnd): void {
    const depth = this.#returned.length - 1
    this.#returned.pop()
    // What fails leaves nothing, and a creation only why it was reverted.
    const isEmpty = status === 'failed' || (status === 'success' && created !== undefined)
    if (depth > 0) this.#returned[depth - 1] = isEmpty ? '0x' : toHex(output)
    if (this.#open === undefined || this.#openDepth !== depth) return
    if (status === 'failed') this.#open += `,"error":${JSON.stringify(gethText(exception, this.#last))}`
    if (status === 'reverted' && this.#openOpcode === REVERT) this.#open += `,"reason":"${toHex(output)}"`
  }

  end({ gasUsed, status, returnData }: Outcome): string {
    const last = this.#open === undefined ? '' : `${this.#open}}`
    const returned = status === 'failed' ? '0x' : toHex(returnData)
    return `${last}],"gas":${gasUsed},"failed":${status !== 'success'},"returnValue":"${returned}"}`
  }

  #entryOf(step: Step): string {
    const { config } = this.#input
    const { pc, opcode, gasLeft, cost, depth } = step
    let text = `{"pc":${pc},"op":"${nameOf(step)}","gas":${gasLeft},"gasCost":${cost},"depth":${depth + 1}`
    if (!config.disableStack) text += `,"stack":${this.#stacks.textOf(step.stack)}`
    if (!config.disableMemory) text += `,"memory":${this.#memories.textOf(step.memory)}`
    if (config.enableReturnData) text += this.#returnDataOf(depth)
    if (!config.disableStorage && (opcode === SLOAD || opcode === SSTORE)) text += this.#storageOf(step)
    return text
  }

  #returnDataOf(depth: number): string {
    const returned = this.#returned[depth] ?? '0x'
    return returned === '0x' ? '' : `,"returnData":"${returned}"`
  }

  /** What this execution has touched so far, with the word of this very instruction; only where it touches one. */
  #storageOf({ opcode, stack, address }: Step): string {
    const slot = stack.at(-1)
    const written = stack.at(-2)
    if (slot === undefined || (opcode === SSTORE && written === undefined)) return ''
    const value = opcode === SSTORE ? digitsOf(written ?? 0n) : wordAt(this.#input, address, slot)
    this.#storage.touch(address, toWord(slot), `0x${value}`)
    return `,"storage":${this.#storage.textOf(address)}`
  }
}

/** The word that a slot holds now, as 64 hex digits. */
export function wordAt({ traced: { state } }: TracerInput, address: Step['address'], slot: bigint): string {
  return toHex(state.storage(address, toWord(slot)))
    .slice(2)
    .padStart(64, '0')
}
