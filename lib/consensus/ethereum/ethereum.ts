/** The consensus of Ethereum networks. There is no beacon chain: the node makes every block. */

import { EMPTY_BYTES, toHash } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import { encodeRlp } from '../../base/rlp.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { loadEthereumRules } from '../../evm/rules/rules-of.ts'
import { encodeEnvelope } from '../../evm/transaction-members.ts'
import type { Consensus, ConsensusFields } from '../consensus.ts'
import type { Header } from '../header-fields.ts'
import { receiptItems } from '../receipt-items.ts'
import { creditWithdrawals } from '../withdrawals.ts'
import { checkAdmission } from './admit.ts'
import { ethereumMembers, readEthereumHeader } from './block-members.ts'
import { solutionMeetsTarget } from './ethash.ts'
import { ethereumItems, hashWithoutSeal } from './header.ts'

const NO_FIELDS: ConsensusFields = {}

const NO_AUX = { auxHeader: EMPTY_BYTES, mergedMiningTags: EMPTY_BYTES }

const hashOf = (header: Header): Hash => toHash(keccak256(encodeRlp(ethereumItems(header))))

/** The consensus of Ethereum networks. */
export const ethereum: Consensus = {
  name: 'ethereum',
  genesisFields: NO_FIELDS,
  precompileAccounts: [],
  hasMixHash: true,
  hasMinimumGasPrice: false,
  // Blocks have had none since proof of stake.
  maxUncles: 0,
  // The change must be below the bound (Yellow Paper, 4.4.4).
  gasLimitMargin: 1n,
  headerItems: ethereumItems,
  encodeHeader: (header) => encodeRlp(ethereumItems(header)),
  headerHash: hashOf,
  sealHash: hashWithoutSeal,
  encodeReceipt: (receipt) => encodeEnvelope(receipt.transaction.type, receiptItems(receipt)),
  auxFields: () => NO_AUX,
  blockMembers: ethereumMembers,
  readHeader: readEthereumHeader,
  rules: loadEthereumRules,
  checkAdmission,
  difficulty: (network) => network.genesis.difficulty,
  prepare: () => NO_FIELDS,
  reservedBlockFields: () => NO_FIELDS,
  // The coinbase got the fees with each transaction.
  finalize: (state, { withdrawals }) => creditWithdrawals(state, withdrawals),
  seal: (header) => ({ header, hash: hashOf(header) }),
  // The mix hash stays: transactions ran with it as their source of randomness.
  solve: async (header, work, solution) => {
    if (!(await solutionMeetsTarget(work.hash, solution, work.target))) return undefined
    const solved = { ...header, nonce: solution.nonce }
    return { header: solved, hash: hashOf(solved) }
  },
  auxMining: undefined,
  secondOpinion: 'ethereumjs',
}
