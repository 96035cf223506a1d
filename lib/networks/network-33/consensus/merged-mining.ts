/** The consensus of merged-mining networks: aux blocks of another chain prove the work of their blocks (node-chain 6). */

import { EMPTY_BYTES, bigIntToBytes } from '../../../base/hex.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { LEGACY_TYPE } from '../../../evm/transaction.ts'
import { encodeEnvelope } from '../../../evm/transaction-members.ts'
import { creditFees } from '../precompiles/fee-contract.ts'
import { network33Precompiles } from '../precompiles/precompiles.ts'
import { loadNetwork33Rules } from '../../rules-of.ts'
import type { Consensus, PrepareInput } from '../../consensus/consensus.ts'
import { asMergedMining as own, type MergedMiningHeader } from '../../consensus/header-fields.ts'
import { receiptItems, statusItem } from '../../consensus/receipt-items.ts'
import { VirtualGas } from './sender-quotas.ts'
import { checkMergedMiningAdmission, pooledPrice } from './admit.ts'
import { sealHashIn } from './aux-block.ts'
import { mergedMiningMembers, readMergedMiningHeader } from './block-members.ts'
import { bytesAfterHash } from './coinbase.ts'
import { childDifficulty } from './difficulty.ts'
import { ANCESTRY_WITHOUT_WORK, NO_ANCESTRY, ancestryAfter } from './fork-detection.ts'
import { fullItems, hashForMergedMining, mergedMiningBlockHash, storedItems } from './header.ts'
import { proveWithAuxBlock, sealOwn, solveWithNonce } from './own-work.ts'
import { inSenderMapOrder } from './pool-order.ts'
import { NO_PROOF } from './proof.ts'
import { baseEventOf } from '../bridge/union-methods.ts'
import type { MergedMiningFields } from './fields.ts'

/** Value of each aux field in the genesis file (node-chain 6.4). */
const ZERO_BYTE = new Uint8Array(1)

const GENESIS_FIELDS: MergedMiningFields = {
  version: 0,
  uncleCount: 0,
  baseEvent: EMPTY_BYTES,
  aux: { header: ZERO_BYTE, merkleProof: ZERO_BYTE, coinbase: ZERO_BYTE },
  ancestry: NO_ANCESTRY,
}

/** There are no parallel lists. */
const NO_EDGES: readonly number[] = []

/** The fields of a child of a block, without a proof of work. Simulated blocks have no base event. */
const fieldsAfter = (parent: MergedMiningHeader, { uncles, state }: PrepareInput): MergedMiningFields => ({
  version: 2,
  ummRoot: EMPTY_BYTES,
  edges: NO_EDGES,
  aux: NO_PROOF,
  uncleCount: uncles.length,
  baseEvent: state === undefined ? EMPTY_BYTES : baseEventOf(state),
  ancestry: ancestryAfter(parent),
})

/** The consensus of merged-mining networks. */
export const mergedMining: Consensus = {
  name: 'merged-mining',
  genesisFields: { mergedMining: GENESIS_FIELDS },
  // As on the network (node-chain 11.1).
  precompileAccounts: [...network33Precompiles.keys()],
  hasMixHash: false,
  hasMinimumGasPrice: true,
  // node-chain 6.10.
  maxUncles: 10,
  // The change may reach the bound (node-chain 8.6).
  gasLimitMargin: 0n,
  headerItems: (header) => storedItems(own(header)),
  encodeHeader: (header) => encodeRlp(fullItems(own(header))),
  headerHash: (header) => mergedMiningBlockHash(own(header)),
  sealHash: (header) => hashForMergedMining(own(header)),
  // Legacy: status in place of a state root, and gas and status once more (node-chain 5.1). Typed: node-next 2.4.
  encodeReceipt: (receipt) => {
    const { type } = receipt.transaction
    if (type !== LEGACY_TYPE) return encodeEnvelope(type, receiptItems(receipt))
    const gasUsed = bigIntToBytes(receipt.outcome.gasUsed)
    return encodeRlp([...receiptItems(receipt), gasUsed, statusItem(receipt)])
  },
  auxFields: (header) => {
    const { aux } = own(header).mergedMining
    return { auxHeader: aux.header, mergedMiningTags: bytesAfterHash(aux.coinbase) }
  },
  blockMembers: mergedMiningMembers,
  readHeader: readMergedMiningHeader,
  rules: loadNetwork33Rules,
  checkAdmission: checkMergedMiningAdmission,
  senderQuotas: (left, now) => new VirtualGas(left, now),
  pooledPrice,
  rechecksQueued: true,
  priceTies: inSenderMapOrder,
  difficulty: (_, parent, timestamp, uncleCount) => childDifficulty(own(parent), timestamp, uncleCount),
  prepare: (parent, body) => ({ mergedMining: fieldsAfter(own(parent), body) }),
  reservedBlockFields: (header, parent) => ({
    mergedMining: {
      ...own(header).mergedMining,
      aux: NO_PROOF,
      remoteHash: undefined,
      ancestry: parent === undefined ? ANCESTRY_WITHOUT_WORK : ancestryAfter(own(parent)),
    },
  }),
  // The system transaction pays the fees out (node-chain 8.1).
  finalize: (state, { fees }) => creditFees(state, fees),
  seal: (header) => sealOwn(own(header)),
  solve: async (header, work, { nonce }) => solveWithNonce(own(header), work, nonce),
  auxMining: { sealHashIn, prove: proveWithAuxBlock },
  secondOpinion: 'observed',
}
