/** The fields of block headers, the block of which a consensus renders its own fields, and the header of a remote block. */

import { fromHex, type Address, type Hash } from '../../base/hex.ts'
import { invariant } from '../../base/invariant.ts'
import type { MergedMiningFields } from '../network-33/consensus/fields.ts'
import type { Withdrawal } from './withdrawals.ts'

/** A header of a merged-mining network. */
export interface MergedMiningHeader extends Header {
  readonly mergedMining: MergedMiningFields
}

/** Whether the header belongs to a merged-mining network. */
export const isMergedMining = (header: Header): header is MergedMiningHeader =>
  header.mergedMining !== undefined

/** Asserts that a header belongs to a merged-mining network. */
export function asMergedMining(header: Header): MergedMiningHeader {
  invariant(isMergedMining(header), `block ${header.number} is not one of a merged-mining network`)
  return header
}

/** The fields of a header that every network has in its block objects. */
export interface SharedHeaderFields {
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
  /** Zero on merged-mining networks, like the nonce. */
  readonly mixHash: Hash
  /** Eight bytes. */
  readonly nonce: Uint8Array
}

/** The fields that hard forks of Ethereum added to headers. */
interface HardforkFields {
  /** EIP-1559. */
  readonly baseFeePerGas?: bigint | undefined
  /** EIP-4895. */
  readonly withdrawalsRoot?: Hash | undefined
  /** EIP-4844. */
  readonly blobGasUsed?: bigint | undefined
  readonly excessBlobGas?: bigint | undefined
  /** EIP-4788. */
  readonly parentBeaconBlockRoot?: Hash | undefined
  /** EIP-7685. */
  readonly requestsHash?: Hash | undefined
  /** EIP-7928. */
  readonly blockAccessListHash?: Hash | undefined
  /** EIP-7843. */
  readonly slotNumber?: bigint | undefined
}

/** A header: fields of every network, and optional fields of a hard fork or a kind of network. */
export interface Header extends SharedHeaderFields, HardforkFields {
  /** Fees of all transactions, in wei; a header field on merged-mining networks, derived on others. */
  readonly paidFees: bigint
  /** Minimum gas price of a transaction, in wei; a header field on merged-mining networks. */
  readonly minimumGasPrice: bigint
  /** Present on merged-mining networks. */
  readonly mergedMining?: MergedMiningFields
}

/** The data of a block that the fields of `BlockMembers` show. */
export interface BlockMembersInput {
  readonly header: Header
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Sum of the difficulties of the block and its uncles. */
  readonly cumulativeDifficulty: bigint
}

/** A block object of a remote, with members that this node does not know. */
export interface RemoteHeader extends HardforkFields {
  readonly [name: string]: unknown
  readonly number: bigint
  readonly hash: Hash
  readonly paidFees?: bigint | undefined
  readonly minimumGasPrice?: bigint | undefined
  readonly uncles?: readonly Hash[] | undefined
  readonly hashForMergedMining?: Hash | undefined
  readonly auxMergedMiningHeader?: Uint8Array | undefined
  readonly auxMergedMiningMerkleProof?: Uint8Array | undefined
  readonly auxMergedMiningCoinbaseTransaction?: Uint8Array | undefined
  readonly nodePteEdges?: readonly number[] | undefined
  readonly baseEvent?: Uint8Array | undefined
}

/** The RLP items of a header before the bloom, which are the same on all networks. */
export function leadingItems(header: Header): readonly Uint8Array[] {
  const { parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot } = header
  return [parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot].map(fromHex)
}
