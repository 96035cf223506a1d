/** The method that shows the Bridge: federation, coins, peg-outs by stage, and the auxiliary chain of the node (docs/bridge.md). */

import * as z from 'zod'
import { EMPTY_BYTES, toHex, toQuantity } from '../../base/hex.ts'
import type { AuxChain } from '../../networks/network-33/aux-chain/aux-chain.ts'
import { bridgeFederations } from '../../networks/network-33/aux-chain/registration.ts'
import { addressOfScript } from '../../networks/network-33/bridge/aux-address.ts'
import { toDisplayOrder } from '../../networks/network-33/bridge/aux-header.ts'
import { readAuxTransaction } from '../../networks/network-33/bridge/aux-transaction.ts'
import type { AuxOutput, AuxTransaction } from '../../networks/network-33/bridge/aux-transaction.ts'
import type { Coin } from '../../networks/network-33/bridge/coins.ts'
import { PEGOUT_CONFIRMATIONS } from '../../networks/network-33/bridge/constants.ts'
import { accountOf, federationAddress, thresholdOf } from '../../networks/network-33/bridge/federation.ts'
import type { Federation } from '../../networks/network-33/bridge/federation.ts'
import { servingOf } from '../../networks/network-33/bridge/federation-state.ts'
import { feePerKb, lockingCap } from '../../networks/network-33/bridge/governance-methods.ts'
import { outputOf } from '../../networks/network-33/bridge/pegout-batch.ts'
import {
  CONFIRMING,
  QUEUE,
  nextBatch,
  signingBatches,
} from '../../networks/network-33/bridge/pegout-state.ts'
import type { PegoutBatch } from '../../networks/network-33/bridge/pegout-state.ts'
import { signatureCount } from '../../networks/network-33/bridge/signatures.ts'
import { bridgeSummary, storedAfter } from '../../networks/network-33/bridge/state-access.ts'
import { addressText, dataText, hashText, list, quantityText, text } from '../../schema/results.ts'
import { readMethod } from '../../kernel/method.ts'
import { requireBridge } from './federator.ts'
import { stateBlock } from './params.ts'

const federationObject = z.strictObject({
  address: text,
  kind: z.enum(['plain', 'witness']),
  threshold: z.int(),
  /** Accounts, and keys of the auxiliary chain. */
  members: list(z.strictObject({ account: addressText, publicKey: dataText })),
})

const coinObject = z.strictObject({
  txid: hashText,
  index: z.int(),
  sat: quantityText,
  /** Null unless it is a flyover deposit. */
  flyoverHash: hashText.nullable(),
})

/** What a request or a release pays. The address is null for a script of another kind. */
const outputObject = z.strictObject({ address: text.nullable(), sat: quantityText })

const releaseObject = z.strictObject({
  /** Of the bytes in `raw`: signatures in scripts, those of a plain federation, change it. */
  txid: hashText,
  /** Of the transaction of this chain that made it, and its block. */
  transactionHash: hashText,
  createdIn: quantityText,
  outputs: list(outputObject),
  raw: dataText,
})

const auxBlockObject = z.strictObject({
  height: quantityText,
  hash: hashText,
  /** Ids, that of the coinbase first. */
  transactions: list(hashText),
})

export const bridgeOverview = readMethod({
  name: 'dev_bridge',
  summary:
    'The Bridge after a block: federation, coins, queued peg-outs, the first block of the next batch, releases that wait for confirmations or signatures, and its height of the auxiliary chain. `auxiliaryChain` is the auxiliary chain of the node as it is now: its newest 20 blocks, newest first, and waiting transactions. Amounts are in sat, of 10^10 wei; hashes of the auxiliary chain are in display byte order.',
  params: [stateBlock],
  result: z.strictObject({
    federation: federationObject,
    /** The former one, while its coins are moved. */
    retiringFederation: federationObject.nullable(),
    feePerKb: quantityText,
    lockingCap: quantityText,
    coins: list(coinObject),
    queue: list(outputObject.extend({ transactionHash: hashText })),
    nextBatch: quantityText,
    /** `ripeAt` is the first block whose `updateCollections` passes it to the signers. */
    confirming: list(releaseObject.extend({ ripeAt: quantityText })),
    signing: list(releaseObject.extend({ signatures: z.int(), threshold: z.int() })),
    bestHeight: quantityText,
    auxiliaryChain: z.strictObject({ blocks: list(auxBlockObject), pool: list(hashText) }),
  }),
  run: ({ block }, node) => {
    requireBridge(node)
    const { state, block: last } = node.blockResolver.at(block)
    const storage = storedAfter(state)
    const federations = bridgeFederations(state, last.header.number + 1n, node.options.release)
    const { active, retiring } = federations
    return {
      federation: shownFederation(active.federation),
      retiringFederation: retiring === undefined ? null : shownFederation(retiring.federation),
      feePerKb: toQuantity(feePerKb(storage)),
      lockingCap: toQuantity(lockingCap(storage)),
      coins: servingOf(federations).flatMap(({ coins }) => coins.read(storage).map(shownCoin)),
      queue: QUEUE.read(storage).map((request) => ({
        ...shownOutput(outputOf(request)),
        transactionHash: request.transactionHash,
      })),
      nextBatch: toQuantity(nextBatch(storage)),
      confirming: CONFIRMING.read(storage).map((batch) => ({
        ...shownRelease(batch),
        ripeAt: toQuantity(batch.createdIn + PEGOUT_CONFIRMATIONS),
      })),
      signing: signingBatches(storage).map((batch) => ({ ...shownRelease(batch), ...signatureCount(batch) })),
      bestHeight: toQuantity(bridgeSummary(state).bestHeight),
      auxiliaryChain: shownAuxChain(node.auxChain.value),
    }
  },
})

const shownFederation = (federation: Federation): z.input<typeof federationObject> => ({
  address: federationAddress(federation),
  kind: federation.kind,
  threshold: thresholdOf(federation.members),
  members: federation.members.map((member) => {
    const [publicKey = EMPTY_BYTES] = member
    return { account: accountOf(member), publicKey: toHex(publicKey) }
  }),
})

const shownCoin = ({ transactionId, index, sat, flyoverHash }: Coin): z.input<typeof coinObject> => ({
  txid: toDisplayOrder(transactionId),
  index,
  sat: toQuantity(sat),
  flyoverHash: flyoverHash.length === 0 ? null : toHex(flyoverHash),
})

function shownRelease({ raw, transactionHash, createdIn }: PegoutBatch): z.input<typeof releaseObject> {
  const { id, outputs } = readAuxTransaction(raw)
  return {
    txid: toDisplayOrder(id),
    transactionHash,
    createdIn: toQuantity(createdIn),
    outputs: outputs.map(shownOutput),
    raw: toHex(raw),
  }
}

const shownOutput = ({ script, sat }: AuxOutput) => ({
  address: addressOfScript(script) ?? null,
  sat: toQuantity(sat),
})

/** Number of blocks of the auxiliary chain in one answer. */
const MAX_AUX_BLOCKS = 20

const shownAuxChain = ({ blocks, pool }: AuxChain) => ({
  blocks: blocks
    .slice(-MAX_AUX_BLOCKS)
    .toReversed()
    .map(({ header, transactions }) => ({
      height: toQuantity(header.height),
      hash: header.hash,
      transactions: transactions.map(txidOf),
    })),
  pool: pool.map(txidOf),
})

const txidOf = ({ id }: AuxTransaction) => toDisplayOrder(id)
