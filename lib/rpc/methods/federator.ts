/** Does the federation's work on the auxiliary chain: mines blocks, and sends what the Bridge has to know of them. */

import type { Hash } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { Routine } from '../../base/routine.ts'
import { bridgeTransaction } from '../../chain/miner/federation.ts'
import { withAuxBlocks, withTransaction } from '../../networks/network-33/aux-chain/aux-chain.ts'
import type { PlacedHeader } from '../../networks/network-33/aux-chain/block.ts'
import {
  FEDERATOR,
  blockCalls,
  bridgeFederations,
  bridgeHeaders,
} from '../../networks/network-33/aux-chain/registration.ts'
import { BRIDGE_ADDRESS } from '../../networks/network-33/bridge/constants.ts'
import { accountOf } from '../../networks/network-33/bridge/federation.ts'
import { isMember, servingOf, type Federations } from '../../networks/network-33/bridge/federation-state.ts'
import type { Node } from '../../node/node.ts'
import { invalidParams } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
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

export const nextFederations = ({ chain: { head }, options }: Pick<Node, 'chain' | 'options'>): Federations =>
  bridgeFederations(head.state, head.block.header.number + 1n, options.release)

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
  const nonce = node.mempool.nextNonce(address, context.nextBlock.parent.state.nonce(address))
  const fields = bridgeTransaction(input, nonce, context.nextBlock)
  const transaction = isFederator
    ? node.codec.sign(fields, FEDERATOR.privateKey, address)
    : node.codec.impersonate(fields, address)
  return yield* send(transaction, context)
}

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
  // Before the sends, after which the federation may add blocks (--federation auto).
  node.auxChain.value = auxChain
  const transactionHashes: Hash[] = []
  for (const call of blockCalls(auxChain, headers)) {
    transactionHashes.push(yield* sendAsFederator(call, node, request))
  }
  return { best: auxChain.blocks.at(-1)?.header ?? headers.best, transactionHashes }
}
