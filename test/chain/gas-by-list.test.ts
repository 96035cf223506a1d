import { describe, expect, test } from '@jest/globals'
import { gasForTransactions } from '../../lib/chain/fees.ts'
import { loadNetwork } from '../support/networks.ts'

const network = loadNetwork('network-33')

describe('the gas of a block', () => {
  test.each([
    // node-chain 7.6: block 1, 2 and 4, and the limit that all later blocks have.
    [9_990_235n, 1_595_117n, 6_800_001n],
    [9_980_479n, 1_590_239n, 6_800_001n],
    [9_960_996n, 1_580_498n, 6_800_000n],
    [7_500_000n, 350_000n, 6_800_000n],
    // All of it is sequential while there is not more than the minimum.
    [6_800_000n, 0n, 6_800_000n],
    [3_000_000n, 0n, 3_000_000n],
    // A third each from three times the minimum on, and the remainder for the sequential list.
    [20_400_000n, 6_800_000n, 6_800_000n],
    [20_400_001n, 6_800_000n, 6_800_001n],
    [20_399_999n, 6_799_999n, 6_800_001n],
  ])('%s is divided into %s, the same and %s', (gasLimit, parallel, sequential) => {
    expect(gasForTransactions({ sequentialGas: 6_800_000n }, { gasLimit })).toBe(sequential)
    expect(gasLimit - sequential).toBe(2n * parallel)
  })

  test.each([
    [10_000_000n, 6_800_000n],
    [9_990_235n, 6_800_001n],
    [7_500_000n, 6_800_000n],
  ])('%s leaves %s to the users of network 33', (gasLimit, expected) => {
    expect(gasForTransactions(network, { gasLimit })).toBe(expected)
  })

  test('belongs to users where blocks have one list', () => {
    expect(gasForTransactions(loadNetwork('ethereum'), { gasLimit: 30_000_000n })).toBe(30_000_000n)
  })
})
