/** Indexes the transactions of addresses. The pages of an address are in address-transactions.ts. */

import type { Address } from '../base/hex.ts'
import type { Block, Receipt } from './block.ts'

/** Where a transaction is in the chain. */
export interface MinedPosition {
  readonly block: number
  /** Its index in the block. */
  readonly index: number
}

/** Positions, ascending, as two lists of numbers, which take a fifth of the memory of objects. */
interface PositionLists {
  readonly blocks: number[]
  readonly indices: number[]
}

/** The positions of transactions by sender, receiver and created contract. */
export class AddressIndex {
  readonly #byAddress = new Map<Address, PositionLists>()

  /** Adds a block above all indexed blocks. */
  add({ header, receipts }: Block): void {
    const number = Number(header.number)
    for (const receipt of receipts) {
      for (const address of addressesOf(receipt)) {
        const { blocks, indices } = this.#postingsOf(address)
        blocks.push(number)
        indices.push(receipt.index)
      }
    }
  }

  /** Removes the highest block. */
  remove({ header, receipts }: Block): void {
    const number = Number(header.number)
    for (const address of new Set(receipts.flatMap((receipt) => [...addressesOf(receipt)]))) {
      const { blocks, indices } = this.#postingsOf(address)
      const kept = this.countBelow(address, { block: number, index: 0 })
      blocks.length = kept
      indices.length = kept
      if (kept === 0) this.#byAddress.delete(address)
    }
  }

  /** Number of transactions of an address that are before a position. */
  countBelow(address: Address, { block, index }: MinedPosition): number {
    const postings = this.#byAddress.get(address)
    if (postings === undefined) return 0
    let [low, high] = [0, postings.blocks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = postings.blocks[middle] ?? 0
      const isBelow = other < block || (other === block && (postings.indices[middle] ?? 0) < index)
      if (isBelow) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The transaction of an address that has so many others before it; absent if there are not so many. */
  at(address: Address, count: number): MinedPosition | undefined {
    const postings = this.#byAddress.get(address)
    const [block, index] = [postings?.blocks[count], postings?.indices[count]]
    return block === undefined || index === undefined ? undefined : { block, index }
  }

  #postingsOf(address: Address): PositionLists {
    const known = this.#byAddress.get(address)
    if (known !== undefined) return known
    const postings = { blocks: [], indices: [] }
    this.#byAddress.set(address, postings)
    return postings
  }
}

/** Sender, receiver and created contract of a transaction, each once. */
export function addressesOf({ transaction, outcome }: Receipt): ReadonlySet<Address> {
  const addresses = [transaction.sender, transaction.to, outcome.contractAddress]
  return new Set(addresses.filter((address) => address !== undefined))
}
