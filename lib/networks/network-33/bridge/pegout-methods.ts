/** Methods of the Bridge for peg-outs, which move coins to the auxiliary chain (node-chain 10.4, 10.5). Terms: bridge.ts. */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { addressOfKey, readAuxAddress } from './aux-address.ts'
import type { BridgeCall } from './bridge-call.ts'
import { MINIMUM_PEGOUT_SAT, WEI_PER_SAT } from './constants.ts'
import { updateChange } from './federation-change.ts'
import { moveCoins } from './federation-migration.ts'
import { isMember, proposedFederation } from './federation-state.ts'
import type { BridgeHandlers } from './method.ts'
import { confirmBatch, makeBatch } from './pegout-batch.ts'
import { feeOfRequest, nextFee, usualFee } from './pegout-fee.ts'
import { QUEUE, nextBatch } from './pegout-state.ts'
import { addSignatures } from './signatures.ts'

/** Codes of rejected peg-outs. */
const REJECTED = { amount: 1n, contract: 2n, fee: 3n }

/** Percent by which a peg-out has to exceed its fee. */
const FEE_MARGIN_PERCENT = 20n

export const pegoutMethods = {
  'release{Aux}': (bridge) => {
    const { caller } = bridge
    const { value } = bridge.call
    // The Bridge keeps a contract's coins: a contract has no key to spend them on the auxiliary chain.
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
  getEstimatedFeesForNextPegOutEvent: nextFee,
  getEstimatedFeesForPegOutAmount: (bridge, [wei]) => feeOfRequest(bridge, wei / WEI_PER_SAT),
} satisfies Partial<BridgeHandlers>

/** Requires that the caller is a member of a serving or the proposed federation (node-next 4.1). @throws PrecompileFailure */
function requireMember({ caller, members, storage }: BridgeCall): void {
  if (!isMember(caller, [...members, ...(proposedFederation(storage)?.members ?? [])]))
    throw new PrecompileFailure(`${caller} is not a member of the federation`)
}

const rejectPegout = (bridge: BridgeCall, reason: bigint): void =>
  bridge.emit('release_request_rejected', { sender: bridge.caller, amount: bridge.call.value, reason })

/** Code of the rejection of an amount in sat that is below a minimum; below both, the code of the higher one. */
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
