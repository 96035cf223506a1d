/** The methods that peg coins out, and that let the federation work (docs/bridge.md). */

import * as z from 'zod'
import { bytes, decodeAbi } from '../../abi/codec.ts'
import { toHex, toQuantity } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import { isEmpty } from '../../chain/block.ts'
import { logsOfRange } from '../../chain/logs.ts'
import type { PlacedLog } from '../../chain/log-index.ts'
import type { FederationNodes } from '../../chain/miner/federation.ts'
import type { TransactionRequest } from '../../chain/simulation/transaction-request.ts'
import { checkMines, minesAtOnce } from '../../config/mining-mode.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { toDisplayOrder } from '../../networks/network-33/bridge/aux-header.ts'
import { readAuxTransaction } from '../../networks/network-33/bridge/aux-transaction.ts'
import { BRIDGE_ADDRESS, WEI_PER_SAT } from '../../networks/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../networks/network-33/bridge/events.ts'
import { bridgeSelectors } from '../../networks/network-33/bridge/state-access.ts'
import type { Node } from '../../node/node.ts'
import { dataText, hashText, list, quantityText, text } from '../../schema/results.ts'
import { address, quantity } from '../../schema/wire.ts'
import { invalidParams, param, writeMethod } from '../../kernel/method.ts'
import { SEND_ERRORS, send, sendContext, signOrImpersonate, type SendContext } from './eth-send.ts'
import { COW } from './examples.ts'
import { requireBridge } from './federator.ts'

/** @throws NodeError 'invalidParams' on a network without a Bridge, and with --federation off */
function requireFederation(node: Node): FederationNodes {
  requireBridge(node)
  if (node.federation === undefined) throw invalidParams('the node has no federation (--federation off)')
  return node.federation
}

export const federationStep = writeMethod({
  name: 'dev_federationStep',
  summary:
    'Does what is due for peg-outs, as the nodes of the federation do: calls updateCollections, adds signatures, puts signed releases into the auxiliary chain, and registers them there. Returns the transactions of its members. Without automine they wait in the pool.',
  result: list(
    z.strictObject({
      /** Name of the method of the Bridge that it calls. */
      method: text,
      transactionHash: hashText,
    }),
  ),
  errors: ['miningRefused'],
  example: { params: [], result: [] },
  run: (_, node) => doWhatIsDue(requireFederation(node), node),
})

function* doWhatIsDue(federation: FederationNodes, node: Node) {
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

export const pegOut = writeMethod({
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
    /** Of the request. */
    transactionHash: hashText,
    amount: quantityText,
    /** Of the call that made the batch. */
    batchTransactionHash: hashText.nullable(),
    /** Id of the release on the auxiliary chain. */
    txid: hashText.nullable(),
    /** The signed release. */
    raw: dataText.nullable(),
  }),
  errors: ['miningRefused', 'unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [{ from: COW, amount: toQuantity(500_000n * WEI_PER_SAT) }] },
  run: ({ pegOut: { from, amount } }, node, request) => {
    const federation = requireFederation(node)
    checkMines(node.miner.mode)
    const call = { from, to: BRIDGE_ADDRESS, value: amount }
    return node.instance.atomically(() => pegCoinsOut(call, federation, sendContext(node, request)))
  },
})

function* pegCoinsOut(call: TransactionRequest, federation: FederationNodes, context: SendContext) {
  const { node } = context
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
    // The events of a batch have another id where signatures are in the scripts.
    txid: raw === undefined ? null : toDisplayOrder(readAuxTransaction(raw).id),
    raw: raw === undefined ? null : toHex(raw),
  }
}

/** Mines blocks until no peg-out goes on by itself. */
function* finishPegOuts(federation: FederationNodes, { miner }: Node): Routine<void> {
  for (;;) {
    federation.act(miner)
    const { length: waiting } = federation.pooled
    if (waiting === 0 && federation.blocksToNext === 0) return
    // A transaction that no block takes, such as one below the minimum price, would never end.
    if (isEmpty(yield* miner.mine()) && waiting > 0) return
  }
}

/** The first event of the Bridge from a block on that fits. */
function bridgeLog(
  name: 'batch_pegout_created' | 'release_aux',
  from: bigint,
  { chain }: Node,
  fits: (found: PlacedLog) => boolean,
): PlacedLog | undefined {
  const filter = { addresses: [BRIDGE_ADDRESS], topics: [[BRIDGE_EVENTS[name].topic]] }
  const limits = { blocks: Number.MAX_SAFE_INTEGER, logs: Infinity }
  return logsOfRange(chain, filter, { from, to: chain.head.block.header.number, limits }).find(fits)
}
