/** Methods of the Bridge for peg-outs, which move coins to the auxiliary chain (node-chain 10.4, 10.5). Terms: bridge.ts. */

import { EMPTY_BYTES, toHash } from '../../../base/hex.ts'
import { arrayOf, bytes, uint256 } from '../../../abi/types.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { addressOfKey, readAuxAddress } from './aux-address.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { FEDERATORS, MINIMUM_PEGOUT_SAT, WEI_PER_SAT } from './constants.ts'
import { BRIDGE_EVENTS } from './events.ts'
import { expireProposed } from './federation-state.ts'
import { bridgeMethod, nothing } from './method.ts'
import { confirmBatch, estimatedFee, makeBatch } from './pegout-batch.ts'
import { Pegouts } from './pegout-state.ts'

/** Codes of rejected peg-outs. */
const REJECTED = { amount: 1n, contract: 2n, fee: 3n }

/** Percent by which a peg-out has to exceed its fee. */
const FEE_MARGIN_PERCENT = 20n

const releaseAux = bridgeMethod({
  selector: '0x80af2871',
  name: 'release{Aux}',
  inputs: [],
  output: nothing,
  gas: 23_000,
  mutability: 'payable',
  run: (bridge) => {
    const { caller } = bridge
    const { value } = bridge.call
    // The Bridge keeps a contract's coins: a contract has no key to spend them on the auxiliary chain.
    if (bridge.isFromContract) return rejectPegout(bridge, REJECTED.contract)
    const reason = rejectionOfAmount(bridge.storage, value / WEI_PER_SAT)
    if (reason !== undefined) {
      bridge.pay(caller, value)
      return rejectPegout(bridge, reason)
    }
    const destination = destinationOf(bridge)
    const pegouts = new Pegouts(bridge.storage)
    const sat = value / WEI_PER_SAT
    const request = { destination: readAuxAddress(destination) ?? EMPTY_BYTES, sat }
    pegouts.queue = [...pegouts.queue, { ...request, transactionHash: bridge.transactionHash }]
    bridge.emit(BRIDGE_EVENTS.releaseRequestReceived, [caller], [destination, value])
  },
})

function rejectPegout(bridge: BridgeCall, reason: bigint): void {
  bridge.emit(BRIDGE_EVENTS.releaseRequestRejected, [bridge.caller], [bridge.call.value, reason])
}

/** Code of the rejection of an amount in sat that is below a minimum; below both, the code of the higher one. */
function rejectionOfAmount(storage: BridgeStorage, sat: bigint): bigint | undefined {
  const fee = estimatedFee(storage, 0)
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

const updateCollections = bridgeMethod({
  selector: '0x0c5a9990',
  name: 'updateCollections',
  inputs: [],
  output: nothing,
  gas: 48_000,
  run: (bridge) => {
    bridge.emit(BRIDGE_EVENTS.updateCollections, [], [bridge.caller])
    makeBatch(bridge)
    confirmBatch(bridge)
    expireProposed(bridge)
  },
})

const addSignature = bridgeMethod({
  selector: '0xf10b9c59',
  name: 'addSignature',
  inputs: [bytes, arrayOf(bytes), bytes],
  output: nothing,
  gas: 70_000,
  run: ({ caller, storage }, [, , hash]) => {
    if (!FEDERATORS.has(caller)) throw new PrecompileFailure(`${caller} is not a federator`)
    const isKnown =
      hash.length === 32 &&
      new Pegouts(storage).signing.some((batch) => batch.transactionHash === toHash(hash))
    throw new PrecompileFailure(
      isKnown ? 'peg-outs are not signed on a local chain' : 'no peg-out of this hash waits for signatures',
    )
  },
})

const getQueuedCount = bridgeMethod({
  selector: '0xf4e4f963',
  name: 'getQueuedPegoutsCount',
  inputs: [],
  output: uint256,
  gas: 3_000,
  mutability: 'view',
  run: ({ storage }) => BigInt(new Pegouts(storage).queue.length),
})

const getNextBatch = bridgeMethod({
  selector: '0xe34f834f',
  name: 'getNextPegoutCreationBlockNumber',
  inputs: [],
  output: uint256,
  gas: 3_000,
  mutability: 'view',
  run: ({ storage }) => new Pegouts(storage).nextBatch,
})

const getNextFee = bridgeMethod({
  selector: '0x7817d854',
  name: 'getEstimatedFeesForNextPegOutEvent',
  inputs: [],
  output: uint256,
  gas: 10_000,
  mutability: 'view',
  run: ({ storage }) => estimatedFee(storage, new Pegouts(storage).queue.length),
})

const getFeeOfAmount = bridgeMethod({
  selector: '0xd2b712f4',
  name: 'getEstimatedFeesForPegOutAmount',
  inputs: [uint256],
  output: uint256,
  gas: 10_000,
  mutability: 'view',
  // Counts one more request of any amount: node-chain does not say how the amount counts.
  run: ({ storage }) => estimatedFee(storage, new Pegouts(storage).queue.length + 1),
})

export const pegoutMethods = [
  releaseAux,
  updateCollections,
  addSignature,
  getQueuedCount,
  getNextBatch,
  getNextFee,
  getFeeOfAmount,
]
