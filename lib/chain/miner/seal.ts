/** Builds a block from executed transactions: roots, bloom, header and hash. */

import { EMPTY_BYTES, toHash } from '../../base/hex.ts'
import { blobFields } from '../fees.ts'
import { BlockGas, cumulativeDifficulty, unionOfBlooms, withHash } from '../block.ts'
import type { Block, BlockContent, Receipt } from '../block.ts'
import type { BlockInput, ProcessedBlock } from '../block-processor.ts'
import type { ChainEntry } from '../chain-entry.ts'
import { forkFields, EMPTY_TRIE_HASH, unclesHashOf } from '../header.ts'
import type { ConsensusFields, Header } from '../../networks/consensus/consensus.ts'
import { withdrawalsRoot, type Withdrawal } from '../../networks/consensus/withdrawals.ts'
import type { Network } from '../../config/network.ts'
import { accessListHash } from '../../evm/block-accesses.ts'
import { requestsHash } from '../../evm/system-contracts.ts'
import { EMPTY_BLOOM } from '../../evm/outcome.ts'
import { orderedRoot } from '../../state/trie.ts'
import type { StateRoot } from '../../state/state-root.ts'

export interface SealInput
  extends Partial<Omit<ProcessedBlock, 'receipts'>>, Pick<BlockInput, 'context' | 'parentBeaconBlockRoot'> {
  readonly parent: ChainEntry
  readonly receipts: readonly Receipt[]
  readonly state: StateRoot
  /** Headers of the uncles of the block; empty by default. */
  readonly uncles?: readonly Header[]
  /** Withdrawals of the block (EIP-4895); empty by default. */
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Header fields that the consensus prepared before the transactions; by default those of a simulated block. */
  readonly consensusFields?: ConsensusFields
  /** Adds the hash, and optionally a proof of work before; only the hash by default. */
  readonly finish?: FinishBlock
}

/** Completes a block with its hash. */
export type FinishBlock = (content: BlockContent) => Block

export function sealBlock(network: Network, input: SealInput): Block {
  const { parent, context, receipts, uncles = [], withdrawals = [], requests = [], finish = withHash } = input
  const { accessList } = input
  const header = headerOf(network, input)
  const totalDifficulty = parent.block.totalDifficulty + cumulativeDifficulty({ header, uncles })
  return finish({
    header,
    receipts,
    uncles,
    totalDifficulty,
    chainId: context.chainId === network.chainId ? undefined : context.chainId,
    withdrawals: withdrawals.length === 0 ? undefined : withdrawals,
    requests: requests.length === 0 ? undefined : requests,
    accessList,
  })
}

type HeaderDraft = { -readonly [Field in keyof Header]: Header[Field] }

function headerOf(network: Network, input: SealInput): Header {
  const { parent, context, receipts, state, uncles = [], withdrawals = [], requests = [] } = input
  const { transactionsRoot, receiptsRoot, logsBloom } = rootsOf(network, receipts)
  // The fields of all headers come first: V8 reserves space for the members of a literal, unless a spread precedes them.
  const header: HeaderDraft = {
    consensus: network.kind.consensus,
    parentHash: parent.block.hash,
    unclesHash: unclesHashOf(uncles),
    coinbase: context.coinbase,
    stateRoot: state.hash,
    transactionsRoot,
    receiptsRoot,
    logsBloom,
    difficulty: context.difficulty,
    number: context.number,
    gasLimit: context.gasLimit,
    gasUsed: gasUsedOf(receipts),
    timestamp: context.timestamp,
    extraData: EMPTY_BYTES,
    mixHash: context.mixHash,
    nonce: NO_NONCE,
    paidFees: receipts.reduce((total, { outcome }) => total + outcome.fee, 0n),
    minimumGasPrice: context.minimumGasPrice,
    ...forkFields(network),
  }
  if (withdrawals.length > 0) header.withdrawalsRoot = withdrawalsRoot(withdrawals)
  if (requests.length > 0) header.requestsHash = requestsHash(requests)
  if (input.accessList !== undefined) header.blockAccessListHash = accessListHash(input.accessList)
  if (header.slotNumber !== undefined) header.slotNumber = context.slotNumber
  if (header.parentBeaconBlockRoot !== undefined)
    header.parentBeaconBlockRoot = input.parentBeaconBlockRoot ?? header.parentBeaconBlockRoot
  const transactions = receipts.map(({ transaction }) => transaction)
  Object.assign(header, blobFields(network, context.excessBlobGas, transactions))
  if (network.baseFee !== false) header.baseFeePerGas = context.baseFeePerGas
  const { consensusFields = network.kind.consensus.prepare(parent.block.header, { uncles }) } = input
  return Object.assign(header, consensusFields)
}

function gasUsedOf(receipts: readonly Receipt[]): bigint {
  const gas = new BlockGas()
  for (const { outcome } of receipts) gas.add(outcome)
  return gas.used
}

const NO_NONCE = new Uint8Array(8)

function rootsOf(
  network: Network,
  receipts: readonly Receipt[],
): Pick<Header, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'> {
  if (receipts.length === 0) {
    return { transactionsRoot: EMPTY_TRIE_HASH, receiptsRoot: EMPTY_TRIE_HASH, logsBloom: EMPTY_BLOOM }
  }
  const blooms = receipts
    .filter(({ outcome }) => outcome.logs.length > 0)
    .map(({ outcome }) => outcome.logsBloom)
  const rootOf = (values: readonly Uint8Array[]) => toHash(orderedRoot(values))
  return {
    transactionsRoot: rootOf(receipts.map(({ transaction }) => transaction.encoded)),
    receiptsRoot: rootOf(receipts.map(network.kind.consensus.encodeReceipt)),
    logsBloom: blooms.length === 0 ? EMPTY_BLOOM : unionOfBlooms(blooms),
  }
}
