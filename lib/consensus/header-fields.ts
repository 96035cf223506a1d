/** The fields of block headers. */

import type { Address, Hash } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import type { MergedMiningFields } from './merged-mining/fields.ts'

/** A header of a merged-mining network. */
export interface MergedMiningHeader extends Header {
  readonly mergedMining: MergedMiningFields
}

/** Whether the header belongs to a merged-mining network. */
export function isMergedMining(header: Header): header is MergedMiningHeader {
  return header.mergedMining !== undefined
}

/** Asserts that a header belongs to a merged-mining network. */
export function asMergedMining(header: Header): MergedMiningHeader {
  invariant(isMergedMining(header), `block ${header.number} is not one of a merged-mining network`)
  return header
}

/** The fields of a header that every network has in its block objects. */
export type SharedHeaderFields = Pick<
  Header,
  | 'parentHash'
  | 'unclesHash'
  | 'coinbase'
  | 'stateRoot'
  | 'transactionsRoot'
  | 'receiptsRoot'
  | 'logsBloom'
  | 'difficulty'
  | 'number'
  | 'gasLimit'
  | 'gasUsed'
  | 'timestamp'
  | 'extraData'
  | 'mixHash'
  | 'nonce'
>

/** A header: fields of every network, and optional fields of a hard fork or a kind of network. */
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
  /** Zero on merged-mining networks, like the nonce. */
  readonly mixHash: Hash
  /** Eight bytes. */
  readonly nonce: Uint8Array
  /** Fees of all transactions, in wei; a header field on merged-mining networks, derived on others. */
  readonly paidFees: bigint
  /** Minimum gas price of a transaction, in wei; a header field on merged-mining networks. */
  readonly minimumGasPrice: bigint
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
  /** Present on merged-mining networks. */
  readonly mergedMining?: MergedMiningFields
}
