/**
 * Makes batches of peg-outs, with their fees and transactions, and passes them to the signers (node-chain 10.5). Terms:
 * bridge.ts.
 */

import { EMPTY_BYTES, fromHex } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { outputScript } from './aux-address.ts'
import { toDisplayOrder } from './aux-header.ts'
import { encodeCount } from './aux-encoding.ts'
import { writeAuxTransaction } from './aux-transaction.ts'
import type { AuxOutput } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { COINS, sumOf } from './coins.ts'
import type { Coin } from './coins.ts'
import { BLOCKS_BETWEEN_BATCHES, PEGOUT_CONFIRMATIONS } from './constants.ts'
import { FEDERATION_SCRIPT, GENESIS_FEDERATION, redeemScript, witnessProgram } from './federation.ts'
import { feePerKb } from './governance-methods.ts'
import { CONFIRMING, QUEUE, SIGNING, nextBatch, putNextBatch, signingBatches } from './pegout-state.ts'
import type { PegoutRequest } from './pegout-state.ts'

/** Estimated bytes of a transaction: its fixed part, an input with signatures, and an output. */
const BASE_BYTES = 10
const INPUT_BYTES = 135
const OUTPUT_BYTES = 32

/** Expected number of inputs of a batch. */
const EXPECTED_INPUTS = 2

/** Additional outputs that an estimate counts. */
const SPARE_OUTPUTS = 2

/** Fee of a transaction, in sat. */
function feeOf(storage: BridgeStorage, inputs: number, outputs: number): bigint {
  const size = BASE_BYTES + INPUT_BYTES * inputs + OUTPUT_BYTES * outputs
  return (feePerKb(storage) * BigInt(size)) / 1_000n
}

/** Fee of the next batch with a number of requests, in sat. */
export const estimatedFee = (storage: BridgeStorage, requests: number): bigint =>
  feeOf(storage, EXPECTED_INPUTS, requests + SPARE_OUTPUTS)

/** Makes a batch of the queued requests if the next batch is due and the coins suffice. */
export function makeBatch(bridge: BridgeCall): void {
  const { storage, blockNumber } = bridge
  if (blockNumber < nextBatch(storage)) return
  const queue = QUEUE.read(storage)
  const spent = coinsFor(COINS.read(storage), sumOf(queue))
  if (queue.length > 0 && spent !== undefined) pay(bridge, { queue, spent })
  if (QUEUE.read(storage).length === 0) putNextBatch(storage, blockNumber + BLOCKS_BETWEEN_BATCHES)
}

/** The oldest coins that cover an amount. */
function coinsFor(all: readonly Coin[], sat: bigint): readonly Coin[] | undefined {
  const last = all.findIndex((_, index) => sumOf(all.slice(0, index + 1)) >= sat)
  return last < 0 ? undefined : all.slice(0, last + 1)
}

interface Batch {
  readonly queue: readonly PegoutRequest[]
  readonly spent: readonly Coin[]
}

function pay(bridge: BridgeCall, batch: Batch): void {
  const { storage, transactionHash, blockNumber } = bridge
  const { queue, spent } = batch
  const { raw, change } = transactionOf(storage, batch)
  const internalId = doubleSha256(raw)
  const auxTxHash = fromHex(toDisplayOrder(internalId))
  const rest = COINS.read(storage).slice(spent.length)
  COINS.write(
    storage,
    change === undefined
      ? rest
      : [...rest, { transactionId: internalId, flyoverHash: EMPTY_BYTES, ...change }],
  )
  QUEUE.write(storage, [])
  const utxoOutpointValues = new Uint8Array(Buffer.concat(spent.map(({ sat }) => encodeCount(sat))))
  const batchOf = { raw, inputValues: utxoOutpointValues, transactionHash, createdIn: blockNumber }
  CONFIRMING.write(storage, [...CONFIRMING.read(storage), batchOf])
  bridge.emit('release_requested', { txHash: fromHex(transactionHash), auxTxHash, amount: sumOf(queue) })
  const releaseTxHashes = Buffer.concat(queue.map((request) => fromHex(request.transactionHash)))
  bridge.emit('batch_pegout_created', { auxTxHash, releaseTxHashes })
  bridge.emit('pegout_transaction_created', { auxTxHash, utxoOutpointValues })
}

/** Builds the unsigned transaction. The receivers bear the fee in equal parts. */
function transactionOf(storage: BridgeStorage, { queue, spent }: Batch) {
  const rest = sumOf(spent) - sumOf(queue)
  const hasChange = rest > 0n
  const fee = feeOf(storage, spent.length, queue.length + (hasChange ? 1 : 0))
  const share = fee / BigInt(queue.length)
  const paid: AuxOutput[] = queue.map(({ destination, sat }) => ({
    sat: sat > share ? sat - share : 0n,
    script: outputScript(destination),
  }))
  const outputs = hasChange ? [...paid, { sat: rest, script: FEDERATION_SCRIPT }] : paid
  const program = witnessProgram(redeemScript(GENESIS_FEDERATION))
  const inputs = spent.map(({ transactionId, index }) => ({
    previousId: transactionId,
    previousIndex: index,
    sequence: 0xffffffff,
    script: Uint8Array.of(program.length, ...program),
  }))
  return {
    raw: writeAuxTransaction(inputs, outputs),
    change: hasChange ? { index: queue.length, sat: rest } : undefined,
  }
}

/** Passes the oldest batch to the signers once it has enough confirmations; one batch per call. */
export function confirmBatch(bridge: BridgeCall): void {
  const { storage, blockNumber } = bridge
  const [oldest, ...later] = CONFIRMING.read(storage)
  if (oldest === undefined || blockNumber - oldest.createdIn < PEGOUT_CONFIRMATIONS) return
  CONFIRMING.write(storage, later)
  SIGNING.write(storage, [...signingBatches(storage), oldest])
  const auxTxHash = fromHex(toDisplayOrder(doubleSha256(oldest.raw)))
  bridge.emit('pegout_confirmed', { auxTxHash, creationBlockNumber: oldest.createdIn })
}
