/** Reads the blocks of a remote node, and joins them with their receipts and uncles, which are answers to other questions. */

import { ADDRESS, HASH, INDEX, QUANTITY, QUANTITY_64 } from '../../base/remote-object.ts'
import type { RemoteObject } from '../../base/remote-object.ts'
import type { Block, Receipt, RemoteMembers } from '../../chain/block.ts'
import type { Network } from '../../config/network.ts'
import type { SealedHeader } from '../../consensus/consensus.ts'
import type { Header } from '../../consensus/header-fields.ts'
import type { Withdrawal } from '../../consensus/withdrawals.ts'
import { blockObjectOf, readHeader } from './header.ts'
import { readMined } from './transaction.ts'
import type { MinedTransaction } from './transaction.ts'

/** A block as its block object tells: without receipts, and with the hashes of its uncles instead of their headers. */
export interface RemoteBlock extends SealedHeader {
  readonly transactions: readonly MinedTransaction[]
  readonly withdrawals: readonly Withdrawal[] | undefined
  /** The difficulty of the block alone if the remote does not say, as nodes of merged chains do not. */
  readonly totalDifficulty: bigint
  readonly remote: RemoteMembers
}

/**
 * The block of a block object with full transactions.
 * @throws NodeError 'remoteFailed' naming the block and the member
 */
export function parseBlock(json: unknown, network: Network): RemoteBlock {
  const object = blockObjectOf(json, network)
  const header = readHeader(object, network)
  return {
    header,
    hash: object.get('hash', HASH),
    transactions: object
      .objects('transactions')
      .map((transaction, index) => readMined(transaction, index, header.baseFeePerGas)),
    withdrawals: readWithdrawals(object),
    totalDifficulty: object.find('totalDifficulty', QUANTITY) ?? header.difficulty,
    remote: readRemoteMembers(object, header),
  }
}

function readRemoteMembers(object: RemoteObject, { difficulty }: Header): RemoteMembers {
  const uncleHashes = object.has('uncles') ? object.list('uncles', HASH) : []
  const sole = uncleHashes.length === 0 ? difficulty : undefined
  return {
    uncleHashes,
    size: object.find('size', INDEX),
    cumulativeDifficulty: object.find('cumulativeDifficulty', QUANTITY) ?? sole,
  }
}

/** The withdrawals; absent if the block has none, as in blocks of this node. */
function readWithdrawals(object: RemoteObject): readonly Withdrawal[] | undefined {
  if (!object.has('withdrawals')) return undefined
  const withdrawals = object.objects('withdrawals').map((entry) => ({
    index: entry.get('index', QUANTITY_64),
    validatorIndex: entry.get('validatorIndex', QUANTITY_64),
    address: entry.get('address', ADDRESS),
    amount: entry.get('amount', QUANTITY_64),
  }))
  return withdrawals.length === 0 ? undefined : withdrawals
}

/** The complete block. The uncles are in the order of their hashes. */
export function blockOf(
  { header, hash, withdrawals, totalDifficulty, remote }: RemoteBlock,
  receipts: readonly Receipt[],
  uncles: readonly Header[],
): Block {
  return { header, hash, receipts, uncles, withdrawals, totalDifficulty, remote }
}
