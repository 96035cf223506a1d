/**
 * Stores the coins of the auxiliary chain that the federation holds: unspent transaction outputs that peg-ins registered.
 * Terms: bridge.ts.
 */

import { bigIntToBytes, bytesToBigInt } from '../../../base/hex.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'

/** An output that pays the federation. */
export interface Coin {
  /** Id of its transaction in internal byte order. */
  readonly transactionId: Uint8Array
  /** Index of the output in its transaction. */
  readonly index: number
  /** Value in sat, the smallest unit of the auxiliary chain. */
  readonly sat: bigint
}

/** All coins, oldest first. */
export function coins(storage: BridgeStorage): readonly Coin[] {
  return listOf(storage.record('coins')).map((item) => {
    const [id, index, sat] = listOf(item).map(bytesOf)
    return {
      transactionId: bytesOf(id),
      index: Number(bytesToBigInt(bytesOf(index))),
      sat: bytesToBigInt(bytesOf(sat)),
    }
  })
}

/** Replaces all coins. */
export function putCoins(storage: BridgeStorage, list: readonly Coin[]): void {
  const record = list.map(({ transactionId, index, sat }) => [
    transactionId,
    bigIntToBytes(BigInt(index)),
    bigIntToBytes(sat),
  ])
  storage.putRecord('coins', record.length === 0 ? undefined : record)
}

/** Sum in sat. */
export const sumOf = (list: readonly { readonly sat: bigint }[]): bigint =>
  list.reduce((sum, { sat }) => sum + sat, 0n)
