/** Methods of the Bridge that return serialized parts of its state (node-chain 10.4, 10.10). */

import { bigIntToBytes, fromHex } from '../../../base/hex.ts'
import { encodeRlp, type RlpInput } from '../../../base/rlp.ts'
import type { BridgeHandlers } from './bridge-call.ts'
import { littleEndian } from './aux-transaction.ts'
import { toDisplayOrder } from './aux-header.ts'
import { federationOutputScript, type Federation } from './federation.ts'
import { HeaderChain } from './header-chain.ts'
import {
  CONFIRMING,
  QUEUE,
  SPENDING,
  nextBatch,
  signingBatches,
  type Coin,
  type PegoutBatch,
  type PegoutRequest,
} from './pegout-state.ts'

/** An unspent output as the auxiliary chain's Java library writes it. Block height and coinbase flag are zero. */
function unspentOutput(federation: Federation, { transactionId, index, sat, flyoverHash }: Coin): Uint8Array {
  const script = federationOutputScript(federation, flyoverHash)
  return new Uint8Array(
    Buffer.concat([
      littleEndian(sat, 8),
      littleEndian(script.length, 4),
      script,
      fromHex(toDisplayOrder(transactionId)),
      littleEndian(index, 4),
      littleEndian(0, 4),
      Uint8Array.of(0),
    ]),
  )
}

// Pairs and triples are flattened into one list, because the network's state parser expects that.

const signingList = (batches: readonly PegoutBatch[]): RlpInput =>
  batches.flatMap(({ transactionHash, raw }) => [fromHex(transactionHash), raw])

/** The queue as a list. Destinations are hashes without the version of the address. */
const queueList = (requests: readonly PegoutRequest[]): RlpInput =>
  requests.flatMap(({ destination, sat, transactionHash }) => [
    destination.subarray(1),
    bigIntToBytes(sat),
    fromHex(transactionHash),
  ])

const confirmingList = (batches: readonly PegoutBatch[]): RlpInput =>
  batches.flatMap(({ raw, createdIn, transactionHash }) => [
    raw,
    bigIntToBytes(createdIn),
    fromHex(transactionHash),
  ])

export const stateMethods = {
  'getStateFor{Aux}ReleaseClient': ({ storage }) => encodeRlp([signingList(signingBatches(storage))]),

  // The transaction with which the proposed federation proves that it can sign.
  getStateForSvpClient: ({ storage }) => encodeRlp([signingList(SPENDING.read(storage))]),

  getStateForDebugging: ({ storage, federations }) => {
    const { federation, coins } = federations.active
    const parts: readonly RlpInput[] = [
      coins.read(storage).map((coin) => unspentOutput(federation, coin)),
      signingList(signingBatches(storage)),
      queueList(QUEUE.read(storage)),
      confirmingList(CONFIRMING.read(storage)),
      bigIntToBytes(nextBatch(storage)),
    ]
    return encodeRlp([bigIntToBytes(new HeaderChain(storage).best.height), ...parts.map(encodeRlp)])
  },
} satisfies Partial<BridgeHandlers>
