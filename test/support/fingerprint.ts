/** A world as text, so that two moments can be compared. Only what a cell holds counts, not which object holds it. */

import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { toHex } from '../../lib/base/hex.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import type { ChainInstance } from '../../lib/instance/chain-instance.ts'

/** Every cell of a world and its value, down to the last byte; blocks and states by their hashes. */
export function fingerprint(instance: ChainInstance): Readonly<Record<string, string>> {
  return Object.fromEntries([...instance.peek()].map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof StateRoot) return value.hash
  if (isEntry(value)) return chainText(value)
  if (isTransaction(value)) return value.transaction.hash
  if (isBlock(value)) return value.hash
  if (value instanceof Map) return `{${[...value].map((entry) => entry.map(textOf).join(': ')).join(', ')}}`
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${key}: ${textOf(member)}`)
  return `{${members.join(', ')}}`
}

/** A block and all below it, each with its state. A loop, for chains are longer than the stack is deep. */
function chainText(newest: ChainEntry): string {
  const texts: string[] = []
  for (let entry: ChainEntry | undefined = newest; entry !== undefined; entry = entry.parent) {
    texts.push(`${entry.block.hash} ${entry.state.hash}`)
  }
  return texts.join(' < ')
}

const isEntry = (value: object): value is ChainEntry =>
  'block' in value && 'state' in value && 'parent' in value

const isTransaction = (value: object): value is { readonly transaction: { readonly hash: string } } =>
  'transaction' in value

const isBlock = (value: object): value is { readonly hash: string } => 'header' in value && 'hash' in value

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** The same number for the same object, another for every other one. */
function numberOf(object: object): number {
  const known = numbers.get(object)
  if (known !== undefined) return known
  numbers.set(object, ++lastNumber)
  return lastNumber
}

/**
 * Which values the cells of a world hold, in no time: cells are replaced as a whole, so that what is the same object is
 * the same value. Only pool and filters change what they hold.
 */
export function glance(instance: ChainInstance): string {
  return [...instance.peek()].map(([name, value]) => `${name}: ${glanceAt(name, value)}`).join('\n')
}

function glanceAt(name: string, value: unknown): string {
  if (name === 'mempool') return textOf(value)
  if (name === 'filters') return [...(value as Map<bigint, unknown>)].map(filterText).join()
  return typeof value === 'object' && value !== null ? `#${numberOf(value)}` : String(value)
}

function filterText([id, filter]: readonly [bigint, unknown]): string {
  const { collected, polledAtMs } = filter as { collected: { pending: unknown[] }; polledAtMs: number }
  return `${id} ${collected.pending.length} ${polledAtMs}`
}
