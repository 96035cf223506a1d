/** The transactions of the pool, and why they wait. */

import type { TransactionObject } from '../../lib/embed/rpc-types.ts'
import { amountOf } from '../format/amounts.ts'
import { ask } from './json-rpc.ts'

/** How blocks are mined. */
export interface MiningFacts {
  readonly isAutomine: boolean
  /** Seconds between blocks; null without interval mining. */
  readonly interval: number | null
  /** Absent on the other kind of network. */
  readonly minimumGasPrice: string | undefined
  readonly baseFee: string | undefined
}

/** How blocks are mined, and what the next one asks for gas. */
export async function miningFacts(): Promise<MiningFacts> {
  const [isAutomine, interval, pending] = await Promise.all([
    ask('hardhat_getAutomine'),
    ask('anvil_getIntervalMining'),
    ask('eth_getBlockByNumber', 'pending', false),
  ])
  return {
    isAutomine,
    interval,
    minimumGasPrice: pending?.minimumGasPrice,
    baseFee: pending?.minimumGasPrice === undefined ? pending?.baseFeePerGas : undefined,
  }
}

/** A pooled transaction. */
export interface Pooled {
  readonly transaction: TransactionObject
  /** Why it waits. */
  readonly reason: string
}

/** Transactions by sender and nonce; the reference node lists those of a nonce. */
type PoolPart = Readonly<
  Record<string, Readonly<Record<string, TransactionObject | readonly TransactionObject[]>>>
>

/** The transactions of the pool: those of the next block first. */
export async function pooled(): Promise<readonly Pooled[]> {
  const [{ pending, queued }, facts] = await Promise.all([ask('txpool_content'), miningFacts()])
  const all = (bySender: PoolPart): readonly TransactionObject[] =>
    Object.values(bySender).flatMap((byNonce) => Object.values(byNonce).flat())
  return [
    ...all(pending).map((transaction) => ({ transaction, reason: reasonOf(transaction, facts) })),
    ...(await Promise.all(
      all(queued).map(async (transaction) => {
        const next = await ask('eth_getTransactionCount', transaction.from, 'pending')
        return { transaction, reason: `no transaction of its sender has nonce ${Number(next)}` }
      }),
    )),
  ]
}

function reasonOf(
  { gasPrice, maxFeePerGas }: TransactionObject,
  { isAutomine, interval, baseFee, minimumGasPrice }: MiningFacts,
): string {
  const asked = baseFee ?? minimumGasPrice
  const offered = maxFeePerGas ?? gasPrice
  if (asked !== undefined && BigInt(offered) < BigInt(asked)) {
    const what = baseFee === undefined ? 'minimum gas price' : 'base fee'
    return `it pays ${amountOf(BigInt(offered)).short} per gas, the ${what} is ${amountOf(BigInt(asked)).short}`
  }
  if (interval !== null) return `a block is mined every ${interval} s`
  return isAutomine ? 'the next block has not been mined' : 'blocks are mined only when asked for'
}
