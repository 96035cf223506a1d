import { describe, expect, test } from '@jest/globals'
import { asAddress, asHash } from '../../../../lib/base/hex.ts'
import type { Ancestor, BlockContext } from '../../../../lib/evm/block-context.ts'
import {
  distributeFees,
  matureBlock,
  type Distribution,
  type Ledger,
} from '../../../../lib/modules/network-33/precompiles/fee-contract.ts'
import { addressOf } from '../../../support/transactions.ts'

const FUND = asAddress('0xdabadabadabadabadabadabadabadabadaba0001')
const FEDERATORS = [
  asAddress('0x6b045752f4d650a510a353bbf7e52988331e7f5b'),
  asAddress('0x85845342b0d5260d516d6da5280a7df9a96d1925'),
  asAddress('0x138161cda86b55c0de1bc3a0adef974633c85fbe'),
]
const EMPTY: Ledger = { reward: 0n, burned: 0n, federation: 0n }

/** Coinbase of the block with a number. */
const minerOf = (number: number) => addressOf(1000 + number)

type Uncles = Readonly<
  Record<number, readonly { readonly coinbase: ReturnType<typeof addressOf>; readonly number: bigint }[]>
>

/** A block after others with the given fees and uncles, by number. */
function blockAt(
  number: number,
  paid: Readonly<Record<number, bigint>> = {},
  { minimumGasPrice = 0n, uncles = {} }: { minimumGasPrice?: bigint; uncles?: Uncles } = {},
): BlockContext {
  const ancestor = (depth: number): Ancestor | undefined => {
    const height = number - 1 - depth
    if (height < 0) return undefined
    return {
      hash: asHash(`0x${height.toString(16).padStart(64, '0')}`),
      coinbase: minerOf(height),
      paidFees: paid[height] ?? 0n,
      uncles: uncles[height] ?? [],
    } as unknown as Ancestor
  }
  return { number: BigInt(number), minimumGasPrice, ancestor } as BlockContext
}

function distribute(block: BlockContext, ledger = EMPTY): Distribution {
  const processed = matureBlock(block)
  return processed === undefined ? { payments: [], ledger } : distributeFees(block, processed, ledger)
}

const amounts = ({ payments }: Distribution) => payments.map(({ receiver, amount }) => [receiver, amount])

describe('fees', () => {
  test('are counted from block 11 on, ten blocks after they were paid', () => {
    expect(distribute(blockAt(10, { 1: 7n, 0: 5n })).ledger).toEqual(EMPTY)
    expect(distribute(blockAt(11, { 1: 7n, 2: 5n })).ledger).toEqual({ ...EMPTY, reward: 7n })
  })

  test('are paid out from block 15 on', () => {
    expect(distribute(blockAt(14, { 4: 500n }))).toEqual({ payments: [], ledger: { ...EMPTY, reward: 500n } })
    expect(distribute(blockAt(15, { 5: 500n })).payments).toHaveLength(5)
  })

  test('of a transfer at one gwei in block 5 are divided in block 15', () => {
    // node-chain 8.4, the worked example.
    const distribution = distribute(blockAt(15, { 5: 21_000n * 10n ** 9n }))
    expect(amounts(distribution)).toEqual([
      [FUND, 840_000_000_000n],
      [FEDERATORS[0], 11_200_000_000n],
      [FEDERATORS[1], 11_200_000_000n],
      [FEDERATORS[2], 11_200_000_000n],
      [minerOf(5), 3_326_400_000_000n],
    ])
    expect(distribution.ledger).toEqual({ ...EMPTY, reward: 16_800_000_000_000n })
  })

  test('are paid by a fifth of the rest in each later block', () => {
    const paid = [16_800_000_000_000n, 13_440_000_000_000n, 10_752_000_000_000n]
    for (const [position, reward] of paid.entries()) {
      const next = distribute(blockAt(16 + position), { ...EMPTY, reward })
      expect(next.ledger.reward).toBe(reward - reward / 5n)
      expect(amounts(next)[0]).toEqual([FUND, reward / 25n])
    }
  })

  test('are paid in blocks without fees too', () => {
    expect(amounts(distribute(blockAt(15)))).toEqual(
      [FUND, ...FEDERATORS, minerOf(5)].map((receiver) => [receiver, 0n]),
    )
  })

  test('are paid to the last wei: the last federator gets the remainder', () => {
    // A reward of 5000: 1000 for the fund, 40 of 4000 for the federators.
    const distribution = distribute(blockAt(15, { 5: 25_000n }))
    expect(distribution.payments.map(({ amount }) => amount)).toEqual([1000n, 13n, 13n, 14n, 3960n])
  })
})

describe('thresholds', () => {
  test.each([
    ['nothing', 2_000_000n - 10n, 0],
    ['the fund and the miner', 2_000_000n, 2],
  ])('allow payments to %s', (_case, reward, payments) => {
    // At a minimum price of 2 a reward of 400,000 is needed; federators would need 100,000 each.
    const distribution = distribute(blockAt(15, { 5: reward }, { minimumGasPrice: 2n }))
    expect(distribution.payments).toHaveLength(payments)
  })

  test("keep the federators' part if it is too small", () => {
    const first = distribute(blockAt(15, { 5: 2_000_000n }, { minimumGasPrice: 2n }))
    expect(first.ledger).toEqual({ ...EMPTY, reward: 1_600_000n, federation: 3_200n })
    expect(amounts(first)).toEqual([
      [FUND, 80_000n],
      [minerOf(5), 316_800n],
    ])
    // 299,000 and 3200 make 100,733 for each, and 734 more for the last one.
    const ledger = { ...first.ledger, federation: 299_000n, reward: 2_000_000n }
    const later = distribute(blockAt(16, {}, { minimumGasPrice: 2n }), ledger)
    expect(later.payments.map(({ amount }) => amount)).toEqual([
      80_000n,
      100_733n,
      100_733n,
      100_734n,
      316_800n,
    ])
    expect(later.ledger.federation).toBe(0n)
  })
})

describe('uncles, unconfirmed', () => {
  const uncles = { 6: [{ coinbase: addressOf(1), number: 5n }], 8: [{ coinbase: addressOf(2), number: 5n }] }

  test('share with the miner; the publisher gets a tenth, and a late uncle gets less', () => {
    // A reward of 5000 leaves 3960: 396 for the publishers, 3564 for three miners, a tenth less for the late one.
    const distribution = distribute(blockAt(15, { 5: 25_000n }, { uncles }))
    expect(amounts(distribution).slice(4)).toEqual([
      [minerOf(6), 198n],
      [minerOf(8), 198n],
      [addressOf(1), 1188n],
      [addressOf(2), 1188n - (1188n * 2n) / 20n],
      [minerOf(5), 1188n],
    ])
    expect(distribution.ledger.burned).toBe((1188n * 2n) / 20n)
  })

  test('of other heights, or included too late, get no part', () => {
    const others = {
      7: [{ coinbase: addressOf(1), number: 6n }],
      13: [{ coinbase: addressOf(2), number: 5n }],
    }
    expect(distribute(blockAt(15, { 5: 25_000n }, { uncles: others })).payments).toHaveLength(5)
  })

  test('included by the last possible block are paid', () => {
    const last = { 12: [{ coinbase: addressOf(1), number: 5n }] }
    expect(distribute(blockAt(15, { 5: 25_000n }, { uncles: last })).payments).toHaveLength(7)
  })
})
