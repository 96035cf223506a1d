/**
 * The default trace format of the reference node (node-chain 2.5), without three defects: here every entry has its own cost,
 * the instructions of a creation are listed, and a transaction without code has an empty list.
 */

import { getOrAdd } from '../../base/get-or-add.ts'
import { toHex, toWord, type Address, type Hash } from '../../base/hex.ts'
import type { Step } from '../../evm/observer.ts'
import type { StateRoot } from '../../state/state-root.ts'
import {
  memoryTexts,
  slotsText,
  stackTexts,
  storedWord,
  touchedSlot,
  type TouchedSlots,
} from './struct-logs.ts'
import type { Tracer, TracerInput } from './tracer.ts'

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
export function nodeTracer({ traced, config, sink }: TracerInput): Tracer {
  const stackText = stackTexts((word) => `"${bare(toWord(word))}"`)
  const memoryText = memoryTexts('')
  const touched: TouchedSlots = new Map()
  let contract = traced.message.to
  let separator = ''
  const entryOf = ({ name, depth, pc, gasLeft, cost, memory, stack, address }: Step): string => {
    const op = name === undefined ? null : (NAMES.get(name) ?? name)
    let text = `{"op":${JSON.stringify(op)},"depth":${depth},"pc":${pc},"gas":${gasLeft},"gasCost":${cost}`
    if (!config.disableMemory) text += `,"memory":${memoryText(memory)}`
    if (!config.disableStack) text += `,"stack":${stackText(stack)}`
    if (!config.disableStorage) text += `,"storage":${slotsText(touched, address)}`
    return `${text}}`
  }
  void sink.write(`{"initStorage":${JSON.stringify(slotsBefore(traced.before, contract))},"structLogs":[`)
  return {
    observer: {
      onOpcode: (step) => {
        const text = separator + entryOf(step)
        separator = ','
        // A touched slot appears in the next entry first, as in the reference.
        const { slot, written } = touchedSlot(step) ?? {}
        if (slot !== undefined) {
          const value = written ?? storedWord(traced.state, step.address, slot)
          getOrAdd(touched, step.address, () => new Map()).set(bare(slot), bare(value))
        }
        return sink.write(text)
      },
      onEnter: ({ depth, to }) => {
        if (depth === 0) contract = to
      },
    },
    end: ({ status, returnData, exception }) => {
      const currentStorage = {
        ...slotsBefore(traced.before, contract),
        ...Object.fromEntries((contract && touched.get(contract)) ?? []),
      }
      const members = {
        contractAddress: (contract ?? traced.message.sender).slice(2),
        result: status === 'failed' ? '' : toHex(returnData).slice(2),
        error: exception ?? '',
        reverted: status === 'reverted',
        storageSize: Object.keys(currentStorage).length,
        currentStorage,
      }
      return `],${JSON.stringify(members).slice(1)}`
    },
  }
}

const bare = (word: Hash): string => word.slice(2)

/** Slots of the contract before the execution; empty if there are more than `MAX_SLOTS`. */
function slotsBefore(before: StateRoot, contract: Address | undefined): Readonly<Record<string, string>> {
  const slots: Record<string, string> = {}
  const account = contract && before.account(contract)
  let size = 0
  for (const [, { slot, value }] of account?.storage.entries() ?? []) {
    if (size++ === MAX_SLOTS) return {}
    slots[bare(slot)] = toHex(value).slice(2).padStart(64, '0')
  }
  return slots
}
