/** Methods that peg coins in and out and let the federation work (docs/bridge.md). */

import { invalidParams } from '../../../base/errors.ts'
import * as z from 'zod'
import { toQuantity, toHex } from '../../../base/hex.ts'
import { present } from '../../../base/invariant.ts'
import { findAuxTransaction, outsideOutput } from '../aux-chain/aux-chain.ts'
import { federationOutputScript } from '../bridge/federation.ts'
import { SENDER_TYPES, pegInTransaction } from '../aux-chain/pegin-transaction.ts'
import { bridgeCallData, bridgeHeaders, registrationArguments } from '../aux-chain/registration.ts'
import { readAuxAddress } from '../bridge/aux-address.ts'
import { AUX_CONFIRMATIONS, TOTAL_SUPPLY_SAT } from '../bridge/constants.ts'
import { WEI_PER_SAT, BRIDGE_ADDRESS } from '../bridge/constants.ts'
import type { BridgeChain } from './scope.ts'
import { addressText, hashText, quantityText, dataText, list } from '../../../schema/results.ts'
import { address, index, oneOf, optional, optionalWith, quantity, text } from '../../../schema/wire.ts'
import { param, writeMethod } from '../../../kernel/method.ts'
import type { RequestContext } from '../../../kernel/request-context.ts'
import { SEND_ERRORS, send, sendContext, signOrImpersonate } from '../../../rpc/methods/eth-send.ts'
import { COW } from '../../../rpc/methods/params.ts'
import { addTransaction, mineAuxBlocks, nextFederations } from './aux-chain.ts'
import { sendAsFederator } from './aux-chain.ts'
import { bytes, decodeAbi } from '../../../abi/codec.ts'
import type { Routine } from '../../../base/routine.ts'
import { isEmpty } from '../../../chain/block.ts'
import { logsOfRange } from '../../../chain/logs.ts'
import type { PlacedLog } from '../../../chain/log-index.ts'
import type { FederationNodes } from '../aux-chain/federation-nodes.ts'
import type { TransactionRequest } from '../../../chain/simulation/transaction-request.ts'
import { checkMines, minesAtOnce } from '../../../config/mining-mode.ts'
import type { Transaction } from '../../../evm/transaction.ts'
import { toDisplayOrder } from '../bridge/aux-header.ts'
import { readAuxTransaction } from '../bridge/aux-transaction.ts'
import { BRIDGE_EVENTS } from '../bridge/events.ts'
import { bridgeSelectors } from '../bridge/bridge.ts'

const wholeSat = quantity
  .refine((wei) => wei % WEI_PER_SAT === 0n, 'expected wei in whole sat, of 10^10 wei each')
  .refine((wei) => wei <= TOTAL_SUPPLY_SAT * WEI_PER_SAT, 'expected at most the 21 million coins that exist')

const refund = text('an address of the auxiliary chain', readAuxAddress)

const pegInRequest = z
  .strictObject(
    {
      to: address,
      amount: wholeSat,
      version: optionalWith(
        index.refine((version) => version <= 1, 'expected 0 or 1'),
        '0x1',
      ),
      refundAddress: optional(refund),
      senderType: optionalWith(oneOf(SENDER_TYPES), 'keyHash'),
    },
    'expected {to, amount, version, refundAddress, senderType}',
  )
  .refine(
    ({ version, refundAddress }) => version === 1 || refundAddress === undefined,
    'expected no refundAddress in version 0',
  )

