/** Fields that only merged-mining networks have in the block object of eth_getBlockBy* (node-chain 6.1). */

import { toHex, toQuantity } from '../../base/hex.ts'
import { asMergedMining } from '../header-fields.ts'
import type { BlockMembersInput } from '../block-members-input.ts'
import { hashForMergedMining } from './header.ts'

/** The fields of a block. The fields of the aux block are empty while the block is pending. */
export function mergedMiningMembers({ cumulativeDifficulty, ...block }: BlockMembersInput) {
  const header = asMergedMining(block.header)
  const { aux, edges, baseEvent, remoteHash } = header.mergedMining
  return {
    minimumGasPrice: toQuantity(header.minimumGasPrice),
    auxMergedMiningHeader: toHex(aux.header),
    auxMergedMiningCoinbaseTransaction: toHex(aux.coinbase),
    auxMergedMiningMerkleProof: toHex(aux.merkleProof),
    hashForMergedMining: remoteHash ?? hashForMergedMining(header),
    paidFees: toQuantity(header.paidFees),
    cumulativeDifficulty: toQuantity(cumulativeDifficulty),
    nodePteEdges: edges ?? null,
    baseEvent: baseEvent.length === 0 ? null : toHex(baseEvent),
  }
}
