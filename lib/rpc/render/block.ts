/** Renders blocks for responses. Key order is that of node-rpc 4.1. */

import type * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { blockSize } from '../../chain/raw-forms.ts'
import { cumulativeDifficulty, uncleHashesOf } from '../../chain/block.ts'
import type { ResolvedBlock } from '../../chain/miner/block-resolver.ts'
import type { blockObject, headerObject } from '../../schema/results.ts'
import { renderMined, renderPending } from './transaction.ts'

type BlockObject = z.input<typeof blockObject>

/** A block to render; its state is not needed. */
type Shown = Pick<ResolvedBlock, 'block' | 'isPending'>

/**
 * A block with the hashes of its transactions, or with the whole transactions.
 * A pending block has no hash, nonce and bloom (service spec, "Block object"). The spec has null for its number, too; this
 * node returns it, because ethers cannot read a block without it.
 */
export function renderBlock(resolved: Shown, isFull: boolean): BlockObject {
  const { block, isPending } = resolved
  const { header } = block
  return {
    number: toQuantity(header.number),
    hash: isPending ? null : block.hash,
    parentHash: header.parentHash,
    mixHash: header.mixHash,
    nonce: isPending ? null : toHex(header.nonce),
    sha3Uncles: header.unclesHash,
    logsBloom: isPending ? null : toHex(header.logsBloom),
    transactionsRoot: header.transactionsRoot,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    miner: header.coinbase,
    difficulty: toQuantity(header.difficulty),
    totalDifficulty: toQuantity(block.totalDifficulty),
    extraData: toHex(header.extraData),
    size: toQuantity(blockSize(block)),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    transactions: renderTransactions(resolved, isFull),
    uncles: uncleHashesOf(block),
    ...header.consensus.blockMembers({
      header,
      withdrawals: block.withdrawals,
      // Read only where blocks show it: the uncles of a remote block may have to be loaded first.
      get cumulativeDifficulty() {
        return cumulativeDifficulty(block)
      },
    }),
  }
}

/** The header of a block: its members without the body. */
export const renderHeader = (resolved: Shown): z.input<typeof headerObject> =>
  withoutBody(renderBlock(resolved, false))

const withoutBody = ({ size: _, transactions: __, uncles: ___, withdrawals: ____, ...header }: BlockObject) =>
  header

/** The transactions of a block, as hashes or whole. */
function renderTransactions({ block, isPending }: Shown, isFull: boolean): BlockObject['transactions'] {
  if (!isFull) return block.receipts.map(({ transaction }) => transaction.hash)
  const consensus = block.header.consensus
  if (isPending) return block.receipts.map(({ transaction }) => renderPending(transaction, consensus))
  return block.receipts.map((receipt) => renderMined(block, receipt))
}
