import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { Chain } from '../../lib/chain/chain.ts'
import { ChainInstance } from '../../lib/chain/instance/chain-instance.ts'
import { ADDRESSES } from './support/any-log.ts'
import { anySteps, begin, doStep, goTo, grow } from './support/chain-sides.ts'
import type { Side } from './support/chain-sides.ts'
import { runs } from '../support/transaction-steps.ts'

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
    logs: ADDRESSES.map((address) =>
      chain.index.logs.candidates({ addresses: [address], topics: [] }, 0, top),
    ),
    some: chain.index.logs.candidates({ addresses: [], topics: [] }, 2, Math.max(2, top - 3)),
  }
}

/** A copy of the chain that shares no objects with another. */
function alone({ entries }: Side): Chain {
  const chain = new Chain(new ChainInstance(), entries[0]!)
  for (const { block, state } of entries.slice(1))
    chain.add(new ChainEntry({ block, state, parent: chain.head }))
  return chain
}

describe('a fork', () => {
  test('is independent of the index it came from', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
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
})
