/** System contracts of the Ethereum protocol: their code at genesis, and the storage that every block writes. */

import { asAddress, fromHex, toWord } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { activeEips } from '../config/active-eips.ts'
import type { HardforkChoice } from '../config/active-eips.ts'
import type { SystemContractName } from '../config/eips.ts'
import type { State } from '../state/state.ts'

/** Data that a block passes to the system contracts before its first transaction. */
export interface NewBlock {
  readonly number: bigint
  /** Seconds since the epoch. */
  readonly timestamp: bigint
  readonly parentHash: Hash
  readonly parentBeaconBlockRoot: Hash
}

/** A contract that exists from genesis on. */
export interface SystemContract {
  readonly name: SystemContractName
  readonly address: Address
  /** Runtime code. */
  readonly code: Uint8Array
  /** Storage words that a block writes, by slot. */
  readonly words: (block: NewBlock) => readonly (readonly [slot: bigint, word: Hash])[]
}

/** Entries of both ring buffers: HISTORY_BUFFER_LENGTH of EIP-4788, HISTORY_SERVE_WINDOW of EIP-2935. */
export const RING_SIZE = 8191n

/** Returns the beacon root of a block by timestamp (EIP-4788). */
export const BEACON_ROOTS: SystemContract = {
  name: 'BEACON_ROOTS_ADDRESS',
  address: asAddress('0x000f3df6d732807ef1319fb7b8bb8522d0beac02'),
  code: fromHex(
    '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
  ),
  words: ({ timestamp, parentBeaconBlockRoot }) => [
    [timestamp % RING_SIZE, toWord(timestamp)],
    [(timestamp % RING_SIZE) + RING_SIZE, parentBeaconBlockRoot],
  ],
}

/** Returns the hash of one of the last 8191 blocks by number (EIP-2935). */
export const BLOCK_HASHES: SystemContract = {
  name: 'HISTORY_STORAGE_ADDRESS',
  address: asAddress('0x0000f90827f1c53a10cb7a02335b175320002935'),
  code: fromHex(
    '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  ),
  words: ({ number, parentHash }) => [[(number - 1n) % RING_SIZE, parentHash]],
}

/** The system contracts of a network that every block writes. */
export function systemContracts(network: HardforkChoice): readonly SystemContract[] {
  const active = activeEips(network).systemContracts
  return [BEACON_ROOTS, BLOCK_HASHES].filter(({ name }) => active.has(name))
}

/**
 * Writes the storage that the contracts would write in the system calls at the start of a block. It does not run their
 * code, which saves an execution per block.
 */
export function recordBlock(state: State, contracts: readonly SystemContract[], block: NewBlock): void {
  for (const { address, words } of contracts) {
    // A contract whose code was removed is not called (EIP-4788, EIP-2935).
    if (state.code(address).length === 0) continue
    for (const [slot, word] of words(block)) state.putStorage(address, toWord(slot), fromHex(word))
  }
}
