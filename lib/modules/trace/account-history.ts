/** Finds the transactions that touched an account, and its creation, by replaying blocks. There is no index. */

import { finish } from '../../base/routine.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Chain } from '../../chain/chain.ts'
import { firstBlockWhere, MAX_SEARCHED, checkSearch, loadBlocks, ownBlocks } from '../../chain/search.ts'
import type { BlockRange } from '../../chain/search.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { framesOf, isCreation } from '../../insight/replay/call-tree.ts'
import type { Tracing } from './tracing.ts'

/** Remote blocks that are loaded together. */
const STEP = 10n

type SearchOrder = 'newest first' | 'oldest first'

export class AccountHistory {
  readonly #chain: Chain
  readonly #tracing: Tracing
  readonly #transferGas: bigint

  /** `transferGas` is the gas of a transfer that runs no code and so touches only sender and receiver. */
  constructor(chain: Chain, tracing: Tracing, transferGas: bigint) {
    this.#chain = chain
    this.#tracing = tracing
    this.#transferGas = transferGas
  }

  /**
   * At least `count` transactions in blocks below a number, or in all blocks. A page contains all matching transactions of a block
   * or none. @throws NodeError 'limitExceeded' if it would run too many remote blocks
   */
  before(address: Address, number: bigint | undefined, count: number) {
    const to = number === undefined ? this.#chain.height : number - 1n
    return this.#search(this.#blocks({ from: 0n, to }, 'newest first'), address, count)
  }

  /** The same for blocks above a number, or for all blocks. The search begins with the oldest block. */
  async after(address: Address, number: bigint | undefined, count: number) {
    const from = number === undefined ? 0n : number + 1n
    const { found, hasMore } = await this.#search(
      this.#blocks({ from, to: this.#chain.height }, 'oldest first'),
      address,
      count,
    )
    return { found: found.toSorted(newestFirst), hasMore }
  }

  /** The creator of the contract at an address, and the hash of the transaction; absent if no transaction created it. */
  async creation(address: Address): Promise<{ hash: Hash; creator: Address } | undefined> {
    const hasCode = (state: StateRoot): boolean => state.code(address).length > 0
    const entry = await finish(() => firstBlockWhere(this.#chain, hasCode))
    if (entry === undefined) return undefined
    for (const { receipt, record: root } of await this.#tracing.callTrees(entry, () => true)) {
      const created = framesOf(root).find((node) => isCreation(node) && node.to === address)
      if (created !== undefined) return { hash: receipt.transaction.hash, creator: created.from }
    }
    return undefined
  }

  async *#blocks(range: BlockRange, order: SearchOrder): AsyncGenerator<ChainEntry> {
    const own = ownBlocks(this.#chain, range.from).filter(({ number }) => BigInt(number) <= range.to)
    if (order === 'newest first') yield* own
    yield* this.#remoteBlocks(range, order)
    if (order === 'oldest first') yield* own.reverse()
  }

  /** The remote blocks with transactions in a range, until the search takes too long. */
  async *#remoteBlocks({ from, to }: BlockRange, order: SearchOrder): AsyncGenerator<ChainEntry> {
    const { remote } = this.#chain
    if (remote === undefined) return
    const last = to < remote.last ? to : remote.last
    const isUpwards = order === 'oldest first'
    for (let left = last - from + 1n, searched = 0n; left > 0n; left -= STEP, searched += STEP) {
      if (searched >= MAX_SEARCHED) checkSearch(this.#chain, { from, to })
      const length = left < STEP ? left : STEP
      const start = isUpwards ? last - left + 1n : from + left - length
      const numbers = Array.from({ length: Number(length) }, (_, index) => start + BigInt(index))
      await finish(loadBlocks(this.#chain, { from: start, to: start + length - 1n }, false))
      for (const number of isUpwards ? numbers : numbers.reverse()) {
        const entry = remote.make(number)
        if (entry !== undefined && entry.block.receipts.length > 0) yield entry
      }
    }
  }

  /** A page of transactions, and whether more follow in the direction of the search. */
  async #search(entries: AsyncIterable<ChainEntry>, address: Address, count: number) {
    const mined: MinedReceipt[] = []
    for await (const entry of entries) {
      const touching = await this.#touching(entry, address)
      if (touching.length === 0) continue
      if (mined.length >= count) return { found: mined, hasMore: true }
      for (const receipt of touching.toReversed()) mined.push({ entry, receipt })
    }
    return { found: mined, hasMore: false }
  }

  /** Transactions of a block in which the account is sender, receiver, caller or callee, in block order. */
  async #touching(entry: ChainEntry, address: Address): Promise<readonly Receipt[]> {
    const { header, receipts } = entry.block
    const isParty = ({ transaction, outcome }: Receipt) =>
      [transaction.sender, transaction.to, outcome.contractAddress].includes(address)
    const mayCall = (receipt: Receipt) => !isParty(receipt) && receipt.outcome.gasUsed > this.#transferGas
    const inside = new Set<Receipt>()
    await finish(loadBlocks(this.#chain, { from: header.number, to: header.number }, true))
    for (const { receipt, record: root } of await this.#tracing.callTrees(entry, mayCall)) {
      if (framesOf(root).some(({ from, to }) => from === address || to === address)) inside.add(receipt)
    }
    return receipts.filter((receipt) => isParty(receipt) || inside.has(receipt))
  }
}

function newestFirst(left: MinedReceipt, right: MinedReceipt): number {
  const heights = right.entry.block.header.number - left.entry.block.header.number
  return heights === 0n ? right.receipt.index - left.receipt.index : Number(heights)
}
