/** Rows of a process of Hardhat, whose provider is the chain. */

import type { Measurement, Session } from '../session.ts'
import { minedBlocks, snapshotCycles, trace } from '../workloads/blocks.ts'
import { balanceCalls, estimates } from '../workloads/calls.ts'
import {
  COLD,
  WARM,
  deployments,
  sendsOverTime,
  tokenTransfers,
  transfers,
} from '../workloads/transactions.ts'

/** Something that is measured on the provider of a process. */
export interface ProviderRow {
  readonly name: string
  /** Measures it, and throws if an answer is wrong. */
  readonly measure: (session: Session) => Promise<Measurement>
}

/** The sends of a short test suite. */
export const FIRST_SENDS: ProviderRow = {
  name: 'send and receipt, first 200',
  measure: (session) => transfers(session, COLD),
}

const firstTokens = {
  name: 'ERC-20 transfer and receipt, first 200',
  measure: (session: Session) => tokenTransfers(session, COLD),
}

const firstDeployments = {
  name: 'deployment of 20 KB, first 50',
  measure: (session: Session) => deployments(session, { operations: 50 }),
}

const firstCycles = {
  name: 'snapshot, five transactions, revert, first 50',
  measure: (session: Session) => snapshotCycles(session, { operations: 50 }),
}

/** Rows of the first operations, each in a process of its own. */
export const COLD_ROWS: readonly ProviderRow[] = [FIRST_SENDS, firstTokens, firstDeployments, firstCycles]

/** The rows of the table. Each list has a process of its own, in which its rows follow each other. */
export const PROCESSES: readonly (readonly ProviderRow[])[] = [
  [FIRST_SENDS],
  [
    { name: 'send and receipt, first 1,000', measure: (session) => transfers(session, { operations: 1000 }) },
    { name: 'send and receipt, warm', measure: (session) => transfers(session, WARM) },
  ],
  [
    firstTokens,
    { name: 'ERC-20 transfer and receipt, warm', measure: (session) => tokenTransfers(session, WARM) },
  ],
  [firstDeployments],
  [firstCycles],
  [{ name: 'evm_mine, one by one', measure: minedBlocks }],
  [
    { name: 'call of balanceOf', measure: balanceCalls },
    { name: 'estimate of an ERC-20 transfer', measure: estimates },
  ],
  [{ name: 'trace of 100,000 steps', measure: trace }],
]

/** The row of the chart. */
export const FIRST_SECONDS: ProviderRow = { name: 'sends in the first seconds', measure: sendsOverTime }
