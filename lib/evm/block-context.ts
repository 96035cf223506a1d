/** What an execution sees of its block. */

import type { Address, Hash } from '../base/hex.ts'

/** The block a transaction or a call runs in. */
export interface BlockContext {
  readonly number: bigint
  /** What CHAINID answers, and permissions are signed for (EIP-7702). */
  readonly chainId: bigint
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
  /** Least gas price of a transaction, in wei; what BASEFEE answers on a merged-mining network. */
  readonly minimumGasPrice: bigint
  /** Blob gas above the target; absent where blocks carry no blobs (EIP-4844). */
  readonly excessBlobGas?: bigint | undefined
  /** Wei per blob gas, where it does not follow from the excess. */
  readonly blobBaseFee?: bigint | undefined
  /** A block before this one: 0 is the parent. */
  readonly ancestor: (depth: number) => Ancestor | undefined
}

/** What precompiles can tell of a block before the running one (node-chain 10.2). */
export interface Ancestor {
  readonly hash: Hash
  readonly coinbase: Address
  readonly minimumGasPrice: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly difficulty: bigint
  /** With that of its uncles. */
  readonly cumulativeDifficulty: bigint
  /** Of the chain up to and including it. */
  readonly totalDifficulty: bigint
  /** Wei its transactions paid. */
  readonly paidFees: bigint
  /** The 80-byte header of the auxiliary chain; empty where there is none. */
  readonly auxHeader: Uint8Array
  /** What follows the tag and the hash in the stored coinbase of the auxiliary block. */
  readonly mergedMiningTags: Uint8Array
  /** Blocks beside the chain that it names. */
  readonly uncles: readonly { readonly coinbase: Address; readonly number: bigint }[]
}
