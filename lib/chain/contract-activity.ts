/** The contracts of a chain with their creation, and with what transactions to them used. */

import { bisect } from '../base/bisect.ts'
import { nextTurn } from '../base/host.ts'
import type { Address, Hash } from '../base/hex.ts'
import { isExternallyOwned } from '../evm/delegation.ts'
import type { Chain } from './chain.ts'
import type { ChainEntry } from './chain-entry.ts'

/** Blocks that are counted without a pause. */
const COUNTED_TOGETHER = 500

/** Transactions of a contract. */
interface Counts {
  /** Block and hash of the transaction that created it; undefined if a contract, the genesis or an edit of the state did. */
  created?: { readonly block: number; readonly hash: Hash }
  /** Transactions to it, without its creation, and those of them that failed. */
  transactions: number
  failed: number
  /** Gas of its creation and of the transactions to it. */
  gasUsed: bigint
}

/** A contract of the newest block. */
export interface ContractActivity extends Readonly<Counts> {
  readonly address: Address
  /** Number of the first block with its code; undefined if the states before that are not known. */
  readonly block: number | undefined
}

/** The contracts of the newest block, newest first. On a fork those that differ from the forked chain. */
export async function contractActivity(chain: Chain): Promise<readonly ContractActivity[]> {
  const { head, remote } = chain
  const entries = chain.entriesFrom(remote === undefined ? 0 : Number(remote.last) + 1)
  const counts = new Map<Address, Counts>()
  for (const [index, entry] of entries.entries()) {
    countBlock(entry, counts)
    if (index % COUNTED_TOGETHER === 0) await nextTurn()
  }
  const contracts = [...head.state.accounts()].filter(([, { code }]) => !isExternallyOwned(code))
  return contracts
    .map(([address]) => {
      const counted = counts.get(address) ?? noCounts()
      return { address, block: counted.created?.block ?? firstBlockWith(address, entries), ...counted }
    })
    .sort((one, other) => (other.block ?? -1) - (one.block ?? -1))
}

const noCounts = (): Counts => ({ transactions: 0, failed: 0, gasUsed: 0n })

function countBlock({ number: block, ownReceipts }: ChainEntry, counts: Map<Address, Counts>): void {
  for (const { transaction, outcome } of ownReceipts) {
    const { to = outcome.contractAddress, hash } = transaction
    if (to === undefined) continue
    const counted = counts.get(to) ?? noCounts()
    counts.set(to, counted)
    counted.gasUsed += outcome.gasUsed
    const hasFailed = outcome.status !== 'success'
    if (transaction.to !== undefined) {
      counted.transactions++
      if (hasFailed) counted.failed++
    } else if (!hasFailed) counted.created = { block, hash }
  }
}

function firstBlockWith(address: Address, entries: readonly ChainEntry[]): number | undefined {
  const isBefore = (at: number): boolean => (entries[at]?.keptState?.code(address).length ?? 0) === 0
  const first = bisect(entries.length, isBefore)
  const isKnown = first === 0 ? entries[0]?.number === 0 : entries[first - 1]?.keptState !== undefined
  return isKnown ? entries[first]?.number : undefined
}
