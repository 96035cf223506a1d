import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asHash, toWord } from '../../lib/base/hex.ts'
import type { Receipt } from '../../lib/chain/block.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { Chain } from '../../lib/chain/chain.ts'
import type { Header } from '../../lib/consensus/header-fields.ts'
import { ZERO_HASH } from '../../lib/chain/header.ts'
import { ChainInstance } from '../../lib/instance/chain-instance.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { ADDRESSES } from '../support/any-log.ts'
import { runs } from '../support/transaction-steps.ts'
import { transactionOf } from '../support/transactions.ts'

let made = 0n

/** A block with a hash of its own, and a transaction that logs at an address. */
function entryOn(parent: ChainEntry | undefined, address = ADDRESSES[0]!): ChainEntry {
  made++
  const number = parent === undefined ? 0n : parent.block.header.number + 1n
  const header = { number, parentHash: parent?.block.hash ?? ZERO_HASH } as Header
  const outcome = { logs: [{ address, topics: [], data: new Uint8Array() }] }
  const transaction = { ...transactionOf(), hash: asHash(toWord(made + 1_000_000n)) }
  const receipts = parent === undefined ? [] : [{ transaction, outcome } as unknown as Receipt]
  const block = { header, hash: asHash(toWord(made)), receipts, uncles: [], totalDifficulty: 0n }
  return new ChainEntry({ block, state: StateRoot.empty, parent })
}

/** A chain index, and the entries that it should have. */
interface Side {
  readonly chain: Chain
  entries: readonly ChainEntry[]
}

function begin(): Side {
  const genesis = entryOn(undefined)
  const chain = new Chain(new ChainInstance(), genesis)
  return { chain, entries: [chain.head] }
}

function grow(side: Side, address = ADDRESSES[0]!): void {
  const entry = entryOn(side.chain.head, address)
  side.chain.add(entry)
  side.entries = [...side.entries, entry]
}

function fork({ chain, entries }: Side, height = entries.length - 1): Side {
  return { chain: chain.fork(new ChainInstance(), entries[height]!), entries: entries.slice(0, height + 1) }
}

function goTo(side: Side, height: number): void {
  side.chain.setHead(side.entries[height]!)
  side.entries = side.entries.slice(0, height + 1)
}

/** All lookups of a chain, for all blocks. */
function answersOf(chain: Chain, known: readonly ChainEntry[]) {
  const top = known.length
  return {
    head: chain.head.block.hash,
    byHeight: Array.from({ length: top + 1 }, (_, number) => chain.at(BigInt(number))?.block.hash),
    byHash: known.map(({ block }) => chain.byHash(block.hash)?.block.hash),
    receipts: known.flatMap(({ block }) =>
      block.receipts.map(({ transaction }) => chain.receipt(transaction.hash)?.entry.block.hash),
    ),
    logs: ADDRESSES.map((address) => chain.logIndex.candidates({ addresses: [address], topics: [] }, 0, top)),
    some: chain.logIndex.candidates({ addresses: [], topics: [] }, 2, Math.max(2, top - 3)),
  }
}

/** A copy of the chain that shares no objects with another. */
function alone({ entries }: Side): Chain {
  const chain = new Chain(new ChainInstance(), entries[0]!)
  for (const { block, state } of entries.slice(1))
    chain.add(new ChainEntry({ block, state, parent: chain.head }))
  return chain
}

const anyStep = fc.record({
  kind: fc.constantFrom('grow', 'grow', 'grow', 'fork', 'forkBelow', 'goTo', 'edit'),
  which: fc.nat(100),
  height: fc.nat(100),
})

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

function doStep(sides: Side[], { kind, which, height }: Step): void {
  const side = sides[which % sides.length]!
  const at = height % side.entries.length
  if (kind === 'grow') grow(side, ADDRESSES[height % ADDRESSES.length])
  if (kind === 'goTo') goTo(side, at)
  if (kind === 'fork') sides.push(fork(side))
  if (kind === 'forkBelow') sides.push(fork(side, at))
  if (kind !== 'edit') return
  side.chain.editHead(StateRoot.empty)
  side.entries = [...side.entries.slice(0, -1), side.chain.head]
}

describe('a fork', () => {
  test('is independent of the index it came from', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60, size: 'max' }), (steps) => {
        const sides = [begin()]
        for (const step of steps) doStep(sides, step)
        const known = [...new Set(sides.flatMap(({ entries }) => entries))]
        for (const side of sides) {
          expect(answersOf(side.chain, known)).toEqual(answersOf(alone(side), known))
          for (const [height, entry] of side.entries.entries())
            expect(side.chain.at(BigInt(height))).toBe(entry)
        }
      }),
      runs(300),
    )
  })

  test('of a side block is independent', () => {
    const side = begin()
    grow(side)
    grow(side)
    const left = side.chain.head
    goTo(side, 0)
    grow(side)
    const forked = side.chain.fork(new ChainInstance(), left)
    expect([forked.head, forked.at(1n), forked.genesis]).toEqual([left, left.parent, side.chain.genesis])
    expect(side.chain.at(2n)).toBeUndefined()
  })

  test('copies no block: a thousand forks of ten thousand take less than copying one', () => {
    const side = begin()
    for (let height = 0; height < 10_000; height++) grow(side)
    const startedAt = performance.now()
    alone(side)
    const ofOneCopy = performance.now() - startedAt
    const forks = Array.from({ length: 1000 }, () => fork({ chain: side.chain, entries: [side.chain.head] }))
    const ofForks = performance.now() - startedAt - ofOneCopy
    expect(forks.map(({ chain }) => chain.head)).toEqual(forks.map(() => side.chain.head))
    expect(ofForks).toBeLessThan(ofOneCopy * 5)
  })
})
