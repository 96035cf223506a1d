/** Computes the gas quota of senders in the pool of the reference node (node-rpc 6, row 18). This node does not enforce it. */

import type { Address } from '../../base/hex.ts'
import type { Chain } from '../chain.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { Mempool } from './mempool.ts'

/** Virtual gas of an account at a time. */
export interface Quota {
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly availableVirtualGas: number
}

/** Fraction of the block gas limit that an account earns per second. */
const EARNED_PER_SECOND = 0.9

/** Maximum seconds of earned gas that an account can save. */
const MAX_SECONDS = 2000

/**
 * Quota of a sender after its last transaction; absent if it has sent none. A mined transaction counts as sent at the time
 * of its block, a pooled transaction as sent now. Each costs its gas limit. The factors of the reference node for size,
 * price and nonce are left out.
 */
export function quotaOf(
  sender: Address,
  { chain, mempool, nowMs }: { readonly chain: Chain; readonly mempool: Mempool; readonly nowMs: number },
): Quota | undefined {
  const perSecond = Number(chain.head.block.header.gasLimit) * EARNED_PER_SECOND
  const pooled = Array.from(mempool.all(), ({ transaction }) => ({ transaction, atMs: nowMs }))
  const sent = [...minedOn(chain), ...pooled].filter(({ transaction }) => transaction.sender === sender)
  let quota: Quota | undefined
  for (const { transaction, atMs } of sent) {
    const before = quota ?? { timestamp: atMs, availableVirtualGas: perSecond * MAX_SECONDS }
    const earned = (Math.max(atMs - before.timestamp, 0) / 1000) * perSecond
    const saved = Math.min(before.availableVirtualGas + earned, perSecond * MAX_SECONDS)
    quota = { timestamp: atMs, availableVirtualGas: Math.max(saved - Number(transaction.gasLimit), 0) }
  }
  return quota
}

/** The mined transactions, oldest first, with the times of their blocks. */
function minedOn(chain: Chain): readonly { readonly transaction: Transaction; readonly atMs: number }[] {
  return chain
    .entriesFrom(1)
    .flatMap(({ block: { receipts, header } }) =>
      receipts.map(({ transaction }) => ({ transaction, atMs: Number(header.timestamp) * 1000 })),
    )
}
