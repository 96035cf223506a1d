import { expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import type { Address } from '../../lib/base/hex.ts'
import { AddressIndex, addressesOf, type MinedPosition } from '../../lib/chain/chain-index.ts'
import { transactionsOfAddress } from '../../lib/chain/address-transactions.ts'
import { ADDRESSES } from './support/any-log.ts'
import { anySteps, begin, doStep, entryOn, goTo, grow } from './support/chain-sides.ts'
import type { Side } from './support/chain-sides.ts'
import { runs } from '../support/transaction-steps.ts'
import { addressOf } from '../support/transactions.ts'

const everyAddress = [...ADDRESSES, addressOf(99)]

interface Question {
  readonly address: Address
  readonly count: number
  readonly before?: MinedPosition | undefined
  readonly from?: MinedPosition | undefined
}

const anyPosition = fc.option(fc.record({ block: fc.nat(40), index: fc.nat(3) }), { nil: undefined })

const anyQuestion: fc.Arbitrary<Question> = fc
  .record({ address: fc.constantFrom(...everyAddress), count: fc.integer({ min: 1, max: 6 }) })
  .chain((question) =>
    fc.oneof(
      anyPosition.map((before) => ({ ...question, before })),
      anyPosition.map((from) => ({ ...question, from })),
    ),
  )

/** The page, from all blocks of the side. */
function searched({ entries }: Side, { address, count, before, from }: Question) {
  const all = entries.flatMap(({ block }, number) =>
    block.receipts
      .filter((receipt) => addressesOf(receipt).has(address))
      .map(({ transaction, index }) => ({ hash: transaction.hash, block: number, index })),
  )
  const isBelow = (one: MinedPosition, end: MinedPosition) =>
    one.block === end.block ? one.index < end.index : one.block < end.block
  const within =
    from === undefined
      ? all.filter((one) => before === undefined || isBelow(one, before)).slice(-count)
      : all.filter((one) => !isBelow(one, from)).slice(0, count)
  const [first, last] = [within[0], within.at(-1)]
  return {
    hashes: within.map(({ hash }) => hash).reverse(),
    total: all.length,
    hasOlder: first === undefined ? undefined : all[0] !== first,
    hasNewer: last === undefined ? undefined : all.at(-1) !== last,
  }
}

async function answered({ chain }: Side, question: Question) {
  const { found, total, hasOlder, hasNewer } = await transactionsOfAddress(chain, question)
  const isEmpty = found.length === 0
  return {
    hashes: found.map(({ receipt }) => receipt.transaction.hash),
    total,
    hasOlder: isEmpty ? undefined : hasOlder,
    hasNewer: isEmpty ? undefined : hasNewer,
  }
}

test('the pages are those of a search in all blocks, between any steps of chains that share blocks', () =>
  fc.assert(
    fc.asyncProperty(
      anySteps,
      fc.array(fc.tuple(fc.nat(60), fc.nat(20), anyQuestion)),
      async (steps, asked) => {
        const sides = [begin()]
        for (const [at, step] of steps.entries()) {
          doStep(sides, step)
          for (const [when, which, question] of asked) {
            const side = sides[which % sides.length]!
            if (when === at) expect(await answered(side, question)).toEqual(searched(side, question))
          }
        }
        for (const side of sides)
          for (const address of everyAddress) {
            const question = { address, count: 5 }
            expect(await answered(side, question)).toEqual(searched(side, question))
          }
      },
    ),
    runs(200),
  ))

test('blocks are read once: 50,000 of them at the first question, then those of the page and new ones', async () => {
  const { chain } = begin()
  while (chain.height < 50_000n) chain.add(entryOn(chain.head))
  const reads = jest.spyOn(AddressIndex.prototype, 'add')
  try {
    const readsOf = async (question: Question) => {
      reads.mockClear()
      await transactionsOfAddress(chain, question)
      return reads.mock.calls.length
    }
    const first = await readsOf({ address: addressOf(99), count: 25 })
    expect(first).toBe(50_001)
    expect(await readsOf({ address: addressOf(99), count: 25 })).toBe(0)
    expect(await readsOf({ address: ADDRESSES[0]!, count: 25, before: { block: 25_000, index: 0 } })).toBe(0)
    chain.add(entryOn(chain.head, ADDRESSES[1]))
    expect(await readsOf({ address: ADDRESSES[0]!, count: 25 })).toBe(1)
    chain.setHead(chain.at(49_990n)!)
    expect(await readsOf({ address: ADDRESSES[0]!, count: 25 })).toBe(0)
  } finally {
    reads.mockRestore()
  }
})

test('before the first question, blocks are not read', () => {
  const side = begin()
  const reads = jest.spyOn(AddressIndex.prototype, 'add')
  try {
    for (let height = 0; height < 100; height++) grow(side)
    goTo(side, 50)
    expect(reads).not.toHaveBeenCalled()
  } finally {
    reads.mockRestore()
  }
})
