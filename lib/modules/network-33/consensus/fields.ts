/** Fields that only headers of merged-mining networks have. */

import type { Hash } from '../../../base/hex.ts'
import { invariant } from '../../../base/invariant.ts'
import type { Header } from '../../../networks/consensus/consensus.ts'
import type { AuxProof } from './proof.ts'

/** Version of a header: 0 at genesis, 1 with compressed blooms (IP-351), 2 with a base event (IP-535). */
export type HeaderVersion = 0 | 1 | 2

/** Header fields of merged-mining networks only. */
export interface MergedMiningFields {
  readonly version: HeaderVersion
  readonly uncleCount: number
  /** Bytes that are hashed together with the hash for merged mining (IP-UMM): twenty or none; absent at genesis. */
  readonly ummRoot?: Uint8Array
  /** End indexes of the parallel lists of transactions (IP-144); absent at genesis. */
  readonly edges?: readonly number[]
  /** Up to 128 bytes. */
  readonly baseEvent: Uint8Array
  /** The proof of work; its fields are empty until it is found. */
  readonly aux: AuxProof
  /** Input of the hash for merged mining that the encoded header does not contain. */
  readonly ancestry: Ancestry
  /** Hash for merged mining of a remote block, whose ancestry is unknown; absent in blocks of this node. */
  readonly remoteHash?: Hash | undefined
}

/** Facts about a block's ancestors for its fork detection data. Each child extends its parent's, without a walk back. */
export interface Ancestry {
  /** One byte of the aux header's hash for each of the last seven checkpoints, newest first. */
  readonly checkpoints: readonly number[]
  /** The ancestors with uncles among the last 32, newest first. */
  readonly withUncles: readonly { readonly number: bigint; readonly uncleCount: number }[]
}

/** Name of the kind and of its consensus, in presets and state files. */
export const MERGED_MINING = 'merged-mining'

/** A header of a merged-mining network. */
export interface MergedMiningHeader extends Header {
  readonly own: MergedMiningFields
}

/** Whether a header belongs to a merged-mining network. */
export const isMergedMining = (header: Header): header is MergedMiningHeader =>
  header.consensus.name === MERGED_MINING

/** Asserts that a header belongs to a merged-mining network. */
export function asMergedMining(header: Header): MergedMiningHeader {
  invariant(isMergedMining(header), `block ${header.number} is not one of a merged-mining network`)
  return header
}
