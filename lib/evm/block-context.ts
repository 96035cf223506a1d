/** What an execution sees of its block. */

import { createBlock } from '@ethereumjs/block'
import type { Block as LibraryBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import type { Address, Hash } from '../base/hex.ts'
import { fromHex } from '../base/hex.ts'

/** The block a transaction or a call runs in. */
export interface BlockContext {
  readonly number: bigint
  /** Seconds since the epoch. */
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly gasLimit: bigint
  /** Base fee in wei per gas; zero on a network without one. */
  readonly baseFeePerGas: bigint
  readonly difficulty: bigint
  /** What PREVRANDAO answers from the Paris hard fork on. */
  readonly mixHash: Hash
  /** Hash of a recent block, for BLOCKHASH. */
  readonly blockHash: (number: bigint) => Hash | undefined
}

/** The library's block with nothing in it but what execution reads. */
export function libraryBlock(context: BlockContext, common: Common): LibraryBlock {
  const { number, timestamp, coinbase, gasLimit, baseFeePerGas, mixHash, difficulty } = context
  const header = {
    number,
    timestamp,
    coinbase,
    gasLimit,
    mixHash: fromHex(mixHash),
    difficulty,
    ...(common.isActivatedEIP(1559) ? { baseFeePerGas } : {}),
  }
  return createBlock({ header }, { common, skipConsensusFormatValidation: true })
}
