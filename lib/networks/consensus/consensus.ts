/**
 * The interface of a consensus, like geth's `consensus.Engine`: all behaviour that differs between kinds of networks, and
 * the headers that it makes. Ethereum's is in lib/networks/ethereum, others are in modules.
 */

import { fromHex, bigIntToBytes, type Address, type Hash } from '../../base/hex.ts'
import type { RlpInput } from '../../base/rlp.ts'
import type { Network } from '../../config/network.ts'
import type { Options } from '../../config/options.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Rules } from '../../evm/rules.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { State } from '../../state/state.ts'
import type { EthashSolution } from '../ethereum/consensus/ethash.ts'
import type { AdmissionContext, ArrivedTransaction, Quota, SenderQuotas } from './admission.ts'
import type { Withdrawal } from './withdrawals.ts'

/** The fields of a header that every network has in its block objects. */
export interface SharedHeaderFields {
  readonly parentHash: Hash
  readonly unclesHash: Hash
  readonly coinbase: Address
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Seconds since the epoch. */
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  /** Zero on networks without a mix hash, like the nonce. */
  readonly mixHash: Hash
  /** Eight bytes. */
  readonly nonce: Uint8Array
}

/** The fields that hard forks of Ethereum added to headers. */
interface HardforkFields {
  /** EIP-1559. */
  readonly baseFeePerGas?: bigint | undefined
  /** EIP-4895. */
  readonly withdrawalsRoot?: Hash | undefined
  /** EIP-4844. */
  readonly blobGasUsed?: bigint | undefined
  readonly excessBlobGas?: bigint | undefined
  /** EIP-4788. */
  readonly parentBeaconBlockRoot?: Hash | undefined
  /** EIP-7685. */
  readonly requestsHash?: Hash | undefined
  /** EIP-7928. */
  readonly blockAccessListHash?: Hash | undefined
  /** EIP-7843. */
  readonly slotNumber?: bigint | undefined
}

/** A header: fields of every network, and optional fields of a hard fork or a kind of network. */
export interface Header extends SharedHeaderFields, HardforkFields {
  /** Fees of all transactions, in wei: a header field, or derived. */
  readonly paidFees: bigint
  /** Minimum gas price of a transaction, in wei; a header field if `hasMinimumGasPrice`. */
  readonly minimumGasPrice: bigint
  /** The consensus that made the header. */
  readonly consensus: Consensus
  /** Fields that only this consensus reads. */
  readonly own?: object
}

/** Members of the block object of eth_getBlockBy* that only some networks have. A kind of network may have more. */
type BlockMembers = { readonly [Name in keyof HardforkFields]?: string } & {
  readonly withdrawals?: readonly Readonly<Record<keyof Withdrawal, string>>[]
}

/** The data of a block that the fields of `BlockMembers` show. */
export interface BlockMembersInput {
  readonly header: Header
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Sum of the difficulties of the block and its uncles. */
  readonly cumulativeDifficulty: bigint
}

/** A block object of a remote, with members that this node does not know. */
export interface RemoteHeader extends HardforkFields {
  readonly [name: string]: unknown
  readonly number: bigint
  readonly hash: Hash
  readonly minimumGasPrice?: bigint | undefined
  readonly uncles?: readonly Hash[] | undefined
}

/** The RLP items of a header before the bloom, which are the same on all networks. */
export function leadingItems(header: Header): readonly Uint8Array[] {
  const { parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot } = header
  return [parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot].map(fromHex)
}

/** Header fields that only one consensus has. Other code copies them without reading them. */
export type ConsensusFields = Pick<Header, 'own'>

interface ReceiptContent {
  readonly transaction: { readonly type: number }
  readonly outcome: Pick<Outcome, 'status' | 'gasUsed' | 'logs' | 'logsBloom' | 'postState'>
  readonly cumulativeGasUsed: bigint
}

/** Input of `prepare` besides the parent. */
export interface PrepareInput {
  readonly uncles: readonly Header[]
  /** State after the parent; absent in simulations. */
  readonly state?: State
}

/** Input of `finalize`: the fees and withdrawals to credit. */
interface FinalizeInput {
  /** Wei that the transactions paid. */
  readonly fees: bigint
  readonly withdrawals: readonly Withdrawal[]
}

/** A header with its proof of work, and the block hash. */
export interface SealedHeader {
  readonly header: Header
  readonly hash: Hash
}

/** Work for a miner, as eth_getWork returns it: seal hash and target. */
export interface HeaderWork {
  readonly hash: Hash
  /** The hash of a solution must not be above this number (big-endian). */
  readonly target: Hash
}

/** Options in addition to the network's settings. */
export type RulesOptions = Pick<Options, 'allowUnlimitedContractSize'>

