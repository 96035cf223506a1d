/** Chains that share blocks, and random steps that grow, fork, cut and edit them. */

import fc from 'fast-check'
import { toWord } from '../../../lib/base/hex.ts'
import type { Address, Hash } from '../../../lib/base/hex.ts'
import type { Receipt } from '../../../lib/chain/block.ts'
import { ChainEntry } from '../../../lib/chain/chain-entry.ts'
import { Chain } from '../../../lib/chain/chain.ts'
import type { Header } from '../../../lib/networks/consensus/consensus.ts'
import { ZERO_HASH } from '../../../lib/chain/header.ts'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'
import { StateRoot } from '../../../lib/state/state-root.ts'
import { ADDRESSES } from './any-log.ts'
import { transactionOf } from '../../support/transactions.ts'

let made = 0n

/** A hash whose first four bytes only one other has: blocks are found by these bytes. */
function newHash(): Hash {
  made++
  return toWord(((made / 2n) << 224n) | made)
}

/** A block with a hash of its own, and up to three transactions that log at an address. Genesis has none. */
export function entryOn(parent: ChainEntry | undefined, address = ADDRESSES[0]!): ChainEntry {
  const number = parent === undefined ? 0n : parent.block.header.number + 1n
  const header = { number, parentHash: parent?.block.hash ?? ZERO_HASH } as Header
  const count = parent === undefined ? 0 : (Number(number) + ADDRESSES.indexOf(address)) % 4
  const receipts = Array.from({ length: count }, (_, index) =>
    receiptAt(address, Number(number) + index, index),
  )
  const block = { header, hash: newHash(), receipts, uncles: [], totalDifficulty: 0n }
  return new ChainEntry({ block, state: StateRoot.empty, parent })
}

/** A transaction of one of the addresses, to one of them or a creation. */
function receiptAt(address: Address, variant: number, index: number): Receipt {
  const pick = (n: number) => ADDRESSES[n % ADDRESSES.length]!
  const isCreation = variant % 5 === 0
  const to = isCreation ? undefined : pick(variant >> 1)
  const outcome = {
    logs: [{ address, topics: [], data: new Uint8Array() }],
    ...(isCreation ? { contractAddress: address } : {}),
  }
  return {
    transaction: transactionOf({ hash: newHash(), sender: pick(variant), to }),
    outcome,
    index,
  } as unknown as Receipt
}

/** A chain index, and the entries that it should have. */
export interface Side {
  readonly chain: Chain
  entries: readonly ChainEntry[]
}

export function begin(): Side {
  const genesis = entryOn(undefined)
  const chain = new Chain(new ChainInstance(), genesis)
  return { chain, entries: [chain.head] }
}

export function grow(side: Side, address = ADDRESSES[0]!): void {
  const entry = entryOn(side.chain.head, address)
  side.chain.add(entry)
  side.entries = [...side.entries, entry]
}

export function fork({ chain, entries }: Side, height = entries.length - 1): Side {
  return { chain: chain.fork(new ChainInstance(), entries[height]!), entries: entries.slice(0, height + 1) }
}

export function goTo(side: Side, height: number): void {
  side.chain.setHead(side.entries[height]!)
  side.entries = side.entries.slice(0, height + 1)
}

const anyStep = fc.record({
  kind: fc.constantFrom('grow', 'grow', 'grow', 'fork', 'forkBelow', 'goTo', 'edit'),
  which: fc.nat(100),
  height: fc.nat(100),
})

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

/** Some steps. */
export const anySteps = fc.array(anyStep, { maxLength: 60, size: 'max' })

export function doStep(sides: Side[], { kind, which, height }: Step): void {
  const side = sides[which % sides.length]!
  const at = height % side.entries.length
  if (kind === 'grow') grow(side, ADDRESSES[height % ADDRESSES.length])
  if (kind === 'goTo') goTo(side, at)
  if (kind === 'fork') sides.push(fork(side))
  if (kind === 'forkBelow') sides.push(fork(side, at))
  if (kind !== 'edit') return
  side.chain.editHead(() => undefined)
  side.entries = [...side.entries.slice(0, -1), side.chain.head]
}
