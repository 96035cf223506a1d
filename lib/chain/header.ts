/** Block headers and their hashes. Which of the two encodings a network uses is part of its preset. */

import { isMergedMining } from './header-fields.ts'
import type { Header } from './header-fields.ts'
import { asHash, toHash } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import type { RlpInput } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { ethereumItems, hashWithoutSeal } from './ethereum-header.ts'
import { fullItems, hashForMergedMining, mergedMiningBlockHash, storedItems } from './merged-mining/header.ts'

/** Hash of an empty list of uncles: keccak256 of the RLP of `[]`. */
export const NO_UNCLES_HASH = asHash('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')

/** Root of an empty trie. */
export const EMPTY_TRIE_HASH = asHash('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

/** SHA-256 of nothing: the requests hash of a block without requests (EIP-7685). */
export const NO_REQUESTS_HASH = asHash('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')

export const ZERO_HASH = asHash(`0x${'00'.repeat(32)}`)

/** RLP items of the header as blocks and lists of uncles hold it: all that is known of it. */
export function headerItems(header: Header): readonly RlpInput[] {
  return isMergedMining(header) ? storedItems(header) : ethereumItems(header)
}

/**
 * The header as it is handed out to those who check it. On Ethereum its hash is the block's; on merged-mining networks
 * it has the aux header and lacks its proof, and the hash is over a shorter form (node-chain 5.3).
 */
export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(isMergedMining(header) ? fullItems(header) : ethereumItems(header))
}

/** Hash by which a block is known. */
export function headerHash(header: Header): Hash {
  return isMergedMining(header)
    ? mergedMiningBlockHash(header)
    : toHash(keccak256(encodeRlp(ethereumItems(header))))
}

/** Hash of the header without its proof of work: what a miner works on. */
export function sealHash(header: Header): Hash {
  return isMergedMining(header) ? hashForMergedMining(header) : hashWithoutSeal(header)
}

/** Hash of a list of uncles: each as blocks hold it. */
export function unclesHashOf(uncles: readonly Header[]): Hash {
  return uncles.length === 0 ? NO_UNCLES_HASH : toHash(keccak256(encodeRlp(uncles.map(headerItems))))
}
