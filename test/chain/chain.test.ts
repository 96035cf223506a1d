import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { asHash, toWord } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import type { BlockSelector, Block, Receipt } from '../../lib/chain/block.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { Chain } from '../../lib/chain/chain.ts'
import type { Header } from '../../lib/networks/consensus/consensus.ts'
import { ZERO_HASH } from '../../lib/chain/header.ts'
import { ChainInstance } from '../../lib/chain/instance/chain-instance.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import type { State } from '../../lib/state/state.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

let made = 0n

/** A block with a unique hash and a number of transactions. */
function blockAfter(parent: Block | undefined, transactions = 0): Block {
  made++
  const number = parent === undefined ? 0n : parent.header.number + 1n
  const header = { number, parentHash: parent?.hash ?? ZERO_HASH } as Header
  const outcome = { logs: [{ address: addressOf(7), topics: [], data: new Uint8Array() }] }
  const receipts = Array.from(
    { length: transactions },
    () => ({ transaction: transactionOf(), outcome }) as unknown as Receipt,
  )
  return { header, hash: asHash(toWord(made)), receipts, uncles: [], totalDifficulty: 0n }
}

const giveBalance = (state: State): void => state.putAccount(addressOf(1), { nonce: 0n, balance: 5n })

function newChain() {
  const instance = new ChainInstance()
  const chain = new Chain(instance, { block: blockAfter(undefined), state: StateRoot.empty })
  const changes: { readonly removed: readonly Block[]; readonly added: readonly Block[] }[] = []
  const blocksOf = (entries: readonly ChainEntry[]) => entries.map(({ block }) => block)
  chain.headChanged.on(({ removed, added }) => {
    changes.push({ removed: blocksOf(removed), added: blocksOf(added) })
  })
  const grow = (transactions = 0): Block => {
    const block = blockAfter(chain.head.block, transactions)
    chain.add(new ChainEntry({ block, state: StateRoot.empty, parent: chain.head }))
    return block
  }
  return { instance, chain, changes, grow }
}

describe('chain', () => {
  test('finds blocks by number, hash and tag', () => {
    const { chain, grow } = newChain()
    const [first, second] = [grow(), grow()]
    const found = (selector: BlockSelector) => chain.find(selector)?.block
    expect(found({ number: 1n })).toBe(first)
    expect(found({ hash: first.hash })).toBe(first)
    expect(found({ tag: 'earliest' })).toBe(chain.genesis.block)
    for (const tag of ['latest', 'safe', 'finalized'] as const) expect(found({ tag })).toBe(second)
  })

  test.each<readonly [string, BlockSelector, string]>([
    ['number', { number: 7n }, 'Block 0x7 not found'],
    [
      'number beyond every machine number',
      { number: 2n ** 200n },
      `Block 0x${(2n ** 200n).toString(16)} not found`,
    ],
    ['hash', { hash: ZERO_HASH }, `Block with hash ${ZERO_HASH} not found`],
  ])('refuses an unknown %s by name', (_case, selector, message) => {
    const { chain } = newChain()
    expect(chain.find(selector)).toBeUndefined()
    expect(() => chain.get(selector)).toThrow(new NodeError('unknownBlock', message))
  })

  test('refuses a block that does not follow its parent', () => {
    const { chain, grow } = newChain()
    const block = blockAfter(chain.head.block)
    grow()
    const state = StateRoot.empty
    expect(() => chain.add(new ChainEntry({ block, state, parent: chain.head }))).toThrow(InvariantError)
  })

  test('edits the state after its head, and not the block and earlier states', () => {
    const { chain, changes, grow } = newChain()
    const block = grow(1)
    chain.editHead(giveBalance)
    expect(chain.head.block).toBe(block)
    expect(chain.byHash(block.hash)?.state.balance(addressOf(1))).toBe(5n)
    expect(chain.receipt(block.receipts[0]!.transaction.hash)?.entry).toBe(chain.head)
    expect(chain.genesis.state).toBe(StateRoot.empty)
    expect(changes).toHaveLength(1)
  })

  test('goes forward to another branch, receipts and edits included', () => {
    const { instance, chain, changes, grow } = newChain()
    grow()
    const fork = instance.capture()
    const left = [grow(1), grow(1)]
    chain.editHead(giveBalance)
    const leftHead = instance.capture()
    instance.restore(fork)
    const right = grow(1)
    instance.restore(leftHead)
    expect(changes.at(-1)).toEqual({ removed: [right], added: left })
    expect([chain.at(2n)?.block, chain.at(3n)?.block]).toEqual(left)
    expect(chain.head.state.balance(addressOf(1))).toBe(5n)
    expect(chain.receipt(left[0]!.receipts[0]!.transaction.hash)).toBeDefined()
    expect(chain.receipt(right.receipts[0]!.transaction.hash)).toBeUndefined()
  })
})

describe('side blocks', () => {
  /** A block on any parent, with a total difficulty. */
  function entryOn(parent: ChainEntry, totalDifficulty: bigint): ChainEntry {
    const made = blockAfter(parent.block, 1)
    const block = { ...made, header: { ...made.header, paidFees: 0n }, totalDifficulty }
    return new ChainEntry({ block, state: StateRoot.empty, parent })
  }

  /** Genesis, block 1 and block 2, each with a difficulty of one. */
  function grown() {
    const made = newChain()
    const first = entryOn(made.chain.head, 1n)
    made.chain.add(first)
    const second = entryOn(first, 2n)
    made.chain.add(second)
    return { ...made, first, second }
  }

  test('are found by hash, but neither by number nor as canonical', () => {
    const { chain, changes, first, second } = grown()
    const side = entryOn(first, 2n)
    expect(chain.add(side)).toBeUndefined()
    const { hash, receipts } = side.block
    expect([chain.byHash(hash), chain.find({ hash, requireCanonical: false })]).toEqual([side, side])
    expect([chain.find({ hash, requireCanonical: true }), chain.head]).toEqual([undefined, second])
    expect(() => chain.get({ hash, requireCanonical: true })).toThrow(
      new NodeError('unknownBlock', `Block with hash ${hash} is not on the canonical chain`),
    )
    expect(chain.receipt(receipts[0]!.transaction.hash)).toBeUndefined()
    expect([...chain.sideBlocks]).toEqual([side])
    expect(changes).toHaveLength(2)
  })

  test('become canonical once they are heavier, and the blocks before become side blocks', () => {
    const { chain, changes, first, second } = grown()
    const side = entryOn(first, 2n)
    chain.add(side)
    const heavier = entryOn(side, 3n)
    expect(chain.add(heavier)).toEqual({ removed: [second], added: [side, heavier] })
    expect(changes.at(-1)).toEqual({ removed: [second.block], added: [side.block, heavier.block] })
    expect([chain.head, chain.at(2n), chain.at(1n)]).toEqual([heavier, side, first])
    expect([...chain.sideBlocks]).toEqual([second])
    const [left, joined] = [second, side].map(({ block }) => block.receipts[0]!.transaction.hash)
    expect([chain.receipt(left!), chain.receipt(joined!)?.entry]).toEqual([undefined, side])
    expect(chain.index.logs.candidates({ addresses: [addressOf(7)], topics: [] }, 0, 9)).toEqual([1, 2, 3])
  })
})
