/** Methods of the reference's modules node and sco. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { rawHeader, rawReceipts, requestsOf, receiptNodes } from '../../chain/raw-forms.ts'
import { dataText, flag, list, quantityText, text } from '../../schema/results.ts'
import { hash } from '../../schema/wire.ts'
import { blockReaders } from '../block-readers.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { UNKNOWN_HASH, anyBlock, ofBlock, ofMined, transactionHash } from './params.ts'
import { bannableAddress, peerId } from '../../schema/peers.ts'
import { command } from '../../kernel/control.ts'
import type { Node } from '../../node/node.ts'

/** Version of the wire protocol between nodes that the reference speaks (node-rpc 5.2). */
const PROTOCOL_VERSION = 62

export const protocolVersions = ['eth_protocolVersion', '{module}_protocolVersion'].map((name) =>
  readMethod({
    name,
    summary: 'Version of the protocol between nodes.',
    result: quantityText,
    example: { params: [], result: '0x3e' },
    run: () => toQuantity(PROTOCOL_VERSION),
  }),
)

export const getRawTransactionReceiptByHash = readMethod({
  name: '{module}_getRawTransactionReceiptByHash',
  summary: 'The receipt of a transaction as encoded in the receipt trie of its block, or null.',
  params: [transactionHash],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ofMined(({ entry, receipt }, { network }: Pick<Node, 'network'>) => {
    const raw = rawReceipts(network, entry.block)[receipt.index]
    return raw === undefined ? null : toHex(raw)
  }),
})

export const getTransactionReceiptNodesByHash = readMethod({
  name: '{module}_getTransactionReceiptNodesByHash',
  summary:
    'Nodes of the receipt trie from the leaf of a transaction up to the root, whose hash is the receiptsRoot of the block; null if the transaction is not in the block.',
  params: [
    param('blockHash', hash, 'Hash of the block.'),
    param('transactionHash', hash, 'Hash of a transaction in it.'),
  ],
  result: z.array(dataText).nullable(),
  example: { params: [UNKNOWN_HASH, UNKNOWN_HASH], result: null },
  run: ({ blockHash, transactionHash }, { chain, network }: Pick<Node, 'chain' | 'network'>) => {
    const block = chain.byHash(blockHash)?.block
    const receipt = block?.receipts.find(({ transaction }) => transaction.hash === transactionHash)
    if (block === undefined || receipt === undefined) return null
    return receiptNodes(network, block, receipt.index).map(toHex)
  },
})

export const getRawBlockHeader = blockReaders(
  { name: '{module}_getRawBlockHeaderByHash', example: { params: [UNKNOWN_HASH], result: null } },
  { name: '{module}_getRawBlockHeaderByNumber', example: { params: ['latest'] } },
  {
    summary:
      'The whole header of a block, or null. Its hash is that of the block on Ethereum networks; on network 33 that is the hash of a shorter encoding.',
    params: [],
    result: dataText.nullable(),
    run: ofBlock(({ block }) => toHex(rawHeader(block))),
  },
)

export const getExecutionRequests = readMethod({
  name: 'dev_getExecutionRequests',
  summary:
    'The execution requests of a block as engine_getPayloadV4 lists them, or null: for each type that has some, its byte (0 deposits, 1 withdrawal requests, 2 consolidation requests) and the encoded requests. Empty where blocks have none.',
  params: [anyBlock],
  result: z.array(dataText).nullable(),
  example: { params: ['latest'], result: [] },
  run: ofBlock(({ block }) => requestsOf(block).map(toHex)),
})

/** Counts of a peer's reputation (node-rpc 5.14). */
const COUNTS = [
  'successfulHandshakes',
  'failedHandshakes',
  'invalidHeader',
  'validBlocks',
  'invalidBlocks',
  'validTransactions',
  'invalidTransactions',
  'invalidNetworks',
  'invalidMessages',
  'repeatedMessages',
  'timeoutMessages',
  'unexpectedMessages',
] as const
const SUMS = ['peersTotalScore', 'punishments', 'goodReputationCount', 'badReputationCount'] as const

const peer = z.object({
  /** First eight digits of the node id, or an address. */
  id: text,
  type: z.enum(['node', 'address']),
  score: z.int(),
  punishments: z.int(),
  goodReputation: flag,
  /** Milliseconds since the epoch; zero if the peer is not punished. */
  punishedUntil: z.int(),
})
const peerList = list(z.record(z.enum(COUNTS), z.int()).and(peer))

const ANY = '192.168.51.1'
const address = param(
  'address',
  bannableAddress,
  'IP address, or a range as in 192.168.51.1/16; no host name.',
)

export const banAddress = command({
  name: 'sco_banAddress',
  summary: 'Bans peers at an address from now on, also after a revert.',
  params: [address],
  example: { params: [ANY], result: null },
  run: ({ address: banned }, { bannedAddresses }: Pick<Node, 'bannedAddresses'>) => {
    bannedAddresses.value = new Set([...bannedAddresses.value, banned])
  },
})

export const unbanAddress = command({
  name: 'sco_unbanAddress',
  summary: 'Ends the ban of an address.',
  params: [address],
  example: { params: [ANY], result: null },
  run: ({ address: banned }, { bannedAddresses }: Pick<Node, 'bannedAddresses'>) => {
    bannedAddresses.value = new Set([...bannedAddresses.value].filter((other) => other !== banned))
  },
})

export const listBanned = readMethod({
  name: 'sco_bannedAddresses',
  summary: 'Banned addresses, as they were given.',
  result: list(text),
  example: { after: [{ method: 'sco_banAddress', params: [ANY] }], params: [], result: [ANY] },
  run: (_, { bannedAddresses }: Pick<Node, 'bannedAddresses'>) => [...bannedAddresses.value],
})

export const listPeers = readMethod({
  name: 'sco_peerList',
  summary: 'Every known peer and its reputation: none, the chain is local.',
  result: peerList,
  example: { params: [], result: [] },
  run: () => [],
})

export const reputationSummary = readMethod({
  name: 'sco_reputationSummary',
  summary: 'Sums of the reputation of all peers.',
  result: z.record(z.string(), z.int()),
  run: () => Object.fromEntries(['count', ...COUNTS, ...SUMS].map((name) => [name, 0])),
})

export const clearPeerScoring = readMethod({
  name: 'sco_clearPeerScoring',
  summary: 'Deletes the reputation of a peer, and returns the new sco_peerList.',
  params: [param('id', peerId, 'IP address or node id of the peer.')],
  result: peerList,
  example: { params: ['3fd44f66'], result: [] },
  // There are no peers, and deleting an unknown peer changes nothing.
  run: () => [],
})
