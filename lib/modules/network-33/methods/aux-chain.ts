/**
 * Methods of the auxiliary chain that the node keeps (docs/bridge.md), and the federation's work on it: they mine blocks and send
 * the Bridge what it needs to know of them.
 */

import * as z from 'zod'
import { toHex, toQuantity, type Hash } from '../../../base/hex.ts'
import {
  confirmationsOf,
  findAuxTransaction,
  withAuxBlocks,
  withTransaction,
  type AuxChainBlock,
  type PlacedHeader,
} from '../aux-chain/aux-chain.ts'
import { coinbaseArguments, registrationArguments } from '../aux-chain/registration.ts'
import { FEDERATOR, blockCalls, bridgeFederations } from '../aux-chain/registration.ts'
import { bridgeHeaders } from '../aux-chain/registration.ts'
import type { BridgeChain } from './scope.ts'
import { dataText, flag, hashText, list, quantityText } from '../../../schema/results.ts'
import { data, hash, index, optionalWith } from '../../../schema/wire.ts'
import { param, readMethod, writeMethod } from '../../../kernel/method.ts'
import type { RequestContext } from '../../../kernel/request-context.ts'
import { SEND_ERRORS, send, sendContext } from '../../../rpc/methods/eth-send.ts'
import { UNKNOWN_HASH } from '../../../rpc/methods/params.ts'
import { present } from '../../../base/invariant.ts'
import type { Routine } from '../../../base/routine.ts'
import { bridgeTransaction } from '../aux-chain/federation-nodes.ts'
import { accountOf, isMember, servingOf, type Federations } from '../bridge/federation.ts'

/** A transaction that pays 1,000 sat to a script that anyone can spend. */
const RAW = `0x0200000001${'11'.repeat(32)}0000000000ffffffff01e803000000000000015100000000`

const auxSend = writeMethod({
  name: 'dev_{aux}Send',
  summary:
    'Sends a transaction to the auxiliary chain of the node, where it waits for dev_{aux}Mine; returns its id. Its scripts and amounts are not checked, and it may spend outputs that this chain does not know.',
  params: [param('raw', data, 'Bytes of the transaction, with its witness if it has one.')],
  result: hashText,
  errors: ['transactionRejected'],
  example: {
    params: [RAW],
    result: '0x116102982e4852a9fe78c24f4c62e7b584378b956c83303d0d51b7b3b0fe6fb1',
  },
  run: ({ raw }, node: BridgeChain) => addTransaction(raw, node),
})

/** Maximum number of blocks per call. Ten transactions carry their headers. */
const MAX_AUX_BLOCKS = 1_000

const auxMine = writeMethod({
  name: 'dev_{aux}Mine',
  summary:
    'Mines blocks of the auxiliary chain, the first with the transactions that wait, and sends their headers to the Bridge in transactions of a federator, and the coinbases of blocks with witnesses. Without automine these wait in the pool.',
  params: [
    param(
      'blocks',
      optionalWith(
        index.refine((count) => count <= MAX_AUX_BLOCKS, `expected at most ${MAX_AUX_BLOCKS} blocks`),
        '0x1',
      ),
      'How many; one if left out. 0 sends what the Bridge lacks.',
    ),
  ],
  result: z.strictObject({
    /** Height of the newest block. */
    height: quantityText,
    blockHash: hashText,
    /** Hashes of the federator's transactions. */
    transactionHashes: list(hashText),
  }),
  errors: SEND_ERRORS,
  example: { params: ['0x2'] },
  run: ({ blocks }, node: BridgeChain, request) =>
    node.instance.atomically(() => mineRequested(blocks, node, request)),
})

function* mineRequested(...params: Parameters<typeof mineAuxBlocks>) {
  const { best, transactionHashes } = yield* mineAuxBlocks(...params)
  return { height: toQuantity(best.height), blockHash: best.hash, transactionHashes }
}

const coinbaseObject = z.strictObject({
  raw: dataText,
  partialMerkleTree: dataText,
  witnessRoot: hashText,
  witnessReservedValue: hashText,
})

