/** Makes batches of peg-outs, and passes them to the signers (node-chain 10.5, node-next 4.5). Terms: bridge.ts. */

import { asAddress, fromHex } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { outputScript } from './aux-address.ts'
import { toDisplayOrder } from './aux-header.ts'
import { readAuxTransaction, type AuxOutput } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import { sumOf } from './coins.ts'
import { BLOCKS_BETWEEN_BATCHES, PEGOUT_CONFIRMATIONS, WEI_PER_SAT } from './constants.ts'
import { CONFIRMING, QUEUE, SIGNING, nextBatch, putNextBatch, signingBatches } from './pegout-state.ts'
import type { PegoutRequest } from './pegout-state.ts'
import { payRequests, type BatchRelease } from './release-transaction.ts'
import { fundsOf, startRelease } from './releases.ts'

/** Receiver of coins that nobody owns. */
const BURN_ADDRESS = asAddress(`0x${'ff'.repeat(20)}`)

/** The output that pays a request. */
export const outputOf = ({ destination, sat }: Pick<PegoutRequest, 'destination' | 'sat'>): AuxOutput => ({
  sat,
  script: outputScript(destination),
})

/** Makes a batch of the queued requests if the next batch is due and the coins suffice. */
export function makeBatch(bridge: BridgeCall): void {
  const { storage, blockNumber, federations } = bridge
  if (blockNumber < nextBatch(storage)) return
  const queue = QUEUE.read(storage)
  const batch = payRequests(fundsOf(storage, federations.active), queue.map(outputOf))
  if (batch !== undefined) startBatch(bridge, queue, batch)
  if (QUEUE.read(storage).length === 0) putNextBatch(storage, blockNumber + BLOCKS_BETWEEN_BATCHES)
}

function startBatch(bridge: BridgeCall, queue: readonly PegoutRequest[], batch: BatchRelease): void {
  const paid = queue.slice(0, batch.requests)
  // The event has the sum of the whole queue, also if the batch pays a part of it (node-next 3, proposal 378).
  startRelease(bridge, batch, sumOf(queue))
  QUEUE.write(bridge.storage, queue.slice(batch.requests))
  bridge.emit('batch_pegout_created', {
    auxTxHash: fromHex(toDisplayOrder(batch.id)),
    releaseTxHashes: Buffer.concat(paid.map(({ transactionHash }) => fromHex(transactionHash))),
  })
  // The change grew by an amount that a receiver had sent to the Bridge.
  if (batch.raised > 0n) bridge.pay(BURN_ADDRESS, batch.raised * WEI_PER_SAT)
}

/**
 * Passes a batch with enough confirmations to the signers; of several, the first in the order of their bytes (node-next 4.6).
 * @throws PrecompileFailure while another batch of the same transaction waits for signatures
 */
export function confirmBatch(bridge: BridgeCall): void {
  const { storage, blockNumber } = bridge
  const confirming = CONFIRMING.read(storage)
  const [first] = confirming
    .filter(({ createdIn }) => blockNumber - createdIn >= PEGOUT_CONFIRMATIONS)
    .toSorted((left, right) => Buffer.compare(left.raw, right.raw))
  if (first === undefined) return
  const signing = signingBatches(storage)
  const { raw, transactionHash, createdIn } = first
  if (signing.some((batch) => batch.transactionHash === transactionHash)) {
    throw new PrecompileFailure(`another peg-out of transaction ${transactionHash} waits for signatures`)
  }
  CONFIRMING.write(storage, confirming.toSpliced(confirming.indexOf(first), 1))
  SIGNING.write(storage, [...signing, first])
  const auxTxHash = fromHex(toDisplayOrder(readAuxTransaction(raw).id))
  bridge.emit('pegout_confirmed', { auxTxHash, creationBlockNumber: createdIn })
}
