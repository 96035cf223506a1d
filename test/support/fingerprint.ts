/** Converts the cells of a chain instance to text, to compare two states by value instead of object identity. */

import { toHex } from '../../lib/base/hex.ts'
import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import type { ChainInstance } from '../../lib/chain/instance/chain-instance.ts'
import { StateRoot } from '../../lib/state/state-root.ts'

/** Every cell of a chain instance with its whole value; blocks and states by their hashes. */
export function fingerprint(instance: ChainInstance): Readonly<Record<string, string>> {
  return Object.fromEntries([...instance.peek()].map(([name, value]) => [name, textOf(value)]))
}

/** The value of a cell as text. */
export function textOf(value: unknown): string {
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

/** A block and its ancestors, each with its state. Not recursive, because long chains would overflow the stack. */
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

/** A unique number for each object. */
function numberOf(object: object): number {
  const known = numbers.get(object)
  if (known !== undefined) return known
  numbers.set(object, ++lastNumber)
  return lastNumber
}

/**
 * A fast fingerprint of a chain instance's cells by object identity: cells are replaced as a whole, so the same object is
 * the same value. Only pool and filters change their objects.
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
