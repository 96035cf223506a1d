/** Applies block overrides to the block of a call. */

import type { Address, Hash } from '../base/hex.ts'
import type { Withdrawal } from '../consensus/withdrawals.ts'
import type { BlockContext } from '../evm/block-context.ts'

/** Block overrides of a client (geth, internal/ethapi/override, BlockOverrides); absent members do not change. */
export interface BlockOverrides {
  readonly number?: bigint | undefined
  /** Seconds since the epoch. */
  readonly time?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly feeRecipient?: Address | undefined
  readonly prevRandao?: Hash | undefined
  readonly difficulty?: bigint | undefined
  /** Wei per gas. */
  readonly baseFeePerGas?: bigint | undefined
  /** Wei per gas of a blob. */
  readonly blobBaseFee?: bigint | undefined
  /** Hashes that BLOCKHASH returns, by block number. */
  readonly blockHash?: ReadonlyMap<bigint, Hash> | undefined
  /** Credited after the calls, where blocks carry withdrawals (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[] | undefined
}

/** The block context with the overrides applied. */
export function overrideBlock(context: BlockContext, overrides?: BlockOverrides): BlockContext {
  if (overrides === undefined) return context
  return {
    ...context,
    number: overrides.number ?? context.number,
    timestamp: overrides.time ?? context.timestamp,
    gasLimit: overrides.gasLimit ?? context.gasLimit,
    coinbase: overrides.feeRecipient ?? context.coinbase,
    mixHash: overrides.prevRandao ?? context.mixHash,
    difficulty: overrides.difficulty ?? context.difficulty,
    baseFeePerGas: overrides.baseFeePerGas ?? context.baseFeePerGas,
    // BASEFEE returns it on merged-mining networks (node-chain 9.1).
    minimumGasPrice: overrides.baseFeePerGas ?? context.minimumGasPrice,
    blobBaseFee: overrides.blobBaseFee ?? context.blobBaseFee,
    blockHash: (number) => overrides.blockHash?.get(number) ?? context.blockHash(number),
  }
}
