/** Methods of the Bridge for peg-outs, which move coins to the auxiliary chain (node-chain 10.4, 10.5). Terms: bridge.ts. */

import { EMPTY_BYTES, asAddress, fromHex } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { addressOfKey, readAuxAddress, outputScript } from './aux-address.ts'
import { toDisplayOrder } from './aux-header.ts'
import { readAuxTransaction, type AuxOutput } from './aux-transaction.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { MINIMUM_PEGOUT_SAT, WEI_PER_SAT, BLOCKS_BETWEEN_BATCHES, PEGOUT_CONFIRMATIONS } from './constants.ts'
import { moveCoins, updateChange } from './federation-change.ts'
import { isMember, proposedFederation, KEY_ADDRESS_VERSION, redeemScript, thresholdOf } from './federation.ts'
import {
  sumOf,
  QUEUE,
  nextBatch,
  CONFIRMING,
  SIGNING,
  putNextBatch,
  signingBatches,
  type PegoutRequest,
} from './pegout-state.ts'
import { payRequests, fundsOf, startRelease, type BatchRelease } from './release-transaction.ts'
import { addSignatures } from './signatures.ts'

/** Codes of rejected peg-outs. */
const REJECTED = { amount: 1n, contract: 2n, fee: 3n }

/** Percent by which a peg-out has to exceed its fee. */
const FEE_MARGIN_PERCENT = 20n

export const pegoutMethods = {
  'release{Aux}': (bridge) => {
    const { caller } = bridge
    const { value } = bridge.call
    // The Bridge keeps a contract's coins, because a contract has no key to spend them on the auxiliary chain.
    if (bridge.isFromContract) return rejectPegout(bridge, REJECTED.contract)
    const reason = rejectionOfAmount(bridge, value / WEI_PER_SAT)
    if (reason !== undefined) {
      bridge.pay(caller, value)
      return rejectPegout(bridge, reason)
    }
    const destination = destinationOf(bridge)
    const sat = value / WEI_PER_SAT
    const { storage, transactionHash } = bridge
    const request = { destination: readAuxAddress(destination) ?? EMPTY_BYTES, sat, transactionHash }
    QUEUE.write(storage, [...QUEUE.read(storage), request])
    bridge.emit('release_request_received', {
      sender: caller,
      auxDestinationAddress: destination,
      amount: value,
    })
  },

  updateCollections: (bridge) => {
    bridge.emit('update_collections', { sender: bridge.caller })
    moveCoins(bridge)
    makeBatch(bridge)
    confirmBatch(bridge)
    updateChange(bridge)
  },

  addSignature: (bridge, args) => {
    requireMember(bridge)
    addSignatures(bridge, args)
  },

  getQueuedPegoutsCount: ({ storage }) => BigInt(QUEUE.read(storage).length),
  getNextPegoutCreationBlockNumber: ({ storage }) => nextBatch(storage),
  getEstimatedFeesForNextPegOutEvent: (bridge) => nextFee(bridge),
  getEstimatedFeesForPegOutAmount: (bridge, [wei]) => feeOfRequest(bridge, wei / WEI_PER_SAT),
} satisfies Partial<BridgeHandlers>

/** Requires that the caller is a member of a serving or the proposed federation (node-next 4.1). @throws PrecompileFailure */
function requireMember({ caller, members, storage }: BridgeCall): void {
  if (!isMember(caller, [...members, ...(proposedFederation(storage)?.members ?? [])]))
    throw new PrecompileFailure(`${caller} is not a member of the federation`)
}

const rejectPegout = (bridge: BridgeCall, reason: bigint): void =>
  bridge.emit('release_request_rejected', { sender: bridge.caller, amount: bridge.call.value, reason })

/** Rejection code of an amount in sat below a minimum. Below both, the code of the higher minimum. */
function rejectionOfAmount(bridge: BridgeCall, sat: bigint): bigint | undefined {
  const fee = usualFee(bridge, 0)
  const withMargin = fee + (fee * FEE_MARGIN_PERCENT) / 100n
  if (sat < withMargin && withMargin >= MINIMUM_PEGOUT_SAT) return REJECTED.fee
  return sat < MINIMUM_PEGOUT_SAT ? REJECTED.amount : undefined
}

/** The sender's address on the auxiliary chain; empty for an unsigned simulated call. */
function destinationOf({ caller, call }: BridgeCall): string {
  const key = call.senderPublicKey?.()
  if (key !== undefined) return addressOfKey(key)
  if (call.isSimulated) return ''
  throw new PrecompileFailure(`${caller} has signed nothing: its address on the auxiliary chain is not known`)
}

