/** A world as text, so that two moments can be compared. Only what a cell holds counts, not which object holds it. */

import { toHex } from '../../lib/base/hex.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import type { World } from '../../lib/world/world.ts'

/** Every cell of a world and its value, down to the last byte; blocks and states by their hashes. */
export function fingerprint(world: World): Readonly<Record<string, string>> {
  return Object.fromEntries([...world.peek()].map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof StateRoot) return value.hash
  if (isTransaction(value)) return value.transaction.hash
  if (isBlock(value)) return value.hash
  if (value instanceof Map) return `{${[...value].map((entry) => entry.map(textOf).join(': ')).join(', ')}}`
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${key}: ${textOf(member)}`)
  return `{${members.join(', ')}}`
}

const isTransaction = (value: object): value is { readonly transaction: { readonly hash: string } } =>
  'transaction' in value

const isBlock = (value: object): value is { readonly hash: string } => 'header' in value && 'hash' in value
