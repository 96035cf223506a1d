import { Common, Hardfork as LibraryFork, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common'
import { describe, expect, test } from '@jest/globals'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { chainName, hardforkAt, unsafeBlocks } from '../../lib/fork/known-chains.ts'

const LAST_TIME = 4_000_000_000n

describe.each([Mainnet, Sepolia, Hoodi])('$name', (chain) => {
  const common = new Common({ chain, hardfork: LibraryFork.Osaka })
  const chainId = BigInt(chain.chainId)
  /** Number and time of the first block of each hard fork, as far as its chain says. */
  const firsts = HARDFORKS.map((fork) => ({
    block: common.hardforkBlock(fork),
    time: common.hardforkTimestamp(fork),
  }))
  /** Around each hard fork: just before it, its first block, and the one after that. */
  const places = firsts.flatMap(({ block, time }, index) =>
    [-1n, 0n, 1n].flatMap((step) => {
      const lastBlock = firsts.findLast(({ block: known }, at) => at <= index && known !== null)?.block ?? 0n
      const number = block === null ? lastBlock + 1_000_000n : block + step
      const timestamp = time === null ? 0n : time + step
      return number < 0n || timestamp < 0n ? [] : [{ number, timestamp }]
    }),
  )

  test('has its hard forks where ethereumjs has them', () => {
    expect(places.length).toBeGreaterThan(10)
    const expected = places.map(({ number: blockNumber, timestamp }) => {
      const name = common.getHardforkBy({ blockNumber, timestamp })
      return HARDFORKS.findLast((fork) => common.hardforkGteHardfork(name, fork))
    })
    expect(places.map(({ number, timestamp }) => hardforkAt(chainId, number, timestamp))).toEqual(expected)
    expect(new Set(expected).size).toBeGreaterThan(2)
  })
})

describe('hard forks of other chains', () => {
  test.each<[string, bigint, bigint, bigint, Hardfork | undefined]>([
    ['OP Mainnet', 10n, 105_235_062n, 1_686_068_902n, undefined],
    ['OP Mainnet', 10n, 105_235_063n, 1_686_068_903n, 'paris'],
    ['OP Mainnet', 10n, 114_696_812n, 1_704_992_401n, 'shanghai'],
    ['Base', 8453n, 11_000_000n, 1_710_374_401n, 'cancun'],
    ['Base', 8453n, 40_000_000n, LAST_TIME, 'prague'],
    ['Arbitrum One', 42_161n, 348_448_105n, 1_750_201_531n, 'cancun'],
    ['Polygon PoS', 137n, 23_849_999n, LAST_TIME, undefined],
    ['Polygon PoS', 137n, 50_522_999n, LAST_TIME, 'london'],
    ['BNB Smart Chain', 56n, 50_000_000n, 1_742_436_600n, 'prague'],
    ['Gnosis', 100n, 25_349_536n, 1_670_000_000n, 'london'],
    ['Gnosis', 100n, 25_349_537n, 1_670_000_000n, 'paris'],
    ['Gnosis', 100n, 45_000_000n, LAST_TIME, 'osaka'],
  ])('of %s (%s), block %s at %s', (name, chainId, number, timestamp, expected) => {
    expect(chainName(chainId)).toBe(name)
    expect(hardforkAt(chainId, number, timestamp)).toBe(expected)
  })

  test('of an unknown chain are unknown', () => {
    expect(chainName(31_337n)).toBeUndefined()
    expect(hardforkAt(31_337n, 10n ** 9n, LAST_TIME)).toBeUndefined()
  })
})

test('an unknown chain counts as one that reorganizes deeply', () => {
  expect([1n, 100n, 10n, 31_337n].map(unsafeBlocks)).toEqual([32n, 38n, 128n, 128n])
})
