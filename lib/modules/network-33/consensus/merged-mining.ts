/** The consensus of merged-mining networks: aux blocks of another chain prove the work of their blocks (node-chain 6). */

import { EMPTY_BYTES, bigIntToBytes } from '../../../base/hex.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { activeEips } from '../../../config/active-eips.ts'
import { LEGACY_TYPE } from '../../../evm/transaction.ts'
import { encodeEnvelope } from '../../../evm/transaction-members.ts'
import { creditFees } from '../precompiles/fee-contract.ts'
import { interfaceAt } from '../precompiles/interfaces.ts'
import { network33Precompiles, precompilesOf } from '../precompiles/precompiles.ts'
import { network33Rules } from '../rules.ts'
import {
  receiptItems,
  statusItem,
  type Consensus,
  type PrepareInput,
} from '../../../networks/consensus/consensus.ts'
import { VirtualGas } from './sender-quotas.ts'
import { checkMergedMiningAdmission, pooledPrice } from './admit.ts'
import { mergedMiningMembers, readMergedMiningHeader } from './block-members.ts'
import { bytesAfterHash } from './coinbase.ts'
import { childDifficulty } from './difficulty.ts'
import { ANCESTRY_WITHOUT_WORK, NO_ANCESTRY, ancestryAfter } from './fork-detection.ts'
import { fullItems, hashForMergedMining, mergedMiningBlockHash, storedItems } from './header.ts'
import { sealOwn, solveWithNonce } from './own-work.ts'
import { inSenderMapOrder } from './pool-order.ts'
import { NO_PROOF } from './proof.ts'
import { baseEventOf } from '../bridge/union-methods.ts'
import {
  MERGED_MINING,
  asMergedMining as own,
  type MergedMiningFields,
  type MergedMiningHeader,
} from './fields.ts'

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
  name: MERGED_MINING,
  savedAs: 'mergedMining',
  genesisFields: { own: GENESIS_FIELDS },
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
    const { aux } = own(header).own
    return { auxHeader: aux.header, mergedMiningTags: bytesAfterHash(aux.coinbase) }
  },
  blockMembers: mergedMiningMembers,
  readHeader: readMergedMiningHeader,
  rules: async (network, options) => {
    const { maxCodeSize, maxInitCodeSize, names } = network
    const described = [...precompilesOf(names, options.release)].map(([address, precompile]) => {
      return [address, { ...precompile, interface: () => interfaceAt(address, names) }] as const
    })
    const precompiles = new Map(described)
    return network33Rules({
      ...options,
      eips: activeEips(network),
      maxCodeSize,
      maxInitCodeSize,
      precompiles,
    })
  },
  checkAdmission: checkMergedMiningAdmission,
  senderQuotas: (left, now) => new VirtualGas(left, now),
  pooledPrice,
  rechecksQueued: true,
  priceTies: inSenderMapOrder,
  difficulty: (_, parent, timestamp, uncleCount) => childDifficulty(own(parent), timestamp, uncleCount),
  prepare: (parent, body) => ({ own: fieldsAfter(own(parent), body) }),
  reservedBlockFields: (header, parent) => ({
    own: {
      ...own(header).own,
      aux: NO_PROOF,
      remoteHash: undefined,
      ancestry: parent === undefined ? ANCESTRY_WITHOUT_WORK : ancestryAfter(own(parent)),
    },
  }),
  // The system transaction pays the fees out (node-chain 8.1).
  finalize: (state, { fees }) => creditFees(state, fees),
  seal: (header) => sealOwn(own(header)),
  solve: async (header, work, { nonce }) => solveWithNonce(own(header), work, nonce),
  secondOpinion: 'observed',
}
