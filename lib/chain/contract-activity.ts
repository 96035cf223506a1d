/** The contracts of a chain with their creation, and with what transactions to them used. */

import { bisect } from '../base/bisect.ts'
import type { Address, Hash } from '../base/hex.ts'
import { isExternallyOwned } from '../evm/delegation.ts'
import type { Chain } from './chain.ts'
import type { ChainEntry } from './chain-entry.ts'

interface ContractActivity {
  /** Number of the first block with its code; undefined if the states before that are not known. */
  block: number | undefined
  /** The transaction that created it; null if a contract, the genesis block or an edit of the state did. */
  transactionHash: Hash | null
  /** Counts transactions to the contract and its creation, how many of them failed, and their gas. */
  transactions: number
  failed: number
  gasUsed: bigint
}

export function contractActivity(chain: Chain): readonly (readonly [Address, ContractActivity])[] {
  const entries = chain.entriesFrom(chain.remote === undefined ? 0 : Number(chain.remote.last) + 1)
  const contracts = new Map<Address, ContractActivity>()
  for (const [address, { code }] of chain.head.state.accounts()) {
    if (isExternallyOwned(code)) continue
    const block = firstBlockWith(address, entries)
    contracts.set(address, { block, transactionHash: null, transactions: 0, failed: 0, gasUsed: 0n })
  }
  for (const { number, ownReceipts } of entries)
    for (const { transaction, outcome } of ownReceipts) {
      const { to = outcome.contractAddress, hash: transactionHash } = transaction
      const contract = to && contracts.get(to)
      if (contract === undefined) continue
      contract.transactions++
      contract.gasUsed += outcome.gasUsed
      if (outcome.status !== 'success') contract.failed++
      else if (transaction.to === undefined) Object.assign(contract, { block: number, transactionHash })
    }
  return [...contracts].sort(([, one], [, other]) => (other.block ?? -1) - (one.block ?? -1))
}

function firstBlockWith(address: Address, entries: readonly ChainEntry[]): number | undefined {
  const isBefore = (at: number): boolean => (entries[at]?.keptState?.code(address).length ?? 0) === 0
  const first = bisect(entries.length, isBefore)
  const isKnown = first === 0 ? entries[0]?.number === 0 : entries[first - 1]?.keptState !== undefined
  return isKnown ? entries[first]?.number : undefined
}
