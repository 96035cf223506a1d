/** The members of a remote's block objects that only some networks have in their headers. schema/remote.ts reads them. */

import type { Hash } from '../base/hex.ts'
import type { Header } from './header-fields.ts'

/** A block object of a remote, with members that this node does not know. */
export interface RemoteHeader extends Pick<
  Header,
  | 'number'
  | 'baseFeePerGas'
  | 'withdrawalsRoot'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'parentBeaconBlockRoot'
  | 'requestsHash'
> {
  readonly [name: string]: unknown
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
