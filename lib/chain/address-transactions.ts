/** The transactions of an address in pages, newest first. The index is built when an address is first asked for. */

import { nextTurn } from '../base/host.ts'
import type { Address } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Chain } from './chain.ts'
import type { MinedPosition, MinedReceipt } from './chain-index.ts'

/** Blocks that are indexed without a pause, which takes a few milliseconds. */
const INDEXED_TOGETHER = 500

/** Which transactions of an address to return: the newest before a position, or the oldest from a position on. */
export interface AddressPageRequest {
  readonly address: Address
  readonly count: number
  /** Absent: the end of the chain. */
  readonly before?: MinedPosition | undefined
  /** Takes precedence over `before`. */
  readonly from?: MinedPosition | undefined
}

export type AddressPage = ReturnType<typeof pageOf>

/**
 * Transactions of this chain whose sender, receiver or created contract is the address. Transactions of remote blocks and calls by
 * other contracts are not included.
 */
export async function transactionsOfAddress(chain: Chain, request: AddressPageRequest): Promise<AddressPage> {
  while (!chain.index.indexAddresses(INDEXED_TOGETHER)) await nextTurn()
  return pageOf(chain, request)
}

function pageOf(chain: Chain, { address, count, before, from }: AddressPageRequest) {
  const { addresses } = chain.index
  const total = addresses.countBelow(address, { block: Infinity, index: 0 })
  const limit = before === undefined ? total : addresses.countBelow(address, before)
  const start = from === undefined ? Math.max(limit - count, 0) : addresses.countBelow(address, from)
  const end = from === undefined ? limit : Math.min(start + count, total)
  const ranks = Array.from({ length: end - start }, (_, offset) => end - 1 - offset)
  const mined = ranks.map((rank) => receiptAt(chain, present(addresses.at(address, rank), 'a transaction')))
  return { found: mined, total, hasNewer: end < total, hasOlder: start > 0 }
}

function receiptAt(chain: Chain, { block, index }: MinedPosition): MinedReceipt {
  const entry = present(chain.at(BigInt(block)), `block ${block}`)
  return { entry, receipt: present(entry.block.receipts[index], `transaction ${index}`) }
}
