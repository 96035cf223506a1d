import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nextBaseFee, nextGasLimit, nextMinimumGasPrice } from '../../lib/chain/fees.ts'
import type { Header } from '../../lib/networks/consensus/consensus.ts'
import { ethereum } from '../../lib/networks/ethereum/consensus/ethereum.ts'
import { loadNetwork } from '../support/networks.ts'

const headerOf = (baseFeePerGas: bigint | undefined, gasUsed: bigint, gasLimit: bigint) =>
  ({ consensus: ethereum, baseFeePerGas, gasUsed, gasLimit }) as Header

/** The text of EIP-1559, line by line, in integer division. */
function specified(parent: bigint, used: bigint, limit: bigint): bigint {
  const target = limit / 2n
  if (used === target) return parent
  if (used > target) {
    const delta = (parent * (used - target)) / target / 8n
    return parent + (delta > 1n ? delta : 1n)
  }
  return parent - (parent * (target - used)) / target / 8n
}

describe('base fee', () => {
  test('moves as EIP-1559 says', () => {
    const block = fc.tuple(fc.bigInt(0n, 10n ** 15n), fc.bigInt(2n, 10n ** 8n), fc.nat(1_000))
    fc.assert(
      fc.property(block, ([fee, limit, permille]) => {
        const used = (limit * BigInt(permille)) / 1_000n
        expect(nextBaseFee(headerOf(fee, used, limit))).toBe(specified(fee, used, limit))
      }),
    )
  })

  test.each<readonly [string, Header, bigint | undefined]>([
    ['rises at all from a small fee', headerOf(7n, 30n, 30n), 8n],
    ['stays at zero in empty blocks', headerOf(0n, 0n, 30n), 0n],
    ['is absent where blocks have none', headerOf(undefined, 0n, 30n), undefined],
    ['stays where the limit leaves no target', headerOf(7n, 1n, 1n), 7n],
  ])('%s', (_case, parent, expected) => {
    expect(nextBaseFee(parent)).toBe(expected)
  })
})

/** Values from block to block, the first given. */
function series(first: bigint, count: number, next: (value: bigint) => bigint): bigint[] {
  const values = [first]
  while (values.length <= count) values.push(next(values.at(-1)!))
  return values
}

describe('gas limit', () => {
  const network = loadNetwork('network-33')
  const limits = series(network.genesis.gasLimit, 400, (gasLimit) => nextGasLimit({ gasLimit }, network))

  test('of network 33 falls by a 1024th a block', () => {
    // node-chain 8.6.
    expect(limits.slice(0, 6)).toEqual([
      10_000_000n,
      9_990_235n,
      9_980_479n,
      9_970_733n,
      9_960_996n,
      9_951_269n,
    ])
  })

  test('of network 33 reaches its target after 295 blocks and stays', () => {
    expect(limits.indexOf(7_500_000n)).toBe(295)
    expect(limits.at(-1)).toBe(7_500_000n)
  })

  test('rises to a target above it', () => {
    const higher = { ...network, blockGasLimit: 10_000_000n }
    const rising = series(9_980_000n, 5, (gasLimit) => nextGasLimit({ gasLimit }, higher))
    expect(rising).toEqual([9_980_000n, 9_989_746n, 9_999_501n, 10_000_000n, 10_000_000n, 10_000_000n])
  })

  test('of Ethereum moves by less than a 1024th', () => {
    const ethereum = loadNetwork('ethereum')
    expect(nextGasLimit({ gasLimit: 10_240_000n }, ethereum)).toBe(10_249_999n)
  })
})

describe('minimum gas price', () => {
  const toward = (minimumGasPriceTarget: bigint) => ({
    ...loadNetwork('network-33'),
    minimumGasPriceTarget,
  })
  const prices = (first: bigint, target: bigint, count: number) =>
    series(first, count, (minimumGasPrice) => nextMinimumGasPrice({ minimumGasPrice }, toward(target)))

  test('of network 33 stays at zero', () => {
    expect(new Set(prices(0n, loadNetwork('network-33').minimumGasPriceTarget!, 10))).toEqual(new Set([0n]))
  })

  test('rises by a wei a block up to a hundred, then by a percent', () => {
    const rising = prices(0n, 60_000_000n, 1_600)
    expect(rising.slice(0, 4)).toEqual([0n, 1n, 2n, 3n])
    expect([rising[100], rising[101], rising[199], rising[200], rising[201]]).toEqual([
      100n,
      101n,
      199n,
      200n,
      202n,
    ])
    // node-chain 8.5.
    expect(rising.indexOf(60_000_000n)).toBe(1495)
    expect(rising.at(-1)).toBe(60_000_000n)
  })

  test('falls by a percent, and by a wei at the end', () => {
    expect(prices(10_000n, 0n, 2)).toEqual([10_000n, 9_900n, 9_801n])
    expect(prices(2n, 0n, 3)).toEqual([2n, 1n, 0n, 0n])
  })
})
