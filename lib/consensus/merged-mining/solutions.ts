/** Proves the work of blocks with submissions of miners: aux blocks, or nonces of the node's own aux header. */

import { bytesToBigInt } from '../../base/hex.ts'
import type { AuxMining, HeaderWork, SealedHeader } from '../consensus.ts'
import { asMergedMining } from '../header-fields.ts'
import type { Header, MergedMiningHeader } from '../header-fields.ts'
import { proofOf } from './aux-block.ts'
import { mergedMiningBlockHash } from './header.ts'
import { withOwnNonce } from './own-work.ts'
import type { SealedMergedMiningHeader } from './own-work.ts'
import { checkProof } from './proof.ts'
import type { AuxProof } from './proof.ts'

/** Adds a proof of work to the header of a block. The hash covers the aux header, so it changes. */
export function withProof<Content extends { readonly header: Header }>(
  content: Content,
  aux: AuxProof,
): Content & SealedHeader {
  const header = asMergedMining(content.header)
  const sealed = { ...header, mergedMining: { ...header.mergedMining, aux } }
  return { ...content, header: sealed, hash: mergedMiningBlockHash(sealed) }
}

/** Adds the proof of an aux block, which may have a fault. Only the proof is checked (node-chain 4.3). */
export const proveWithAuxBlock: AuxMining['prove'] = (header, { target, hash }, block) => {
  const proof = proofOf(block)
  return { ...withProof({ header }, proof), fault: checkProof(proof, target, hash) }
}

/** The nonce of an aux header has four bytes. */
const MAX_AUX_NONCE = 0xffff_ffffn

/**
 * Adds the proof of the node's own aux block with a nonce that a miner found; undefined if the proof is not valid. Headers of
 * merged-mining networks have no nonce, so it is the nonce of the aux header.
 */
export function solveWithNonce(
  header: MergedMiningHeader,
  { target, hash }: HeaderWork,
  nonce: Uint8Array,
): SealedMergedMiningHeader | undefined {
  const value = bytesToBigInt(nonce)
  if (value > MAX_AUX_NONCE) return undefined
  const sealed = withOwnNonce(header, Number(value))
  const fault = checkProof(sealed.header.mergedMining.aux, target, hash)
  return fault === undefined ? sealed : undefined
}