export interface Consensus {
  /** Name in state files. */
  readonly name: string
  /** Name of a header's own fields in state files; absent if its headers have none. */
  readonly savedAs?: string
  readonly genesisFields: ConsensusFields
  /** Precompiles that get an account in the genesis state. */
  readonly precompileAccounts: readonly Address[]
  readonly hasMixHash: boolean
  readonly hasMinimumGasPrice: boolean
  readonly maxUncles: number
  /**
   * Subtracted from the bound of gas limit changes, a 1024th of the parent's limit: 1 if the change must be below the bound (Yellow
   * Paper, 4.4.4), 0 if it may reach it.
   */
  readonly gasLimitMargin: bigint

  /** RLP items of the complete header, as blocks and lists of uncles contain it. */
  readonly headerItems: (header: Header) => readonly RlpInput[]
  /** RLP of the header, as debug_getRawHeader returns it. */
  readonly encodeHeader: (header: Header) => Uint8Array
  readonly headerHash: (header: Header) => Hash
  /** Hash of the header without its proof of work (geth, Engine.SealHash). */
  readonly sealHash: (header: Header) => Hash
  /** A receipt as the receipt trie of its block contains it. */
  readonly encodeReceipt: (receipt: ReceiptContent) => Uint8Array

  /** Fields of the block object of eth_getBlockBy* that blocks of other networks do not have. */
  readonly blockMembers: (block: BlockMembersInput) => BlockMembers
  /** Adds the fields of `blockMembers` to a remote block's header. @throws NodeError 'remoteFailed' if one is missing */
  readonly readHeader: (block: RemoteHeader, shared: SharedHeaderFields & Pick<Header, 'consensus'>) => Header

  /** Builds the rules of executions. Parts that load slowly are loaded on demand. */
  rules(network: Network, options: RulesOptions): Promise<Rules>
  /** Rejects a transaction that can never be mined, or that breaks a rule of the pool. @throws NodeError of the fault's kind */
  readonly checkAdmission: (transaction: Transaction, context: AdmissionContext) => void
  /** Counts the gas of senders; undefined if the node does not. `now` returns milliseconds since the epoch. */
  senderQuotas?(
    left: { value: ReadonlyMap<Address, Quota> },
    now: () => number,
    options: Options,
  ): SenderQuotas | undefined
  /** Price per gas of a pooled transaction, in wei. The minimum gas price applies to it, and clients see it. */
  readonly pooledPrice: (transaction: Transaction) => bigint
  /** Maximum price per gas in a block, in wei. The block removes what exceeds it from the pool. */
  readonly blockPriceCap?: (minimumGasPrice: bigint) => bigint | undefined
  /** Whether the pool checks a queued transaction again when its gap closes, and drops it if it is no longer admissible. */
  readonly rechecksQueued: boolean
  /** Orders the senders' queues for a choice by price alone. Absent if transactions of equal price are taken in order of arrival. */
  readonly priceTies:
    | (<T extends ArrivedTransaction>(queues: readonly (readonly T[])[]) => readonly (readonly T[])[])
    | undefined

  /** Difficulty of a child of a block (geth, Engine.CalcDifficulty). */
  readonly difficulty: (network: Network, parent: Header, timestamp: bigint, uncleCount: number) => bigint
  /** Header fields of a child of a block, before its transactions run (geth, Engine.Prepare). */
  readonly prepare: (parent: Header, body: PrepareInput) => ConsensusFields
  /** Header fields of a reserved block, copied from `header`. `parent` is the previous header; absent if it was not made. */
  readonly reservedBlockFields: (header: Header, parent: Header | undefined) => ConsensusFields
  /** Credits withdrawals or fees after the last user transaction (geth, Engine.Finalize). */
  readonly finalize: (state: State, block: FinalizeInput) => void

  /** Adds the node's own proof of work, if the network has one, and the hash (geth, Engine.Seal). */
  readonly seal: (header: Header) => SealedHeader
  /** Adds a miner's solution; absent if it does not solve the work. */
  readonly solve: (
    header: Header,
    work: HeaderWork,
    solution: EthashSolution,
  ) => Promise<SealedHeader | undefined>

  /**
   * Runs a mined block a second time under the option crossCheck: @ethereumjs/vm, or the node's own machine with an observer if no
   * other code knows the rules.
   */
  readonly secondOpinion: 'ethereumjs' | 'observed'
}

declare module '../../config/network-kind.ts' {
  interface NetworkKind {
    readonly consensus: Consensus
  }
}

/** Status, cumulative gas, bloom and logs. */
export function receiptItems(receipt: ReceiptContent): readonly RlpInput[] {
  const { logs, logsBloom } = receipt.outcome
  const items = logs.map((log) => [fromHex(log.address), log.topics.map(fromHex), log.data])
  return [statusItem(receipt), bigIntToBytes(receipt.cumulativeGasUsed), logsBloom, items]
}

/** The status, or the state root of an old receipt (EIP-658). */
export function statusItem({ outcome }: Pick<ReceiptContent, 'outcome'>): Uint8Array {
  if (outcome.postState !== undefined) return fromHex(outcome.postState)
  return outcome.status === 'success' ? Uint8Array.of(1) : new Uint8Array(0)
}
