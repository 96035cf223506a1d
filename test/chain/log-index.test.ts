/** Compares the log index with a search of every block, on random chains that grow and are cut. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toWord } from '../../lib/base/hex.ts'
import type { Block } from '../../lib/chain/block.ts'
import type { LogFilter } from '../../lib/chain/log-index.ts'
import { LogIndex } from '../../lib/chain/log-index.ts'
import { logsOfBlock } from '../../lib/chain/logs.ts'
import type { Log } from '../../lib/evm/outcome.ts'
import { ADDRESSES, anyFilter, anyLog } from './support/any-log.ts'

/** Blocks to add, by their logs, or a number of blocks to remove. */
const anyStep = fc.oneof(
  fc.record({ joins: fc.array(fc.array(anyLog, { maxLength: 3 }), { maxLength: 5 }) }),
  fc.record({ leave: fc.nat({ max: 6 }) }),
)

// The index reads only these members of a block.
const blockOf = (number: number, logs: readonly Log[]): Block =>
  ({ header: { number: BigInt(number) }, receipts: [{ outcome: { logs }, firstLogIndex: 0 }] }) as any

const entryOf = ({ header, receipts }: Block) => ({ number: Number(header.number), ownReceipts: receipts })

/** A chain and its index after the steps. */
function grown(steps: readonly { joins?: readonly (readonly Log[])[]; leave?: number }[]) {
  const index = new LogIndex()
  const blocks: Block[] = []
  for (const { joins = [], leave = 0 } of steps) {
    for (let left = 0; left < leave && blocks.length > 0; left++) index.remove(entryOf(blocks.pop()!))
    for (const logs of joins) {
      const block = blockOf(blocks.length, logs)
      blocks.push(block)
      index.add(entryOf(block))
    }
  }
  return { index, blocks }
}

const numbers = (blocks: readonly Block[]) => blocks.map(({ header }) => Number(header.number))

/** Whether the block has a log for each of the conditions, though not one log for all. */
function holdsAll(block: Block, { addresses, topics }: LogFilter): boolean {
  const logs = logsOfBlock(block, { addresses: [], topics: [] }).map(({ log }) => log)
  const origins = new Set<string>(logs.flatMap((log) => [log.address, ...log.topics]))
  const conditions = [addresses, ...topics.map((choices) => choices ?? [])].filter(({ length }) => length > 0)
  return logs.length > 0 && conditions.every((choices) => choices.some((choice) => origins.has(choice)))
}

describe('the index of logs', () => {
  test('returns every block with a matching log, and only blocks with all requested addresses and topics', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep, { maxLength: 12 }),
        anyFilter,
        fc.nat(20),
        fc.nat(20),
        (steps, ...asked) => {
          const [filter, from, to] = asked
          const { index, blocks } = grown(steps)
          const inRange = blocks.slice(from, to + 1)
          const found = index.candidates(filter, from, to)
          expect(found).toEqual(numbers(inRange.filter((block) => holdsAll(block, filter))))
          const matching = inRange.filter((block) => logsOfBlock(block, filter).length > 0)
          expect(found).toEqual(expect.arrayContaining(numbers(matching)))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('has no entries of blocks without logs', () => {
    const index = new LogIndex()
    for (let number = 0; number < 1000; number++) index.add(entryOf(blockOf(number, [])))
    expect(index.size).toBe(0)
    expect(index.candidates({ addresses: [], topics: [] }, 0, 1000)).toEqual([])
  })

  test('finds one block among a hundred thousand without looking at the others', () => {
    const index = new LogIndex()
    const log = (topic: bigint): Log => ({
      address: ADDRESSES[0]!,
      topics: [toWord(topic)],
      data: new Uint8Array(),
    })
    for (let number = 0; number < 100_000; number++)
      index.add(entryOf(blockOf(number, [log(BigInt(number))])))
    const wanted = { addresses: [], topics: [[toWord(77_777n)]] }
    expect(index.candidates(wanted, 0, 100_000)).toEqual([77_777])
    expect(index.candidates(wanted, 77_778, 100_000)).toEqual([])
  })
})