const pegIn = writeMethod({
  name: 'dev_pegIn',
  summary:
    'Pegs coins in: pays the federation on the auxiliary chain, mines the three blocks that confirm it, and registers it with the Bridge, whose events in the receipt of `transactionHash` say whether it was accepted. Without automine the transactions wait in the pool.',
  params: [
    param(
      'pegIn',
      pegInRequest,
      'Account that receives, and wei in whole sat (10^10 wei). `version`: 1 (default) names the account in an output, also with a `refundAddress`; 0 pays the account of the sender, which must be unlocked here. `senderType`: keyHash (default), nestedWitnessKeyHash, multisig or unknown.',
    ),
  ],
  result: z.strictObject({
    /** Id of the transaction of the auxiliary chain. */
    txid: hashText,
    /** Hash of the registration's transaction. */
    transactionHash: hashText,
    receiver: addressText,
    amount: quantityText,
  }),
  errors: ['unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [{ to: COW, amount: toQuantity(5n * 10n ** 15n) }] },
  run: ({ pegIn: request }, node: BridgeChain, context) =>
    node.instance.atomically(() => pegCoinsIn(request, node, context)),
})

function* pegCoinsIn(request: z.output<typeof pegInRequest>, node: BridgeChain, context: RequestContext) {
  const { to, amount, version, refundAddress, senderType } = request
  const { auxChain, chain, keystore } = node
  const raw = pegInTransaction({
    spent: outsideOutput(auxChain.value, bridgeHeaders(chain.head.state).best),
    senderType,
    senderKey: version === 0 ? keystore.privateKey(to) : undefined,
    sat: amount / WEI_PER_SAT,
    federationScript: federationOutputScript(nextFederations(node).active.federation),
    receiver: version === 0 ? undefined : to,
    refundAddress,
  })
  const txid = addTransaction(raw, node)
  yield* mineAuxBlocks(Number(AUX_CONFIRMATIONS), node, context)
  const found = findAuxTransaction(auxChain.value, txid)
  const proof = found?.block && registrationArguments(found.transaction, found.block)
  const registration = bridgeCallData('register{Aux}Transaction', present(proof, 'the peg-in'))
  const transactionHash = yield* sendAsFederator(registration, node, context)
  return { txid, transactionHash, receiver: to, amount: toQuantity(amount) }
}

/** @throws NodeError 'invalidParams' with --federation off */
function requireFederation(node: BridgeChain): FederationNodes {
  if (node.federation === undefined) throw invalidParams('the node has no federation (--federation off)')
  return node.federation
}

const federationStep = writeMethod({
  name: 'dev_federationStep',
  summary:
    'Does what is due for peg-outs, as the nodes of the federation do: calls updateCollections, adds signatures, puts signed releases into the auxiliary chain, and registers them there. Returns the transactions of its members. Without automine they wait in the pool.',
  result: list(
    z.strictObject({
      /** Name of the called Bridge method. */
      method: z.string(),
      transactionHash: hashText,
    }),
  ),
  errors: ['miningRefused'],
  example: { params: [], result: [] },
  run: (_, node: BridgeChain) => doWhatIsDue(requireFederation(node), node),
})

function* doWhatIsDue(federation: FederationNodes, node: BridgeChain) {
  const { miner, network } = node
  const done: Transaction[] = []
  for (;;) {
    federation.act(miner)
    const { pooled } = federation
    done.push(...pooled)
    if (pooled.length === 0 || !minesAtOnce(miner.mode) || isEmpty(yield* miner.mine())) break
  }
  const signatures = [...bridgeSelectors(network.names)]
  return done.map(({ data, hash }) => {
    const [signature = ''] = signatures.find(([, selector]) => selector === toHex(data.subarray(0, 4))) ?? []
    return { method: signature.slice(0, signature.indexOf('(')), transactionHash: hash }
  })
}

const pegOutRequest = z.strictObject({ from: address, amount: quantity }, 'expected {from, amount}')

const pegOut = writeMethod({
  name: 'dev_pegOut',
  summary:
    'Pegs coins out: sends them to the Bridge, and mines blocks while the federation makes the batch, signs it, and registers the release. `txid` and what follows it are null if the Bridge rejects the request, or has too few coins of peg-ins. Blocks contain other pooled transactions, too.',
  params: [
    param(
      'pegOut',
      pegOutRequest,
      'Account of this node that pays, and wei. The coins go to the address of its key on the auxiliary chain.',
    ),
  ],
  result: z.strictObject({
    /** Hash of the transaction that made the request. */
    transactionHash: hashText,
    amount: quantityText,
    /** Hash of the transaction that made the batch. */
    batchTransactionHash: hashText.nullable(),
    /** Id of the release on the auxiliary chain. */
    txid: hashText.nullable(),
    /** The signed release. */
    raw: dataText.nullable(),
  }),
  errors: ['miningRefused', 'unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [{ from: COW, amount: toQuantity(500_000n * WEI_PER_SAT) }] },
  run: ({ pegOut: { from, amount } }, node: BridgeChain, request) => {
    const federation = requireFederation(node)
    checkMines(node.miner.mode)
    const call = { from, to: BRIDGE_ADDRESS, value: amount }
    return node.instance.atomically(() => pegCoinsOut(call, federation, node, request))
  },
})

function* pegCoinsOut(
  call: TransactionRequest,
  federation: FederationNodes,
  node: BridgeChain,
  request: RequestContext,
) {
  const context = sendContext(node, request)
  const signed = yield* signOrImpersonate(call, context)
  const from = node.chain.head.block.header.number
  const requested = yield* send(signed, context)
  yield* node.miner.mineUntil(requested)
  yield* finishPegOuts(federation, node)
  const batch = bridgeLog('batch_pegout_created', from, node, ({ log }) =>
    toHex(log.data).includes(requested.slice(2)),
  )
  const release =
    batch &&
    bridgeLog('release_aux', from, node, ({ log }) => log.topics[1] === batch.receipt.transaction.hash)
  const raw = release && decodeAbi([bytes], release.log.data)[0]
  return {
    transactionHash: requested,
    amount: toQuantity(signed.value),
    batchTransactionHash: batch?.receipt.transaction.hash ?? null,
    // If the signatures are in the scripts, the events of a batch have another id.
    txid: raw === undefined ? null : toDisplayOrder(readAuxTransaction(raw).id),
    raw: raw === undefined ? null : toHex(raw),
  }
}

/** Mines blocks until no peg-out continues by itself. */
function* finishPegOuts(federation: FederationNodes, { miner }: BridgeChain): Routine<void> {
  for (;;) {
    federation.act(miner)
    const { length: waiting } = federation.pooled
    if (waiting === 0 && federation.blocksToNext === 0) return
    // A transaction that no block accepts, such as one below the minimum price, would make this endless.
    if (isEmpty(yield* miner.mine()) && waiting > 0) return
  }
}

/** The first matching event of the Bridge from a block on. */
function bridgeLog(
  name: 'batch_pegout_created' | 'release_aux',
  from: bigint,
  { chain }: BridgeChain,
  fits: (found: PlacedLog) => boolean,
): PlacedLog | undefined {
  const filter = { addresses: [BRIDGE_ADDRESS], topics: [[BRIDGE_EVENTS[name].topic]] }
  const limits = { blocks: Number.MAX_SAFE_INTEGER, logs: Infinity }
  return logsOfRange(chain, filter, { from, to: chain.head.block.header.number, limits }).find(fits)
}

export const pegMethods = [pegIn, federationStep, pegOut]
