/** Indexes the transactions of addresses. The pages of an address are in address-transactions.ts. */

import { bisect } from '../base/bisect.ts'
import { getOrAdd } from '../base/get-or-add.ts'
import type { Address } from '../base/hex.ts'
import type { Receipt } from './block.ts'
import type { IndexedEntry } from './log-index.ts'

/** Where a transaction is in the chain. */
export interface MinedPosition {
  readonly block: number
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
  add({ number, ownReceipts }: IndexedEntry): void {
    for (const receipt of ownReceipts) {
      for (const address of addressesOf(receipt)) {
        const { blocks, indices } = this.#postingsOf(address)
        blocks.push(number)
        indices.push(receipt.index)
      }
    }
  }

  /** Removes the highest block. */
  remove({ number, ownReceipts }: IndexedEntry): void {
    for (const address of new Set(ownReceipts.flatMap((receipt) => [...addressesOf(receipt)]))) {
      const { blocks, indices } = this.#postingsOf(address)
      const kept = this.countBelow(address, { block: number, index: 0 })
      blocks.length = kept
      indices.length = kept
      if (kept === 0) this.#byAddress.delete(address)
    }
  }

  /** Number of transactions of an address that are before a position. */
  countBelow(address: Address, { block, index }: MinedPosition): number {
    const { blocks = [], indices = [] } = this.#byAddress.get(address) ?? {}
    return bisect(blocks.length, (position) => {
      const other = blocks[position] ?? 0
      return other < block || (other === block && (indices[position] ?? 0) < index)
    })
  }

  /** The transaction of an address that has so many others before it; absent if there are not so many. */
  at(address: Address, count: number): MinedPosition | undefined {
    const postings = this.#byAddress.get(address)
    const [block, index] = [postings?.blocks[count], postings?.indices[count]]
    return block === undefined || index === undefined ? undefined : { block, index }
  }

  #postingsOf(address: Address): PositionLists {
    return getOrAdd(this.#byAddress, address, () => ({ blocks: [], indices: [] }))
  }
}

/** Sender, receiver and created contract of a transaction, each once. */
export function addressesOf({ transaction, outcome }: Receipt): ReadonlySet<Address> {
  const addresses = [transaction.sender, transaction.to, outcome.contractAddress]
  return new Set(addresses.filter((address) => address !== undefined))
}