const auxTransactionObject = z.strictObject({
  raw: dataText,
  hasWitness: flag,
  blockHash: hashText.nullable(),
  height: quantityText.nullable(),
  /** Number of blocks from its own to the newest. */
  confirmations: quantityText,
  /** Built from witness ids if the transaction has a witness. */
  partialMerkleTree: dataText.nullable(),
  /** Null unless a transaction in the block has a witness. */
  coinbase: coinbaseObject.nullable(),
})

const auxTransaction = readMethod({
  name: 'dev_{aux}Transaction',
  summary:
    'A transaction of the auxiliary chain with the arguments of its registration with the Bridge, and of that of the coinbase of its block, which a transaction with a witness needs; null if it is unknown. Hashes are in display byte order.',
  params: [param('txid', hash, 'Id of the transaction.')],
  result: auxTransactionObject.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ txid }, node: BridgeChain) => {
    const found = findAuxTransaction(node.auxChain.value, txid)
    if (found === undefined) return null
    const { raw, witnesses } = found.transaction
    return { raw: toHex(raw), hasWitness: witnesses.length > 0, ...shownBlock(found, node) }
  },
})

const WAITING = {
  blockHash: null,
  height: null,
  confirmations: '0x0',
  partialMerkleTree: null,
  coinbase: null,
}

function shownBlock(
  { transaction, block }: NonNullable<ReturnType<typeof findAuxTransaction>>,
  { auxChain }: BridgeChain,
) {
  if (block === undefined) return WAITING
  const [, height, tree] = registrationArguments(transaction, block)
  return {
    blockHash: block.header.hash,
    height: toQuantity(height),
    confirmations: toQuantity(confirmationsOf(auxChain.value, block.header)),
    partialMerkleTree: toHex(tree),
    coinbase: shownCoinbase(block),
  }
}

function shownCoinbase(block: AuxChainBlock): z.input<typeof coinbaseObject> | null {
  const proof = coinbaseArguments(block)
  if (proof === undefined) return null
  const [raw, , tree, witnessRoot, witnessReservedValue] = proof
  return {
    raw: toHex(raw),
    partialMerkleTree: toHex(tree),
    witnessRoot: toHex(witnessRoot),
    witnessReservedValue: toHex(witnessReservedValue),
  }
}

/** Adds a waiting transaction of the auxiliary chain. Returns its id. */
export function addTransaction(raw: Uint8Array, { auxChain }: Pick<BridgeChain, 'auxChain'>): Hash {
  const { chain, txid } = withTransaction(auxChain.value, raw)
  auxChain.value = chain
  return txid
}

export const nextFederations = ({
  chain: { head },
  options,
}: Pick<BridgeChain, 'chain' | 'options'>): Federations =>
  bridgeFederations(head.state, head.block.header.number + 1n, options.release)

/**
 * Sends a federator's transaction to the Bridge, at a price that the pool accepts, and mines it if mining is instant. If the
 * federator is no longer a member, an active member is impersonated, whose calls are not free.
 */
export function* sendAsFederator(
  input: Uint8Array,
  node: BridgeChain,
  request: RequestContext,
): Routine<Hash> {
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
 * Mines blocks of the auxiliary chain. Sends the Bridge the headers it does not know, and the coinbases of blocks with witnesses.
 * Returns the newest header and the hashes of the federator's transactions.
 */
export function* mineAuxBlocks(
  count: number,
  node: BridgeChain,
  request: RequestContext,
): Routine<{ readonly best: PlacedHeader; readonly transactionHashes: readonly Hash[] }> {
  const headers = bridgeHeaders(node.chain.head.state)
  const auxChain = withAuxBlocks(node.auxChain.value, headers.best, count)
  // Set before the sends, because the federation may add blocks afterwards (--federation auto).
  node.auxChain.value = auxChain
  const transactionHashes: Hash[] = []
  for (const call of blockCalls(auxChain, headers)) {
    transactionHashes.push(yield* sendAsFederator(call, node, request))
  }
  return { best: auxChain.blocks.at(-1)?.header ?? headers.best, transactionHashes }
}

export const auxChainMethods = [auxSend, auxMine, auxTransaction]
