/**
 * Starts releases: transactions of the Bridge on the auxiliary chain, which wait for confirmations and signatures (node-next 4.5).
 * Terms: bridge.ts.
 */

import { EMPTY_BYTES, equalBytes, fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { encodeCount } from './aux-encoding.ts'
import { toDisplayOrder } from './aux-header.ts'
import { pushesOf } from './aux-sender.ts'
import { plainSignatureHash, type AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import type { Coin } from './coins.ts'
import { servingOf, type CoinHolder } from './federation-state.ts'
import { feePerKb } from './governance-methods.ts'
import { CONFIRMING, type PegoutBatch } from './pegout-state.ts'
import type { Funds, Release } from './release-transaction.ts'

/** The items with which an input spends its coin, in its witness or its script; the last one is its redeem script. */
export function shownItems({ inputs, witnesses }: AuxTransaction, index: number): readonly Uint8Array[] {
  const witness = witnesses[index] ?? []
  return witness.length > 0 ? witness : (pushesOf(inputs[index]?.script ?? EMPTY_BYTES) ?? [])
}

/** A hash that identifies a release, signed or not: that for its first input, which covers no signatures (node-next 4.3). */
export function releaseHash(transaction: AuxTransaction): Hash {
  const script = shownItems(transaction, 0).at(-1) ?? EMPTY_BYTES
  return toHash(plainSignatureHash(transaction, { index: 0, script }))
}

const nameOfRelease = (transaction: AuxTransaction): string => `release/${releaseHash(transaction)}`

/** Whether a transaction of the auxiliary chain is one of the Bridge. */
export const isRelease = (storage: BridgeStorage, transaction: AuxTransaction): boolean =>
  storage.bytes(nameOfRelease(transaction)) !== undefined

/** What a federation can spend. */
export const fundsOf = (storage: BridgeStorage, { federation, coins }: CoinHolder): Funds => ({
  coins: coins.read(storage),
  federation,
  feePerKb: feePerKb(storage),
})

/** Takes the coins of a release, and lets it wait for confirmations. `requested` is the amount in sat of its event. */
export function startRelease(bridge: BridgeCall, release: Release, requested: bigint): void {
  const { storage, federations } = bridge
  const isSpent = ({ transactionId, index }: Coin) =>
    release.spent.some((coin) => coin.index === index && equalBytes(coin.transactionId, transactionId))
  for (const { coins } of servingOf(federations)) coins.remove(storage, isSpent)
  storage.putBytes(nameOfRelease(release), EMPTY_BYTES)
  CONFIRMING.write(storage, [...CONFIRMING.read(storage), announceRelease(bridge, release, requested)])
}

/** Emits the events of a new release; returns what waits for signatures. */
export function announceRelease(
  bridge: BridgeCall,
  { raw, id, spent }: Release,
  requested: bigint,
): PegoutBatch {
  const { transactionHash, blockNumber } = bridge
  const inputValues = new Uint8Array(Buffer.concat(spent.map(({ sat }) => encodeCount(sat))))
  const auxTxHash = fromHex(toDisplayOrder(id))
  bridge.emit('release_requested', { txHash: fromHex(transactionHash), auxTxHash, amount: requested })
  bridge.emit('pegout_transaction_created', { auxTxHash, utxoOutpointValues: inputValues })
  return { raw, inputValues, transactionHash, createdIn: blockNumber }
}
