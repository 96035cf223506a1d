/** Methods that show the state of the Bridge to the auxiliary chain and script its responses (docs/bridge.md). */

import type { BridgeChain } from './scope.ts'
import { invalidParams } from '../../../base/errors.ts'
import * as z from 'zod'
import { bridgeSummary, bridgeSelectors, scriptBridge, storedAfter } from '../bridge/bridge.ts'
import { param, readMethod } from '../../../kernel/method.ts'
import { isHexData, EMPTY_BYTES, toHex, toQuantity, type Hex } from '../../../base/hex.ts'
import { NEUTRAL_NAMES, type NetworkNames } from '../../../config/names.ts'
import { didYouMean } from '../../../config/nearest.ts'
import { data, text } from '../../../schema/wire.ts'
import { command } from '../../../kernel/control.ts'
import { shorten } from '../../../base/shorten.ts'
import type { AuxChain } from '../aux-chain/aux-chain.ts'
import { bridgeFederations } from '../aux-chain/registration.ts'
import { addressOfScript } from '../bridge/aux-address.ts'
import { toDisplayOrder } from '../bridge/aux-header.ts'
import { readAuxTransaction, type AuxOutput, type AuxTransaction } from '../bridge/aux-transaction.ts'
import { PEGOUT_CONFIRMATIONS } from '../bridge/constants.ts'
import {
  accountOf,
  federationAddress,
  thresholdOf,
  servingOf,
  type Federation,
} from '../bridge/federation.ts'
import { feePerKb, lockingCap } from '../bridge/governance-methods.ts'
import { outputOf } from '../bridge/pegout-methods.ts'
import {
  CONFIRMING,
  QUEUE,
  nextBatch,
  signingBatches,
  type Coin,
  type PegoutBatch,
} from '../bridge/pegout-state.ts'
import { signatureCount } from '../bridge/signatures.ts'
import { addressText, dataText, hashText, list, quantityText } from '../../../schema/results.ts'
import { stateBlock } from '../../../rpc/methods/params.ts'

const bridgeState = readMethod({
  name: 'eth_bridgeState',
  summary: 'Height of the auxiliary chain in the Bridge, and hashes, without 0x, of peg-outs to sign.',
  result: z.strictObject({
    auxBlockchainBestChainHeight: z.int(),
    nodeTxsWaitingForSignatures: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  }),
  example: { params: [], result: { auxBlockchainBestChainHeight: 0, nodeTxsWaitingForSignatures: [] } },
  run: (_, { chain }: BridgeChain) => {
    const { bestHeight, awaitingSignatures } = bridgeSummary(chain.head.state)
    return {
      auxBlockchainBestChainHeight: Number(bestHeight),
      nodeTxsWaitingForSignatures: awaitingSignatures.map((hash) => hash.slice(2)),
    }
  },
})

const SELECTOR = /^0x[0-9a-fA-F]{8}$/

/** A name and types without spaces, as signatures are hashed; types may be tuples and arrays. */
const SIGNATURE = /^[a-zA-Z_$][\w$]*\([\w,()[\]]*\)$/

const scripted = text('a selector (4 bytes) or a signature such as "getFeePerKb()"', (value) =>
  SELECTOR.test(value) || SIGNATURE.test(value) ? value : undefined,
)

/** A selector as given, or that of a contract signature, also with the network's names. @throws NodeError 'invalidParams' */
function selectorOf(name: string, names: NetworkNames): Hex {
  const lower = name.toLowerCase()
  if (isHexData(lower)) return lower
  const own = bridgeSelectors(names)
  const found = own.get(name) ?? bridgeSelectors(NEUTRAL_NAMES).get(name)
  if (found !== undefined) return found
  const hint = didYouMean(name, [...own.keys()])
  throw invalidParams(`params[0] (method): the Bridge has no method ${shorten(name)}${hint}`)
}

const RESPONSE_EXPECTED =
  'expected hex data to return, {"revert": data} to revert with, or null for no script'

const response = z.union(
  [
    data.transform((bytes) => ({ isRevert: false, data: bytes })),
    z.strictObject({ revert: data }).transform(({ revert }) => ({ isRevert: true, data: revert })),
    z.null().transform(() => undefined),
  ],
  RESPONSE_EXPECTED,
)

const setBridgeResponse = command({
  name: 'dev_setBridgeResponse',
  summary:
    'Scripts a method of the Bridge: every call, with any sender and arguments, returns the given data or reverts with it, for the gas of the method. The script is part of the state after the newest block, so evm_revert and resets remove it.',
  params: [
    param('method', scripted, 'Selector or signature of the method.'),
    param('response', response, 'Encoded return data; {revert: data}; null to remove the script.'),
  ],
  errors: ['invalidParams'],
  example: { params: ['getFeePerKb()', `0x${'00'.repeat(31)}2a`], result: null },
  run: ({ method: name, response: scriptedResult }, node: BridgeChain) => {
    const { chain, network } = node
    const selector = selectorOf(name, network.names)
    chain.editHead((state) => scriptBridge(state, selector, scriptedResult))
  },
})

const federationObject = z.strictObject({
  address: z.string(),
  kind: z.enum(['plain', 'witness']),
  threshold: z.int(),
  /** Accounts, and keys of the auxiliary chain. */
  members: list(z.strictObject({ account: addressText, publicKey: dataText })),
})

const coinObject = z.strictObject({
  txid: hashText,
  index: z.int(),
  sat: quantityText,
  /** Null unless the coin is a flyover deposit. */
  flyoverHash: hashText.nullable(),
})

/** What a request or release pays. The address is null for other kinds of scripts. */
const outputObject = z.strictObject({ address: z.string().nullable(), sat: quantityText })

const releaseObject = z.strictObject({
  /** Id of the bytes in `raw`. Signatures in the scripts of a plain federation change it. */
  txid: hashText,
  /** The transaction of this chain that made it, and its block. */
  transactionHash: hashText,
  createdIn: quantityText,
  outputs: list(outputObject),
  raw: dataText,
})

const auxBlockObject = z.strictObject({
  height: quantityText,
  hash: hashText,
  /** Ids; the coinbase's comes first. */
  transactions: list(hashText),
})

const bridgeOverview = readMethod({
  name: 'dev_bridge',
  summary:
    'The Bridge after a block: federation, coins, queued peg-outs, the first block of the next batch, releases that wait for confirmations or signatures, and its height of the auxiliary chain. `auxiliaryChain` is the auxiliary chain of the node as it is now: its newest 20 blocks, newest first, and waiting transactions. Amounts are in sat, of 10^10 wei; hashes of the auxiliary chain are in display byte order.',
  params: [stateBlock],
  result: z.strictObject({
    federation: federationObject,
    /** The former federation, while its coins are moved. */
    retiringFederation: federationObject.nullable(),
    feePerKb: quantityText,
    lockingCap: quantityText,
    coins: list(coinObject),
    queue: list(outputObject.extend({ transactionHash: hashText })),
    nextBatch: quantityText,
    /** `ripeAt` is the first block whose `updateCollections` passes the release to the signers. */
    confirming: list(releaseObject.extend({ ripeAt: quantityText })),
    signing: list(releaseObject.extend({ signatures: z.int(), threshold: z.int() })),
    bestHeight: quantityText,
    auxiliaryChain: z.strictObject({ blocks: list(auxBlockObject), pool: list(hashText) }),
  }),
  run: ({ block }, node: BridgeChain) => {
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

/** Maximum number of auxiliary chain blocks in one answer. */
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

export const bridgeMethods = [bridgeState, setBridgeResponse, bridgeOverview]
