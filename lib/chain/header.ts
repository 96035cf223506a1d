/** Block headers and their encodings. Which encoding a network uses is part of its preset. */

import { asHash, bigIntToBytes, fromHex, toHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import type { RlpInput } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** Hash of an empty list of uncles: keccak256 of the RLP of `[]`. */
export const NO_UNCLES_HASH = asHash('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')

/** Root of an empty trie. */
export const EMPTY_TRIE_HASH = asHash('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

/** SHA-256 of nothing: the requests hash of a block without requests (EIP-7685). */
export const NO_REQUESTS_HASH = asHash('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')

export const ZERO_HASH = asHash(`0x${'00'.repeat(32)}`)

/** Fields every network has. */
export interface Header {
  readonly parentHash: Hash
  readonly unclesHash: Hash
  readonly coinbase: Address
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Seconds since the epoch. */
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  readonly mixHash: Hash
  /** Eight bytes. */
  readonly nonce: Uint8Array
  /** Fees of all transactions, in wei; a header field of merged-mining networks, derived elsewhere. */
  readonly paidFees: bigint
  /** Least gas price of a transaction, in wei; a header field of merged-mining networks. */
  readonly minimumGasPrice: bigint
  /** EIP-1559. */
  readonly baseFeePerGas?: bigint
  /** EIP-4895. */
  readonly withdrawalsRoot?: Hash
  /** EIP-4844. */
  readonly blobGasUsed?: bigint
  readonly excessBlobGas?: bigint
  /** EIP-4788. */
  readonly parentBeaconBlockRoot?: Hash
  /** EIP-7685. */
  readonly requestsHash?: Hash
}

/** RLP items of the header in the order of the yellow paper and of the EIPs that append to it. */
export function headerItems(header: Header): readonly RlpInput[] {
  return [
    fromHex(header.parentHash),
    fromHex(header.unclesHash),
    fromHex(header.coinbase),
    fromHex(header.stateRoot),
    fromHex(header.transactionsRoot),
    fromHex(header.receiptsRoot),
    header.logsBloom,
    bigIntToBytes(header.difficulty),
    bigIntToBytes(header.number),
    bigIntToBytes(header.gasLimit),
    bigIntToBytes(header.gasUsed),
    bigIntToBytes(header.timestamp),
    header.extraData,
    fromHex(header.mixHash),
    header.nonce,
    ...appended(header),
  ]
}

function appended(header: Header): readonly Uint8Array[] {
  const items: Uint8Array[] = []
  if (header.baseFeePerGas !== undefined) items.push(bigIntToBytes(header.baseFeePerGas))
  if (header.withdrawalsRoot !== undefined) items.push(fromHex(header.withdrawalsRoot))
  if (header.blobGasUsed !== undefined) items.push(bigIntToBytes(header.blobGasUsed))
  if (header.excessBlobGas !== undefined) items.push(bigIntToBytes(header.excessBlobGas))
  if (header.parentBeaconBlockRoot !== undefined) items.push(fromHex(header.parentBeaconBlockRoot))
  if (header.requestsHash !== undefined) items.push(fromHex(header.requestsHash))
  return items
}

/** The encoding whose hash is the block's. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerItems(header))
}

/** Hash by which a block is known. */
export function headerHash(header: Header): Hash {
  return toHash(keccak256(encodeHeader(header)))
}

/** Positions of mix hash and nonce, which the work on a block is to find. */
const SEAL = { mixHash: 13, nonce: 14 }

/** Hash of the header without its proof of work: what a miner works on (Yellow Paper, 11.5). */
export function sealHash(header: Header): Hash {
  const isSealed = (position: number) => position !== SEAL.mixHash && position !== SEAL.nonce
  return toHash(keccak256(encodeRlp(headerItems(header).filter((_, position) => isSealed(position)))))
}
