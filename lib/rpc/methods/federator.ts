/** Does the federation's work on the auxiliary chain: mines blocks, and sends what the Bridge has to know of them. */

import type { Hash } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { Routine } from '../../base/routine.ts'
import { acceptedGasPrice } from '../../chain/fees.ts'
import { LEGACY_TYPE } from '../../evm/transaction.ts'
import { withAuxBlocks, withTransaction } from '../../networks/network-33/aux-chain/aux-chain.ts'
import type { PlacedHeader } from '../../networks/network-33/aux-chain/block.ts'
import {
  FEDERATOR,
  bridgeCallData,
  bridgeFederations,
  bridgeHeaders,
  coinbaseArguments,
} from '../../networks/network-33/aux-chain/registration.ts'
import { BRIDGE_ADDRESS } from '../../networks/network-33/bridge/constants.ts'
import { accountOf } from '../../networks/network-33/bridge/federation.ts'
import { isMember, servingOf } from '../../networks/network-33/bridge/federation-state.ts'
import type { Federations } from '../../networks/network-33/bridge/federation-state.ts'
import type { Node } from '../../node/node.ts'
import { invalidParams } from '../method.ts'
import type { RequestContext } from '../method.ts'
import { send, sendContext } from './eth-send.ts'

/** @throws NodeError 'invalidParams' on a network without a Bridge */
export function requireBridge({ network, precompiles }: Node): void {
  if (!precompiles.has(BRIDGE_ADDRESS)) throw invalidParams(`network ${network.name} has no Bridge`)
}

/** Adds a transaction to those that wait for a block of the auxiliary chain; returns its id. */
export function addTransaction(raw: Uint8Array, { auxChain }: Pick<Node, 'auxChain'>): Hash {
  const { chain, txid } = withTransaction(auxChain.value, raw)
  auxChain.value = chain
  return txid
}

/** The federations in the next block. */
export const nextFederations = ({ chain: { head }, options }: Pick<Node, 'chain' | 'options'>): Federations =>
  bridgeFederations(head.state, head.block.header.number + 1n, options.release)

/** Limit of the federator's transactions, which use no gas. It leaves room for others in the block. */
const GAS_LIMIT = 1_000_000n

/**
 * Sends a transaction of the federator to the Bridge, for the price that the pool accepts, and mines it if mining is instant. If
 * the federator is no member any more, an active one is impersonated, whose calls are not free.
 */
export function* sendAsFederator(input: Uint8Array, node: Node, request: RequestContext): Routine<Hash> {
  const federations = nextFederations(node)
  const members = servingOf(federations).flatMap(({ federation }) => federation.members)
  const isFederator = isMember(FEDERATOR.address, members)
  const [first] = federations.active.federation.members
  const address = isFederator ? FEDERATOR.address : accountOf(present(first, 'member'))
  const context = sendContext(node, request)
  const { parent, context: block } = context.nextBlock
  const gasPrice = acceptedGasPrice(parent.block.header, block)
  const fields = {
    type: LEGACY_TYPE,
    nonce: node.mempool.nextNonce(address, parent.state.nonce(address)),
    to: BRIDGE_ADDRESS,
    gasLimit: GAS_LIMIT,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    value: 0n,
    data: input,
  }
  const transaction = isFederator
    ? node.codec.sign(fields, FEDERATOR.privateKey, address)
    : node.codec.impersonate(fields, address)
  return yield* send(transaction, context)
}

/** Number of headers in one transaction. */
const HEADERS_PER_CALL = 100

/**
 * Mines blocks of the auxiliary chain, and sends the Bridge the headers that it does not know, and the coinbases of blocks whose
 * transactions have witnesses. Returns the newest header and the hashes of the federator's transactions.
 */
export function* mineAuxBlocks(
  count: number,
  node: Node,
  request: RequestContext,
): Routine<{ readonly best: PlacedHeader; readonly transactionHashes: readonly Hash[] }> {
  const headers = bridgeHeaders(node.chain.head.state)
  const auxChain = withAuxBlocks(node.auxChain.value, headers.best, count)
  const newestKnown = auxChain.blocks.findLastIndex(({ header }) => headers.byHash(header.hash) !== undefined)
  const unknown = auxChain.blocks.slice(newestKnown + 1)
  const calls: Uint8Array[] = []
  for (let at = 0; at < unknown.length; at += HEADERS_PER_CALL) {
    const some = unknown.slice(at, at + HEADERS_PER_CALL).map(({ header }) => header.bytes)
    calls.push(bridgeCallData('receiveHeaders', [some]))
  }
  for (const coinbase of unknown.map(coinbaseArguments))
    if (coinbase !== undefined) calls.push(bridgeCallData('register{Aux}CoinbaseTransaction', coinbase))
  const transactionHashes: Hash[] = []
  for (const call of calls) transactionHashes.push(yield* sendAsFederator(call, node, request))
  node.auxChain.value = auxChain
  return { best: auxChain.blocks.at(-1)?.header ?? headers.best, transactionHashes }
}
