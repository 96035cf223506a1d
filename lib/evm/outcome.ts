/** The outcome of an execution: its logs with their bloom filter, and its console calls. */

import type { Address, Hash, Hex } from '../base/hex.ts'
import { asHash, bigIntToBytes32, fromHex, asAddress } from '../base/hex.ts'
import { cached } from '../base/once.ts'
import { keccak256InPlace } from '../crypto/keccak.ts'

export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** How an execution ended: normally, by REVERT, or by an exception such as out of gas. */
export type Status = 'success' | 'reverted' | 'failed'

/** Result of a transaction or of a simulated call. */
export interface Outcome {
  readonly status: Status
  /** Gas paid for: intrinsic cost and execution, after refunds. */
  readonly gasUsed: bigint
  /** Gas that the execution needed: `gasUsed` without the refunds. */
  readonly gasNeeded: bigint
  /** Gas that counts for the block: state gas and other gas (EIP-8037). Present if refunds do not count (EIP-7778). */
  readonly blockGas?: { readonly state: bigint; readonly other: bigint } | undefined
  /** Whether a success would be the same with every gas limit from `gasNeeded` on; for calls only. */
  readonly isGasIndependent?: boolean
  /** Wei that the sender paid for gas; zero for a call. */
  readonly fee: bigint
  /** Blob gas of the transaction, and wei per blob gas; absent without blobs. */
  readonly blobGas?: { readonly used: bigint; readonly price: bigint } | undefined
  readonly logs: readonly Log[]
  readonly logsBloom: Uint8Array
  /** Return data, revert data, or the code of a created contract. */
  readonly returnData: Uint8Array
  /** Address of the created contract, even if the creation failed. */
  readonly contractAddress: Address | undefined
  /** The exception's name when the status is `failed`. */
  readonly exception: string | undefined
  /** State root after the transaction. Receipts from before Byzantium have it instead of a status (EIP-658). */
  readonly postState?: Hash | undefined
  /** Other members of a remote's receipt, unchanged. */
  readonly remoteMembers?: Readonly<Record<string, unknown>> | undefined
  /** Calls of `console.log`, which are not part of the chain; absent without calls. */
  readonly consoleCalls?: ConsoleCalls | undefined
}

/** The bloom of no logs, shared by all outcomes that have none. */
export const EMPTY_BLOOM = new Uint8Array(256)

/** keccak256 of `Transfer(address,address,uint256)` (ERC-20, ERC-721). */
export const TRANSFER_TOPIC = asHash('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')

/** Sender of the protocol's calls and of the logs of transfers (EIP-4788, EIP-7708). */
export const SYSTEM_ADDRESS = asAddress('0xfffffffffffffffffffffffffffffffffffffffe')

/** keccak256 of `Burn(address,uint256)` (EIP-7708). */
const BURN_TOPIC = asHash('0xcc16f5dbb4873280815c1ee09dbd06736cffcc184412cf7a71a0fdb75d397ca5')

export const transferLog = (from: Address, to: Address, value: bigint): Log => ({
  address: SYSTEM_ADDRESS,
  topics: [TRANSFER_TOPIC, addressTopic(from), addressTopic(to)],
  data: bigIntToBytes32(value),
})

/** The log of an account that is deleted with a balance. */
export const burnLog = (address: Address, value: bigint): Log => ({
  address: SYSTEM_ADDRESS,
  topics: [BURN_TOPIC, addressTopic(address)],
  data: bigIntToBytes32(value),
})

const addressTopic = (address: Address): Hash => asHash(`0x${address.slice(2).padStart(64, '0')}`)

export function bloomOf(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(EMPTY_BLOOM.length)
  for (const { address, topics } of logs) {
    add(bloom, address)
    for (const topic of topics) add(bloom, topic)
  }
  return bloom
}

function add(bloom: Uint8Array, entry: Hex): void {
  for (const bit of bitsOf(entry)) {
    const byte = bloom.length - 1 - (bit >> 3)
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7))
  }
}

/**
 * Number of addresses and topics whose bits are cached. Without the cache, computing them takes a third of the time of an ERC-20
 * transfer.
 */
const MAX_CACHED = 1024

/** Three bits, whose numbers are the low eleven bits of the hash's first three pairs of bytes. */
const bitsOf: (entry: Hex) => readonly number[] = cached(MAX_CACHED, (entry) => {
  const hash = keccak256InPlace(fromHex(entry))
  const pairAt = (offset: number) => ((hash[offset] ?? 0) << 8) | (hash[offset + 1] ?? 0)
  return [0, 2, 4].map((offset) => pairAt(offset) & 2047)
})

/** The address that the console libraries of Hardhat and Foundry call: `console.log` in ASCII. */
export const CONSOLE_ADDRESS = asAddress('0x000000000000000000636f6e736f6c652e6c6f67')

/** Maximum bytes stored for one execution, so that a contract that logs in a loop does not fill the memory. */
const MAX_BYTES = 256 * 1024

/** Bytes that each call counts in addition to its input. */
const PER_CALL = 64

/** The calls of one execution, including those of reverted frames. */
export interface ConsoleCalls {
  readonly inputs: readonly Uint8Array[]
  /** Number of later calls that were not stored. */
  readonly omitted: number
}

export class ConsoleSink implements ConsoleCalls {
  readonly inputs: Uint8Array[] = []
  omitted = 0
  #bytes = 0

  /** Stores a copy, because the input is a view of the memory of the caller. */
  add(input: Uint8Array): void {
    this.#bytes += input.length + PER_CALL
    if (this.#bytes > MAX_BYTES) this.omitted++
    else this.inputs.push(input.slice())
  }
}
