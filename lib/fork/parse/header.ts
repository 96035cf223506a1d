/** Reads the headers of a remote node from its block objects. */

import { ADDRESS, DATA, HASH, NONCE, QUANTITY, QUANTITY_64, RemoteObject } from '../../base/remote-object.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import { memberNames } from '../../config/names.ts'
import type { Network } from '../../config/network.ts'
import { consensusOf } from '../../consensus/consensus-of.ts'
import type { SealedHeader } from '../../consensus/consensus.ts'
import type { Header } from '../../consensus/header-fields.ts'
import { readBloom } from './bloom.ts'

/**
 * The header and the hash of a block object or of an uncle. The hash is the remote's: it may cover fields that this node
 * does not know.
 * @throws NodeError 'remoteFailed' naming the block and the member
 */
export function parseHeader(json: unknown, network: Network): SealedHeader {
  const block = blockObjectOf(json, network)
  return { header: readHeader(block, network), hash: block.get('hash', HASH) }
}

/** The block object; its members may have neutral names or those of the network. @throws NodeError 'remoteFailed' */
export function blockObjectOf(json: unknown, { names }: Network): RemoteObject {
  const block = RemoteObject.of(json, 'block', memberNames(names))
  return block.about(`block ${block.get('number', QUANTITY_64)}`)
}

/** Bytes of the nonce. */
const NONCE_BYTES = 8

/** The header of a block object. @throws NodeError 'remoteFailed' */
export function readHeader(block: RemoteObject, network: Network): Header {
  return consensusOf(network).readHeader(block, {
    parentHash: block.get('parentHash', HASH),
    unclesHash: block.get('sha3Uncles', HASH),
    coinbase: block.get('miner', ADDRESS),
    stateRoot: block.get('stateRoot', HASH),
    transactionsRoot: block.get('transactionsRoot', HASH),
    receiptsRoot: block.get('receiptsRoot', HASH),
    logsBloom: readBloom(block),
    difficulty: block.get('difficulty', QUANTITY),
    number: block.get('number', QUANTITY_64),
    gasLimit: block.get('gasLimit', QUANTITY_64),
    gasUsed: block.get('gasUsed', QUANTITY_64),
    timestamp: block.get('timestamp', QUANTITY_64),
    extraData: block.get('extraData', DATA),
    // Networks without proof of work may leave these two out.
    mixHash: block.find('mixHash', HASH) ?? ZERO_HASH,
    nonce: block.find('nonce', NONCE) ?? new Uint8Array(NONCE_BYTES),
  })
}
