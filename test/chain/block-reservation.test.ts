import { beforeAll, describe, expect, test } from '@jest/globals'
import { BlockReservation, reservationWith } from '../../lib/chain/block-reservation.ts'
import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { headerHash, ZERO_HASH } from '../../lib/chain/header.ts'
import { freshNode } from '../support/node.ts'

describe('a reservation', () => {
  let parent: ChainEntry
  beforeAll(async () => {
    parent = (await freshNode()).chain.head
  })

  const reserve = (count: bigint) =>
    new BlockReservation(parent, { number: count, timestamp: parent.block.header.timestamp + count * 7n })

  const parentHashAt = (reservation: BlockReservation, number: bigint) =>
    reservation.make(number)!.block.header.parentHash

  test('links every block to the one before while there are fewer than 20,000', () => {
    const reservation = reserve(19_999n)
    let { hash } = parent.block
    const unlinked: bigint[] = []
    for (let number = 1n; number <= 19_999n; number++) {
      const { block } = reservation.make(number)!
      if (block.header.parentHash !== hash) unlinked.push(number)
      hash = block.hash
    }
    expect(unlinked).toEqual([])
  })

  test.each([
    [20_000n, [10_001n]],
    [25_003n, [15_004n]],
    [30_000n, [10_001n, 20_001n]],
  ])('of %s blocks leaves the zero hash as parent hash of %s', (count, unlinked) => {
    const reservation = reserve(count)
    for (const number of unlinked) expect(parentHashAt(reservation, number)).toBe(ZERO_HASH)
    const others = [1n, 2n, 9_999n, 10_000n, 10_001n, 10_002n, 15_003n, 15_004n, 15_005n, 20_000n, 20_001n]
    for (const number of others.filter((other) => other <= count && !unlinked.includes(other))) {
      const before = number === 1n ? parent : reservation.make(number - 1n)!
      expect(parentHashAt(reservation, number)).toBe(before.block.hash)
    }
  })

  test('makes the same blocks in every order', () => {
    const numbers = [1n, 24_000n, 12n, 15_005n, 23_999n, 15_004n, 25_003n, 15_003n, 700n]
    const [one, other] = [reserve(25_003n), reserve(25_003n)]
    const blocks = numbers.map((number) => one.make(number)!.block)
    expect(numbers.toReversed().map((number) => other.make(number)!.block)).toEqual(blocks.toReversed())
    for (const { header, hash } of blocks) expect(headerHash(header)).toBe(hash)
    expect(blocks[4]).toMatchObject({
      header: { number: 23_999n, timestamp: parent.block.header.timestamp + 23_999n * 7n },
      totalDifficulty: parent.block.totalDifficulty + 23_999n * parent.block.header.difficulty,
    })
    expect([one.make(0n), one.make(25_004n)]).toEqual([undefined, undefined])
  })

  test('yields the headers of its last blocks, and has fewer where there are fewer', () => {
    const reservation = reserve(12_000n)
    const headers = [...reservation.newestHeaders(8_191n)]
    expect(headers).toHaveLength(8_191)
    for (const number of [3_810n, 3_811n, 12_000n]) {
      expect(headers[Number(number) - 3_810]).toEqual(reservation.make(number)!.block.header)
    }
    expect([...reserve(5n).newestHeaders(8_191n)].map(({ number }) => number)).toEqual([1n, 2n, 3n, 4n, 5n])
  })

  test('is made again from one of its blocks', () => {
    const reservation = reserve(25_003n)
    const { block } = reservation.make(20_000n)!
    const again = reservationWith(block.header, parent, 25_003n)!
    expect(again.make(20_000n)!.block).toEqual(block)
    expect(again.makeLast().block).toEqual(reservation.makeLast().block)
    expect(reservationWith(reservation.make(1n)!.block.header, parent, 25_003n)).toBeUndefined()
  })
})
