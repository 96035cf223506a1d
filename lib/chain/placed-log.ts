/** Logs with their places in the chain. */

import type { Header } from '../consensus/header-fields.ts'
import type { Log } from '../evm/outcome.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Block, Receipt } from './block.ts'

/** A log with its place in the chain: what is known of a log that a remote node found. */
export interface PlacedLog {
  readonly log: Log
  readonly logIndex: number
  readonly receipt: Pick<Receipt, 'index'> & { readonly transaction: Pick<Transaction, 'hash'> }
  readonly block: Pick<Block, 'hash'> & { readonly header: Pick<Header, 'number' | 'timestamp'> }
}
