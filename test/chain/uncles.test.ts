import { describe, expect, test } from '@jest/globals'
import { ethereum } from '../../lib/networks/ethereum/consensus/ethereum.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import type { Header } from '../../lib/networks/consensus/consensus.ts'
import { headerHash } from '../../lib/chain/header.ts'
import { unclesAfter } from '../../lib/chain/ancestors.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { variant } from '../modules/network-33/support/merged-mining.ts'

/** A block after another; blocks of the same parent differ by their time. */
function after(parent: ChainEntry | undefined, timestamp = 0n, uncles: readonly Header[] = []): ChainEntry {
  const number = parent === undefined ? 0n : parent.block.header.number + 1n
  const header = variant({ number, timestamp, ...(parent && { parentHash: parent.block.hash }) })
  const block = { header, hash: headerHash(header), receipts: [], uncles, totalDifficulty: number }
  return new ChainEntry({ block, state: StateRoot.empty, parent })
}

/** A chain of blocks 0 to `length`. */
function chainTo(length: number): readonly ChainEntry[] {
  const entries = [after(undefined)]
  for (let number = 1; number <= length; number++) entries.push(after(entries.at(-1)))
  return entries
}

const headersOf = (entries: readonly ChainEntry[]) => entries.map(({ block }) => block.header)

describe('uncles (node-chain 6.10)', () => {
  test('of block 11 are siblings of blocks 5 to 10', () => {
    const chain = chainTo(10)
    const siblings = chain.slice(0, -1).map((parent) => after(parent, 1n))
    const numbers = unclesAfter(chain.at(-1)!, siblings).map(({ number }) => number)
    expect(numbers).toEqual([5n, 6n, 7n, 8n, 9n, 10n])
  })

  test('are no siblings of the block itself', () => {
    const chain = chainTo(3)
    expect(unclesAfter(chain.at(-1)!, [after(chain.at(-1), 1n)])).toEqual([])
  })

  test('are no children of uncles', () => {
    const chain = chainTo(3)
    const uncle = after(chain[1], 1n)
    expect(unclesAfter(chain.at(-1)!, [uncle, after(uncle, 1n)])).toEqual(headersOf([uncle]))
  })

  test('are no ancestors', () => {
    const chain = chainTo(3)
    expect(unclesAfter(chain.at(-1)!, [chain[2]!])).toEqual([])
  })

  test('are not named twice', () => {
    const chain = chainTo(3)
    const [named, other] = [after(chain[1], 1n), after(chain[1], 2n)]
    const head = after(chain.at(-1), 0n, headersOf([named]))
    expect(unclesAfter(head, [named, other])).toEqual(headersOf([other]))
  })

  test('are at most ten', () => {
    const chain = chainTo(3)
    const siblings = Array.from({ length: 12 }, (_, index) => after(chain[1], BigInt(index + 1)))
    expect(unclesAfter(chain.at(-1)!, siblings)).toEqual(headersOf(siblings.slice(0, 10)))
  })

  test('are none without merged mining', () => {
    const chain = chainTo(3)
    const head = chain.at(-1)!
    const header = { ...head.block.header, consensus: ethereum }
    const { block, state, parent } = head
    const plain = new ChainEntry({ block: { ...block, header }, state, parent })
    expect(unclesAfter(plain, [after(chain[1], 1n)])).toEqual([])
  })
})
