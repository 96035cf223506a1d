/** Fields that only headers of merged-mining networks have. */
import type { AuxProof } from './proof.ts'

/** Version of a header: of genesis, with compressed blooms (IP-351), with a base event (IP-535). */
export type HeaderVersion = 0 | 1 | 2

/** What a header has on merged-mining networks only. */
export interface MergedMiningFields {
  readonly version: HeaderVersion
  readonly uncleCount: number
  /** Twenty bytes or none; absent at genesis. */
  readonly ummRoot?: Uint8Array
  /** Ends of the lists of transactions that may run beside each other (IP-144); absent at genesis. */
  readonly edges?: readonly number[]
  /** Up to 128 bytes. */
  readonly baseEvent: Uint8Array
  /** The work on the block; its members are empty until it is found. */
  readonly aux: AuxProof
  /** Not part of the encoding, but of the hash for merged mining. */
  readonly ancestry: Ancestry
}

/** What a block's ancestors were, as far as its header tells. It grows from parent to child, so that nobody walks back. */
export interface Ancestry {
  /** A byte of the aux header's hash of each of the last seven checkpoints, newest first. */
  readonly checkpoints: readonly number[]
  /** Those of the last 32 ancestors that have uncles, newest first. */
  readonly withUncles: readonly { readonly number: bigint; readonly uncleCount: number }[]
}
