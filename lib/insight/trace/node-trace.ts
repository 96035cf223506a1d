/**
 * The default trace format of the reference node (node-chain 2.5), without three defects: here every entry has its own cost,
 * the instructions of a creation are listed, and a transaction without code has an empty list.
 */

import { toHex, toWord, type Address, type Hash } from '../../base/hex.ts'
import type { EnterEvent, Observer, Step } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { storedWord, touchedSlot } from './struct-logs.ts'
import type { Tracer, TracerInput } from './tracer.ts'
import { MemoryTexts, StackTexts, TouchedStorage } from './words.ts'

/**
 * Maximum number of slots of a contract that are listed (node-chain 2.5). If a contract has more, only touched ones are
 * listed.
 */
const MAX_SLOTS = 10_000

/** Names of instructions that differ in the reference node (node-chain 2.5). */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['KECCAK256', 'SHA3'],
  ['SELFDESTRUCT', 'SUICIDE'],
  ['PREVRANDAO', 'DIFFICULTY'],
])

/** Traces in the reference's format. */
export function nodeTracer(input: TracerInput): Tracer {
  const logger = new NodeLogger(input)
  return { observer: logger, end: logger.end }
}

class NodeLogger implements Observer {
  readonly #input: TracerInput
  readonly #stacks = new StackTexts((word) => `"${bare(toWord(word))}"`)
  readonly #memories = new MemoryTexts('')
  readonly #storage = new TouchedStorage()
  #contract: Address | undefined
  #hasEntries = false

  constructor(input: TracerInput) {
    this.#input = input
    this.#contract = input.traced.message.to
    void input.sink.write(
      `{"initStorage":${JSON.stringify(Object.fromEntries(this.#initial()))},"structLogs":[`,
    )
  }

  readonly onOpcode = (step: Step): Promise<void> | undefined => {
    const separator = this.#hasEntries ? ',' : ''
    this.#hasEntries = true
    const text = this.#entryOf(step)
    // A touched slot appears in the next entry first, as in the reference.
    this.#touch(step)
    return this.#input.sink.write(separator + text)
  }

  readonly onEnter = ({ depth, to }: EnterEvent): void => {
    if (depth === 0) this.#contract = to
  }

  readonly end = ({ status, returnData, exception }: Outcome): string => {
    const now = this.#known()
    const members = {
      contractAddress: (this.#contract ?? this.#input.traced.message.sender).slice(2),
      result: status === 'failed' ? '' : toHex(returnData).slice(2),
      error: exception ?? '',
      reverted: status === 'reverted',
      storageSize: now.size,
      currentStorage: Object.fromEntries(now),
    }
    return `],${JSON.stringify(members).slice(1)}`
  }

  #entryOf({ name, depth, pc, gasLeft, cost, memory, stack, address }: Step): string {
    const { config } = this.#input
    const op = name === undefined ? null : (NAMES.get(name) ?? name)
    let text = `{"op":${JSON.stringify(op)},"depth":${depth},"pc":${pc},"gas":${gasLeft},"gasCost":${cost}`
    if (!config.disableMemory) text += `,"memory":${this.#memories.textOf(memory)}`
    if (!config.disableStack) text += `,"stack":${this.#stacks.textOf(stack)}`
    if (!config.disableStorage) text += `,"storage":${this.#storage.textOf(address)}`
    return `${text}}`
  }

  #touch(step: Step): void {
    const touched = touchedSlot(step)
    if (touched === undefined) return
    const { slot, written: value = storedWord(this.#input.traced.state, step.address, slot) } = touched
    this.#storage.touch(step.address, bare(slot), bare(value))
  }

  /** Slots of the contract before the execution; empty if there are more than `MAX_SLOTS`. */
  #initial(): ReadonlyMap<string, string> {
    const account = this.#contract && this.#input.traced.before.account(this.#contract)
    const slots = new Map<string, string>()
    for (const [, { slot, value }] of account?.storage.entries() ?? []) {
      if (slots.size === MAX_SLOTS) return new Map<string, string>()
      slots.set(bare(slot), toHex(value).slice(2).padStart(64, '0'))
    }
    return slots
  }

  /** The initial slots, and those that were touched since. */
  #known(): ReadonlyMap<string, string> {
    const touched = this.#contract === undefined ? [] : this.#storage.of(this.#contract)
    return new Map([...this.#initial(), ...touched])
  }
}

const bare = (word: Hash): string => word.slice(2)
