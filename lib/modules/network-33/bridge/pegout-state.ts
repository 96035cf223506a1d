/**
 * Stores the federation's coins on the auxiliary chain, and peg-outs by stage: queued, in a confirming batch, or in a batch that
 * waits for signatures. Terms: bridge.ts.
 */

import {
  StoredList,
  hashField,
  numberField,
  rawField,
  indexField,
  type BridgeStorage,
  type Stored,
} from './bridge-storage.ts'

const REQUEST = {
  /** Version and hash of the receiver's address. */
  destination: rawField,
  sat: numberField,
  /** Transaction that requested the peg-out. */
  transactionHash: hashField,
}

export type PegoutRequest = Stored<typeof REQUEST>

const BATCH = {
  raw: rawField,
  transactionHash: hashField,
  /** Number of the block of this chain that made the batch. */
  createdIn: numberField,
  /** Values in sat of the spent coins, as compact sizes. */
  inputValues: rawField,
}

/** A transaction of the auxiliary chain that pays a batch. */
export type PegoutBatch = Stored<typeof BATCH>

/** Requests that are not in a batch, oldest first. */
export const QUEUE = new StoredList('pegouts/queue', REQUEST)

/** Batches that wait for confirmations on this chain, oldest first. */
export const CONFIRMING = new StoredList('pegouts/confirming', BATCH)

/** Batches that wait for signatures. */
export const SIGNING = new StoredList('pegouts/signing', BATCH)

/** The transaction that the proposed federation signs, if there is one. */
export const SPENDING = new StoredList('federation/spending', BATCH)

const RELEASED_BATCH = {
  /** Id of the transaction in internal byte order. */
  id: rawField,
  /** The signed transaction. */
  raw: rawField,
}

/** Signed releases that are not registered. The reference has no such list: its nodes find them by the event `release_aux`. */
export const RELEASED = new StoredList('pegouts/released', RELEASED_BATCH)

/** Batches that wait for signatures, in the order of their transactions' hashes (node-chain 10.10). */
export const signingBatches = (storage: BridgeStorage): readonly PegoutBatch[] =>
  SIGNING.read(storage).toSorted((left, right) => (left.transactionHash < right.transactionHash ? -1 : 1))

/** First block that can make the next batch. */
export const nextBatch = (storage: BridgeStorage): bigint => storage.number('pegouts/next') ?? 0n

export const putNextBatch = (storage: BridgeStorage, block: bigint): void =>
  storage.putNumber('pegouts/next', block)

const COIN = {
  /** Id of its transaction in internal byte order. */
  transactionId: rawField,
  index: indexField,
  /** Value in sat, the smallest unit of the auxiliary chain. */
  sat: numberField,
  /** Hash if the coin is a flyover deposit, else empty (node-next 4.4). */
  flyoverHash: rawField,
}

/** An output that pays the federation. */
export type Coin = Stored<typeof COIN>

/** Coins of the federation that was committed last, oldest first. */
export const COINS = new StoredList('coins', COIN)

/** Coins of the federation before it. */
export const FORMER_COINS: typeof COINS = new StoredList('coins/former', COIN)

/** Coins with which the proposed federation proves that it can sign. */
export const VALIDATION_COINS: typeof COINS = new StoredList('coins/validation', COIN)

export const sumOf = (list: readonly { readonly sat: bigint }[]): bigint =>
  list.reduce((sum, { sat }) => sum + sat, 0n)
