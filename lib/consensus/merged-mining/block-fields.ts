/** Values of the additional header fields of merged-mining networks in the blocks of this node (node-chain 6.2). */

import { EMPTY_BYTES } from '../../base/hex.ts'
import { baseEventOf } from '../../evm/precompiles/network-33/bridge/event-methods.ts'
import type { PrepareInput } from '../consensus.ts'
import type { MergedMiningHeader } from '../header-fields.ts'
import type { MergedMiningFields } from './fields.ts'
import { NO_ANCESTRY, ancestryAfter } from './fork-detection.ts'
import { NO_PROOF } from './proof.ts'

/** Value of each aux field in the genesis file (node-chain 6.4). */
const ZERO_BYTE = new Uint8Array(1)

/** The fields of the genesis block. */
export const GENESIS_FIELDS: MergedMiningFields = {
  version: 0,
  uncleCount: 0,
  baseEvent: EMPTY_BYTES,
  aux: { header: ZERO_BYTE, merkleProof: ZERO_BYTE, coinbase: ZERO_BYTE },
  ancestry: NO_ANCESTRY,
}

/** There are no parallel lists. */
const NO_EDGES: readonly number[] = []

/** The fields of a child of a block, without a proof of work. Simulated blocks have no base event. */
export const fieldsAfter = (
  parent: MergedMiningHeader,
  { uncles, state }: PrepareInput,
): MergedMiningFields => ({
  version: 2,
  ummRoot: EMPTY_BYTES,
  edges: NO_EDGES,
  aux: NO_PROOF,
  uncleCount: uncles.length,
  baseEvent: state === undefined ? EMPTY_BYTES : baseEventOf(state),
  ancestry: ancestryAfter(parent),
})
