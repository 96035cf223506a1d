/**
 * The interface of a consensus: all behavior that depends on the kind of a network, as geth's `consensus.Engine`. The
 * implementations are in ethereum/ and merged-mining/, consensus-of.ts chooses between them.
 */

import type { Address, Hash } from '../base/hex.ts'
import type { RlpInput } from '../base/rlp.ts'
import type { Network } from '../config/network.ts'
import type { Ancestor } from '../evm/block-context.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { RulesOptions } from '../evm/rules/rules-of.ts'
import type { Rules } from '../evm/rules/rules.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { State } from '../state/state.ts'
import type { EthashSolution } from './ethereum/ethash.ts'
import type { AdmissionContext } from './admission.ts'
import type { Header } from './header-fields.ts'
import type { ethereumMembers } from './ethereum/block-members.ts'
import type { mergedMiningMembers } from './merged-mining/block-members.ts'
import type { ShownBlock } from './shown-block.ts'
import type { AuxBlock } from './merged-mining/aux-block.ts'
import type { ProofFault } from './merged-mining/proof.ts'
import type { Withdrawal } from './withdrawals.ts'

/** Header fields that only one consensus has. The rest of lib passes them on unread. */
export type OwnFields = Pick<Header, 'mergedMining'>

/** The parts of a receipt that its encoding covers. */
export interface ReceiptContent {
  readonly transaction: { readonly type: number }
  readonly outcome: Pick<Outcome, 'status' | 'gasUsed' | 'logs' | 'logsBloom'>
  readonly cumulativeGasUsed: bigint
}

/** The body of a block before its transactions run. */
export interface PreparedBody {
  readonly uncles: readonly Header[]
  /** State after the parent; absent in simulations. */
  readonly state?: State
}

/** A block after its users' transactions. */
export interface FinalizedBlock {
  /** Wei that the transactions paid. */
  readonly fees: bigint
  readonly withdrawals: readonly Withdrawal[]
}

/** Members of a block in answers. */
export type BlockMembers = Partial<
  ReturnType<typeof ethereumMembers> & ReturnType<typeof mergedMiningMembers>
>

/** A header with its proof of work, and the block hash. */
export interface SealedHeader {
  readonly header: Header
  readonly hash: Hash
}

/** The work on a header. */
export interface HeaderWork {
  /** Seal hash of the header. */
  readonly hash: Hash
  /** Maximum of a solution, as a big-endian number. */
  readonly target: Hash
}

/** Mining with aux blocks, the blocks of another chain whose miners also work for this one. */
export interface AuxMining {
  /** Seal hash of the header for which an aux block was mined, if it names one. */
  readonly workIn: (block: AuxBlock) => Hash | undefined
  /** Adds the proof of an aux block to a header. A proof with a fault does not solve the work. */
  readonly prove: (
    header: Header,
    work: HeaderWork,
    block: AuxBlock,
  ) => SealedHeader & { readonly fault: ProofFault | undefined }
}

/** The consensus of a network. */
export interface Consensus {
  /** Name in state files. */
  readonly name: string
  /** Header fields of the genesis block. */
  readonly genesisFields: OwnFields
  /** Precompiles that have accounts from the genesis block on. */
  readonly precompileAccounts: readonly Address[]
  /** Whether headers have a mix hash. */
  readonly hasMixHash: boolean
  /** Whether headers have a minimum gas price. */
  readonly hasMinimumGasPrice: boolean
  /** Maximum number of uncles of a block. */
  readonly maxUncles: number
  /** Gas by which a change of the gas limit must stay below its bound. */
  readonly gasLimitMargin: bigint

  /** RLP items of the complete header, as blocks and lists of uncles contain it. */
  readonly headerItems: (header: Header) => readonly RlpInput[]
  /** The encoded header for clients that verify it. */
  readonly encodeHeader: (header: Header) => Uint8Array
  /** The block hash. */
  readonly headerHash: (header: Header) => Hash
  /** Hash of the header without its proof of work (geth, Engine.SealHash). */
  readonly sealHash: (header: Header) => Hash
  /** A receipt as the receipt trie of its block contains it. */
  readonly encodeReceipt: (receipt: ReceiptContent) => Uint8Array
  /** The properties of the header that precompiles read beside those of every header. */
  readonly auxOf: (header: Header) => Pick<Ancestor, 'auxHeader' | 'mergedMiningTags'>

  /** Members of a block in answers that blocks of other networks do not have. */
  readonly blockMembers: (block: ShownBlock) => BlockMembers

  /** Builds the rules of executions. Parts that take long to load are loaded on demand. */
  readonly rules: (network: Network, options: RulesOptions) => Promise<Rules>
  /**
   * Rejects a transaction that can never be mined, or that breaks a rule of the pool.
   * @throws NodeError of the kind that names the fault
   */
  readonly checkAdmission: (transaction: Transaction, context: AdmissionContext) => void

  /** Difficulty of a child of a block (geth, Engine.CalcDifficulty). */
  readonly difficulty: (network: Network, parent: Header, timestamp: bigint, uncleCount: number) => bigint
  /** Header fields of a child of a block, before its transactions run (geth, Engine.Prepare). */
  readonly prepare: (parent: Header, body: PreparedBody) => OwnFields
  /** Header fields of an empty block like another one, without a proof of work. The block before it may be unknown. */
  readonly repeat: (header: Header, parent: Header | undefined) => OwnFields
  /** Credits what a block owes after its users' transactions (geth, Engine.Finalize). */
  readonly finalize: (state: State, block: FinalizedBlock) => void

  /** Adds the proof of work of the node's own, if blocks have one, and the hash (geth, Engine.Seal). */
  readonly seal: (header: Header) => SealedHeader
  /** Adds the solution of a miner; absent if it does not solve the work. */
  readonly solve: (
    header: Header,
    work: HeaderWork,
    solution: EthashSolution,
  ) => Promise<SealedHeader | undefined>
  /** Absent if aux blocks prove no work. */
  readonly auxMining: AuxMining | undefined
}
