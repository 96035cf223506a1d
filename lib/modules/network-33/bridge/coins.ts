/**
 * Stores the coins of the auxiliary chain that the federation holds: unspent outputs of registered transactions. Terms:
 * bridge.ts.
 */

import { StoredList, indexField, numberField, rawField, type Stored } from './stored-list.ts'

const COIN = {
  /** Id of its transaction in internal byte order. */
  transactionId: rawField,
  index: indexField,
  /** Value in sat, the smallest unit of the auxiliary chain. */
  sat: numberField,
  /** Hash of the flyover deposit that it is; else empty (node-next 4.4). */
  flyoverHash: rawField,
}

/** An output that pays the federation. */
export type Coin = Stored<typeof COIN>

/** Coins of the federation that was committed last, oldest first. */
export const COINS = new StoredList('coins', COIN)

/** Coins of the federation before it. */
export const FORMER_COINS: typeof COINS = new StoredList('coins/former', COIN)

/** Coins of the proposed federation, with which it proves that it can sign. */
export const VALIDATION_COINS: typeof COINS = new StoredList('coins/validation', COIN)

export const sumOf = (list: readonly { readonly sat: bigint }[]): bigint =>
  list.reduce((sum, { sat }) => sum + sat, 0n)