/** Estimated bytes of a batch: its fixed part, an output, an input without script, the script of a witness, a signature. */
const BYTES = { fixed: 10, output: 32, input: 41, witnessScript: 36, signature: 72 } as const

/** Expected number of inputs of a batch, and additional outputs. */
const EXPECTED_INPUTS = 2
const SPARE_OUTPUTS = 2

/** Fee in sat of a batch with two inputs and two outputs more than the requests, whatever the coins. */
function usualFee({ storage, federations }: BridgeCall, requests: number): bigint {
  const { federation, feePerKb } = fundsOf(storage, federations.active)
  const unlocking = thresholdOf(federation.members) * BYTES.signature + redeemScript(federation).length
  // A witness byte counts a quarter. The reference counts 36 bytes of its input, but not the rest of the input.
  const input = federation.kind === 'plain' ? BYTES.input + unlocking : BYTES.witnessScript + unlocking / 4
  const size = BYTES.fixed + BYTES.output * (requests + SPARE_OUTPUTS) + EXPECTED_INPUTS * input
  return (feePerKb * BigInt(Math.floor(size))) / 1_000n
}

/** Receiver of a hypothetical request. The bytes of its hash do not matter. */
const NO_ONE = Uint8Array.of(KEY_ADDRESS_VERSION, ...new Uint8Array(20))

/** Fee in sat of a batch of the queue plus one request; absent if it cannot be made now. */
function simulatedFee({ storage, federations }: BridgeCall, sat: bigint): bigint | undefined {
  const requests = [...QUEUE.read(storage), { destination: NO_ONE, sat }]
  const batch = payRequests(fundsOf(storage, federations.active), requests.map(outputOf))
  return batch && sumOf(batch.spent) - sumOf(batch.outputs)
}

const nextFee = (bridge: BridgeCall): bigint =>
  simulatedFee(bridge, MINIMUM_PEGOUT_SAT) ?? usualFee(bridge, QUEUE.read(bridge.storage).length)

/** Fee in sat of the next batch with one more request. @throws PrecompileFailure below the minimum, or without enough coins */
function feeOfRequest(bridge: BridgeCall, sat: bigint): bigint {
  if (sat < MINIMUM_PEGOUT_SAT) {
    throw new PrecompileFailure(`${sat} sat are below the minimum of ${MINIMUM_PEGOUT_SAT} sat`)
  }
  const fee = simulatedFee(bridge, sat)
  if (fee === undefined) throw new PrecompileFailure(`the coins of the federation do not pay ${sat} sat more`)
  return fee
}

/** Receiver of coins that nobody owns. */
const BURN_ADDRESS = asAddress(`0x${'ff'.repeat(20)}`)

/** The output that pays a request. */
export const outputOf = ({ destination, sat }: Pick<PegoutRequest, 'destination' | 'sat'>): AuxOutput => ({
  sat,
  script: outputScript(destination),
})

/** Makes a batch of the queued requests if the next batch is due and the coins suffice. */
function makeBatch(bridge: BridgeCall): void {
  const { storage, blockNumber, federations } = bridge
  if (blockNumber < nextBatch(storage)) return
  const queue = QUEUE.read(storage)
  const batch = payRequests(fundsOf(storage, federations.active), queue.map(outputOf))
  if (batch !== undefined) startBatch(bridge, queue, batch)
  if (QUEUE.read(storage).length === 0) putNextBatch(storage, blockNumber + BLOCKS_BETWEEN_BATCHES)
}

function startBatch(bridge: BridgeCall, queue: readonly PegoutRequest[], batch: BatchRelease): void {
  const paid = queue.slice(0, batch.requests)
  // The event has the sum of the whole queue, even if the batch pays only part of it (node-next 3, proposal 378).
  startRelease(bridge, batch, sumOf(queue))
  QUEUE.write(bridge.storage, queue.slice(batch.requests))
  bridge.emit('batch_pegout_created', {
    auxTxHash: fromHex(toDisplayOrder(batch.id)),
    releaseTxHashes: Buffer.concat(paid.map(({ transactionHash }) => fromHex(transactionHash))),
  })
  // The change was raised by an amount that a receiver had sent to the Bridge.
  if (batch.raised > 0n) bridge.pay(BURN_ADDRESS, batch.raised * WEI_PER_SAT)
}

/**
 * Passes a sufficiently confirmed batch to the signers; of several, the first in the order of their bytes (node-next 4.6). @throws
 * PrecompileFailure while another batch of the same transaction waits for signatures
 */
function confirmBatch(bridge: BridgeCall): void {
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
