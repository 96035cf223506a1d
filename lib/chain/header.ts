/** Encodes and hashes block headers. The consensus of each header determines its encoding. */

import { asHash, toHash, type Hash } from '../base/hex.ts'
import { encodeRlp, type RlpInput } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import { EMPTY_TRIE_HASH as EMPTY_TRIE_HASH_BYTES } from '../state/trie.ts'
import { activeEips } from '../config/active-eips.ts'
import type { OptionalHeaderField } from '../config/eip-changes.ts'
import type { Network } from '../config/network.ts'

/** keccak256 of the RLP of `[]`. */
const EMPTY_LIST_HASH = asHash('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')

export const NO_UNCLES_HASH = EMPTY_LIST_HASH

export const EMPTY_TRIE_HASH = toHash(EMPTY_TRIE_HASH_BYTES)

/** SHA-256 of the empty string: the requests hash of a block without requests (EIP-7685). */
export const NO_REQUESTS_HASH = asHash('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')

export const ZERO_HASH = asHash(`0x${'00'.repeat(32)}`)

/** RLP items of the complete header, as blocks and lists of uncles contain it. */
export const headerItems = (header: Header): readonly RlpInput[] => header.consensus.headerItems(header)

/** The encoded header for clients that verify it. On Ethereum its hash is the block hash, elsewhere it can have more members. */
export const encodeHeader = (header: Header): Uint8Array => header.consensus.encodeHeader(header)

export const headerHash = (header: Header): Hash => header.consensus.headerHash(header)

export const unclesHashOf = (uncles: readonly Header[]): Hash =>
  uncles.length === 0 ? NO_UNCLES_HASH : toHash(keccak256(encodeRlp(uncles.map(headerItems))))

/**
 * The fields that the EIPs of a network add, as the genesis block has them. Other blocks replace those that depend on their content
 * or their context. The beacon root is always zero, because there is no beacon chain (EIP-4788).
 */
export function forkFields(network: Network): Pick<Header, 'baseFeePerGas' | OptionalHeaderField> {
  const { headerFields } = activeEips(network)
  return {
    ...(network.showsZeroBaseFee ? { baseFeePerGas: 0n } : {}),
    ...(headerFields.has('withdrawalsRoot') ? { withdrawalsRoot: EMPTY_TRIE_HASH } : {}),
    ...(headerFields.has('parentBeaconBlockRoot') ? { parentBeaconBlockRoot: ZERO_HASH } : {}),
    ...(headerFields.has('requestsHash') ? { requestsHash: NO_REQUESTS_HASH } : {}),
    ...(headerFields.has('blockAccessListHash') ? { blockAccessListHash: EMPTY_LIST_HASH } : {}),
    ...(headerFields.has('slotNumber') ? { slotNumber: 0n } : {}),
  }
}

/** Slot number of the child of a block: no slot is missed (EIP-7843). Absent if headers have none. */
export const nextSlotNumber = ({ slotNumber }: Header): bigint | undefined =>
  slotNumber === undefined ? undefined : slotNumber + 1n
