/** Turns what ran into a block: roots, bloom, header and hash. */

import { toHash } from '../base/hex.ts'
import { encodeReceipt, unionOfBlooms } from '../chain/block.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { forkFields } from '../chain/fork-fields.ts'
import { EMPTY_TRIE_HASH, NO_UNCLES_HASH, headerHash } from '../chain/header.ts'
import type { Header } from '../chain/header.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { EMPTY_BLOOM } from '../evm/outcome.ts'
import type { StateRoot } from '../state/state-root.ts'
import { orderedRoot } from '../state/trie.ts'

/** Everything a block is computed from. */
export interface SealInput {
  readonly parent: ChainEntry
  readonly context: BlockContext
  readonly receipts: readonly Receipt[]
  /** State after the last transaction. */
  readonly state: StateRoot
}

/** Seals the block of the receipts. */
export function sealBlock(network: Network, { parent, context, receipts, state }: SealInput): Block {
  const header: Header = {
    parentHash: parent.block.hash,
    unclesHash: NO_UNCLES_HASH,
    coinbase: context.coinbase,
    stateRoot: state.hash,
    ...rootsOf(receipts),
    difficulty: context.difficulty,
    number: context.number,
    gasLimit: context.gasLimit,
    gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
    timestamp: context.timestamp,
    extraData: new Uint8Array(0),
    mixHash: context.mixHash,
    nonce: new Uint8Array(8),
    paidFees: receipts.reduce((total, receipt) => total + feeOf(receipt), 0n),
    minimumGasPrice: context.minimumGasPrice,
    ...forkFields(network),
    ...(network.baseFee === false ? {} : { baseFeePerGas: context.baseFeePerGas }),
  }
  return {
    header,
    hash: headerHash(header),
    receipts,
    totalDifficulty: parent.block.totalDifficulty + header.difficulty,
  }
}

const feeOf = ({ outcome, effectiveGasPrice }: Receipt): bigint => outcome.gasUsed * effectiveGasPrice

function rootsOf(
  receipts: readonly Receipt[],
): Pick<Header, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'> {
  if (receipts.length === 0) {
    return { transactionsRoot: EMPTY_TRIE_HASH, receiptsRoot: EMPTY_TRIE_HASH, logsBloom: EMPTY_BLOOM }
  }
  const blooms = receipts
    .filter(({ outcome }) => outcome.logs.length > 0)
    .map(({ outcome }) => outcome.logsBloom)
  return {
    transactionsRoot: toHash(orderedRoot(receipts.map(({ transaction }) => transaction.encoded))),
    receiptsRoot: toHash(orderedRoot(receipts.map(encodeReceipt))),
    logsBloom: blooms.length === 0 ? EMPTY_BLOOM : unionOfBlooms(blooms),
  }
}
