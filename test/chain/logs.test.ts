import { describe, expect, test } from '@jest/globals'
import { Bloom } from '@ethereumjs/vm'
import fc from 'fast-check'
import { fromHex } from '../../lib/base/hex.ts'
import { unionOfBlooms } from '../../lib/chain/block.ts'
import type { Block, Receipt } from '../../lib/chain/block.ts'
import type { Chain } from '../../lib/chain/chain.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import type { LogFilter } from '../../lib/chain/log-index.ts'
import { LogIndex } from '../../lib/chain/log-index.ts'
import { logsOfBlock, logsOfRange } from '../../lib/chain/logs.ts'
import type { BlockLog } from '../../lib/chain/logs.ts'
import type { Log } from '../../lib/evm/outcome.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { ADDRESSES, anyFilter, anyLog } from './support/any-log.ts'

/** The library's bloom of the logs. */
function bloomOf(logs: readonly Log[]): Uint8Array {
  const bloom = new Bloom()
  for (const { address, topics } of logs) for (const item of [address, ...topics]) bloom.add(fromHex(item))
  return bloom.bitvector
}

/** A block whose transactions emitted the logs. */
function blockOf(transactions: readonly (readonly Log[])[]): Block {
  const receipts: Receipt[] = []
  for (const logs of transactions) {
    const firstLogIndex = receipts.reduce((count, { outcome }) => count + outcome.logs.length, 0)
    receipts.push({ outcome: { logs }, firstLogIndex } as Receipt)
  }
  const header = { number: 3n, logsBloom: unionOfBlooms(transactions.map(bloomOf)) }
  return { header, receipts } as unknown as Block
}

/** A chain with the members that a query reads. */
function chainOf(unnumbered: readonly Block[]): Chain {
  const blocks = unnumbered.map((block, number) => ({
    ...block,
    header: { ...block.header, number: BigInt(number) },
  }))
  const entries = blocks.map((block) => new ChainEntry({ block, state: StateRoot.empty, parent: undefined }))
  const index = new LogIndex()
  for (const entry of entries) index.add(entry)
  const at = (number: bigint): ChainEntry | undefined => entries[Number(number)]
  return { at, head: entries.at(-1)!, index: { logs: index } } as unknown as Chain
}

/** The matching rules of geth, implemented a second time. */
function matchesSubscription({ addresses, topics }: LogFilter, log: Log): boolean {
  const isFrom = addresses.length === 0 || addresses.some((address) => address === log.address)
  const hasTopics = topics.every((choices, position) => {
    if (position >= log.topics.length) return false
    return choices === undefined || choices.some((choice) => choice === log.topics[position])
  })
  return isFrom && hasTopics
}

const NO_LIMITS = { blocks: 1_000_000, logs: 1_000_000 }
const indexes = (logs: readonly BlockLog[]) => logs.map(({ logIndex }) => logIndex)

describe('logs', () => {
  test('of a block are the matching logs in order, with their index in the block', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyLog, { maxLength: 3 }), { maxLength: 4 }),
        anyFilter,
        (transactions, filter) => {
          const all = transactions.flat()
          const expected = all.flatMap((log, index) => (matchesSubscription(filter, log) ? [index] : []))
          expect(indexes(logsOfBlock(blockOf(transactions), filter))).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  const log: Log = { address: ADDRESSES[0]!, topics: [], data: new Uint8Array(0) }
  const everything: LogFilter = { addresses: [], topics: [] }
  const chain = chainOf([1, 0, 2, 1].map((count) => blockOf([Array<Log>(count).fill(log)])))

  test.each([
    ['all blocks', 0n, 3n, 4],
    ['some blocks', 1n, 2n, 2],
    ['one block', 3n, 3n, 1],
    ['blocks beyond the head', 2n, 900n, 3],
    ['no blocks', 3n, 2n, 0],
    ['only blocks beyond the head', 4n, 9n, 0],
  ])('of %s', (_case, from, to, count) => {
    expect(logsOfRange(chain, everything, { from, to, limits: NO_LIMITS })).toHaveLength(count)
  })

  test.each<readonly [string, bigint, { blocks: number; logs: number }, string]>([
    ['any number in few blocks', 3n, { blocks: 4, logs: 1 }, '4 logs'],
    ['few in any number of blocks', 3n, { blocks: 1, logs: 4 }, '4 logs'],
    ['not many in many blocks', 3n, { blocks: 3, logs: 3 }, 'limitExceeded'],
    ['many in few blocks of a range that goes beyond the head', 5_000n, { blocks: 4, logs: 3 }, '4 logs'],
  ])('%s are returned or refused', (_case, to, limits, expected) => {
    const answer = () => {
      try {
        return `${logsOfRange(chain, everything, { from: 0n, to, limits }).length} logs`
      } catch (error) {
        return (error as { kind: string }).kind
      }
    }
    expect(answer()).toBe(expected)
  })
})
