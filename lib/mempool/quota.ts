/** The limit that the reference's pool sets to senders (node-rpc 6, row 18). Here it is told and limits nobody. */

import type { Address } from '../base/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { Mempool } from './mempool.ts'

/** Virtual gas an account could send at a moment. */
export interface Quota {
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly availableVirtualGas: number
}

/** Part of a block's gas that an account earns in a second. */
const EARNED_PER_SECOND = 0.9

/** Seconds for which an account can save. */
const MAX_SECONDS = 2000

/**
 * Quota of a sender after its last transaction; absent when it has sent none.
 * Told from the chain: what was mined was sent at the time of its block, and what waits is sent now. Each transaction
 * costs its gas limit; the reference's further factors, for its size, price and place among the nonces, are left out.
 */
export function quotaOf(
  sender: Address,
  { chain, mempool, nowMs }: { readonly chain: Chain; readonly mempool: Mempool; readonly nowMs: number },
): Quota | undefined {
  const perSecond = Number(chain.head.block.header.gasLimit) * EARNED_PER_SECOND
  const sent = [...minedBy(sender, chain), ...waitingOf(sender, mempool, nowMs)]
  let quota: Quota | undefined
  for (const { atMs, gas } of sent) {
    const before = quota ?? { timestamp: atMs, availableVirtualGas: perSecond * MAX_SECONDS }
    const earned = (Math.max(atMs - before.timestamp, 0) / 1000) * perSecond
    const saved = Math.min(before.availableVirtualGas + earned, perSecond * MAX_SECONDS)
    quota = { timestamp: atMs, availableVirtualGas: Math.max(saved - gas, 0) }
  }
  return quota
}

interface Sent {
  readonly atMs: number
  readonly gas: number
}

function minedBy(sender: Address, chain: Chain): readonly Sent[] {
  const found: Sent[] = []
  for (let entry = chain.head; entry.parent !== undefined; entry = entry.parent) {
    const { receipts, header } = entry.block
    const own = receipts.filter(({ transaction }) => transaction.sender === sender)
    found.push(...own.map(({ transaction }) => sentAt(Number(header.timestamp) * 1000, transaction.gasLimit)))
  }
  return found.reverse()
}

function waitingOf(sender: Address, mempool: Mempool, nowMs: number): readonly Sent[] {
  const own = [...mempool.all()].filter(({ transaction }) => transaction.sender === sender)
  return own.map(({ transaction }) => sentAt(nowMs, transaction.gasLimit))
}

const sentAt = (atMs: number, gasLimit: bigint): Sent => ({ atMs, gas: Number(gasLimit) })
