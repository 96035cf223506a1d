/** The block context of an execution. */

import type { Address, Hash } from '../base/hex.ts'

/** The block in which a transaction or a call runs. */
export interface BlockContext {
  readonly number: bigint
  /** Value of CHAINID; authorizations are signed for it (EIP-7702). */
  readonly chainId: bigint
  /** Seconds since the epoch. */
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly gasLimit: bigint
  /** Base fee in wei per gas; zero on a network without one. */
  readonly baseFeePerGas: bigint
  readonly difficulty: bigint
  /** Value of PREVRANDAO from the Paris hard fork on. */
  readonly mixHash: Hash
  /** Hash of a recent block, for BLOCKHASH. */
  readonly blockHash: (number: bigint) => Hash | undefined
  /** Minimum gas price of a transaction, in wei; the value of BASEFEE where the rules say so. */
  readonly minimumGasPrice: bigint
  /** Excess blob gas; absent if the network has no blobs (EIP-4844). */
  readonly excessBlobGas?: bigint | undefined
  /** Wei per blob gas, if it does not follow from the excess. */
  readonly blobBaseFee?: bigint | undefined
  /** Precompile addresses by the addresses where state overrides leave or move them; absent without overrides. */
  readonly precompiles?: ReadonlyMap<Address, Address> | undefined
  /** Value of SLOTNUM; absent if headers have no slot number (EIP-7843). */
  readonly slotNumber?: bigint | undefined
  /** An ancestor by depth: 0 is the parent. */
  readonly ancestor: (depth: number) => Ancestor | undefined
}

/** Properties of an ancestor that precompiles can read (node-chain 10.2). */
export interface Ancestor {
  readonly hash: Hash
  readonly coinbase: Address
  readonly minimumGasPrice: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly difficulty: bigint
  /** Including that of its uncles. */
  readonly cumulativeDifficulty: bigint
  /** Difficulty of the chain up to and including this block. */
  readonly totalDifficulty: bigint
  /** Wei that its transactions paid as fees. */
  readonly paidFees: bigint
  /** Header fields that only precompiles of the network read. */
  readonly own?: object | undefined
  /** Side blocks that it includes as uncles. */
  readonly uncles: readonly { readonly coinbase: Address; readonly number: bigint }[]
}
