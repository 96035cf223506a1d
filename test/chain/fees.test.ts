import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nextBaseFee } from '../../lib/chain/fees.ts'
import type { Header } from '../../lib/chain/header.ts'

const headerOf = (baseFeePerGas: bigint | undefined, gasUsed: bigint, gasLimit: bigint) =>
  ({ baseFeePerGas, gasUsed, gasLimit }) as Header

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

  test.each([
    // Block 12965000 of the main network, the first with a base fee, and the next.
    [30_025_257n, 30_029_122n, 1_124_967_822n],
    // go-ethereum, consensus/misc/eip1559/eip1559_test.go.
    [10_000_000n, 20_000_000n, 1_000_000_000n],
    [9_000_000n, 20_000_000n, 987_500_000n],
    [11_000_000n, 20_000_000n, 1_012_500_000n],
  ])('after %s of %s gas at one gwei is %s', (used, limit, next) => {
    expect(nextBaseFee(headerOf(1_000_000_000n, used, limit))).toBe(next)
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
