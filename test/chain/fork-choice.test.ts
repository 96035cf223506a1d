import { describe, expect, test } from '@jest/globals'
import { asHash, toWord } from '../../lib/base/hex.ts'
import type { Block } from '../../lib/chain/block.ts'
import { outweighs } from '../../lib/chain/block.ts'

interface Weights {
  readonly total?: bigint
  readonly fees?: bigint
  readonly hash?: bigint
  readonly number?: bigint
}

/** A block with only the members that the fork choice reads. */
function blockOf({ total = 5n, fees = 0n, hash = 8n, number = 4n }: Weights): Block {
  const header = { paidFees: fees, number } as Block['header']
  return { header, hash: asHash(toWord(hash)), receipts: [], uncles: [], totalDifficulty: total }
}

describe('fork choice (node-chain 6.11)', () => {
  test.each<readonly [string, Weights, Weights, boolean]>([
    ['more difficulty wins against any fees', { total: 6n }, { fees: 100n, hash: 1n }, true],
    ['less difficulty loses with any fees', { total: 4n, fees: 100n, hash: 1n }, {}, false],
    ['with the same of everything the first one stays', { hash: 8n }, { hash: 8n }, false],
    ['without fees a lower hash does not help', { hash: 1n }, { hash: 8n }, false],
    ['more than twice the fees win', { fees: 21n, hash: 9n }, { fees: 10n }, true],
    ['twice the fees are not more than twice', { fees: 20n, hash: 9n }, { fees: 10n }, false],
    ['similar fees and a lower hash win', { fees: 10n, hash: 7n }, { fees: 19n }, true],
    ['half the fees and a lower hash lose', { fees: 10n, hash: 7n }, { fees: 20n }, false],
    ['similar fees and a higher hash lose', { fees: 10n, hash: 9n }, { fees: 10n }, false],
  ])('%s', (_rule, newcomer, head, expected) => {
    expect(outweighs(blockOf(newcomer), blockOf(head))).toBe(expected)
  })

  test.each([
    [5n, true],
    [4n, false],
    [3n, false],
  ])('without difficulties a block %d wins against block 4: %s', (number, expected) => {
    const newcomer = blockOf({ total: 0n, fees: 100n, hash: 1n, number })
    expect(outweighs(newcomer, blockOf({ total: 0n }))).toBe(expected)
  })
})
