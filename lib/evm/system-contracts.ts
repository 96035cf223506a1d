/** System contracts of the Ethereum protocol: code at genesis, storage that every block writes, and requests (EIP-7685). */

import { asAddress, bigIntToBytes, fromHex, toWord, bytesToBigInt, equalBytes, toHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { activeEips, type HardforkChoice } from '../config/active-eips.ts'
import type { SystemContractName } from '../config/eip-changes.ts'
import type { AccountDifference } from '../state/account.ts'
import { withDifference } from '../state/difference.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { State } from '../state/state.ts'
import type { Routine } from '../base/routine.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { BlockAccesses } from './block-accesses.ts'
import type { BlockContext } from './block-context.ts'
import { depositRequest, isDeposit } from './execute.ts'
import type { Engine } from './engine.ts'
import type { Log } from './outcome.ts'
import type { RunningBlock } from './machine/environment.ts'

export interface NewBlock extends Pick<BlockContext, 'number' | 'timestamp'> {
  readonly parentHash: Hash
  /** Zero unless given: there is no beacon chain (EIP-4788). */
  readonly parentBeaconBlockRoot?: Hash | undefined
}

export interface SystemContract {
  readonly name: SystemContractName
  readonly address: Address
  readonly code: Uint8Array
  /** Storage values that a block writes, by slot. */
  readonly values: (block: NewBlock) => readonly (readonly [slot: bigint, value: Uint8Array])[]
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
  values: ({ timestamp, parentBeaconBlockRoot = '0x' }) => [
    [timestamp % RING_SIZE, bigIntToBytes(timestamp)],
    [(timestamp % RING_SIZE) + RING_SIZE, fromHex(parentBeaconBlockRoot)],
  ],
}

/** Returns the hash of one of the last 8191 blocks by number (EIP-2935). */
export const BLOCK_HASHES: SystemContract = {
  name: 'HISTORY_STORAGE_ADDRESS',
  address: asAddress('0x0000f90827f1c53a10cb7a02335b175320002935'),
  code: fromHex(
    '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  ),
  values: ({ number, parentHash }) => [[(number - 1n) % RING_SIZE, fromHex(parentHash)]],
}

export function systemContracts(network: HardforkChoice): readonly SystemContract[] {
  const active = activeEips(network).systemContracts
  return [BEACON_ROOTS, BLOCK_HASHES].filter(({ name }) => active.has(name))
}

/** Writes what the system contracts would write, without executing their code. */
export function recordBlock(
  state: State,
  contracts: readonly SystemContract[],
  block: NewBlock,
  accesses?: BlockAccesses,
): void {
  for (const { address, values } of contracts) {
    accesses?.addAccount(state, address)
    // A contract whose code was removed is not called (EIP-4788, EIP-2935).
    if (state.code(address).length === 0) continue
    for (const [number, value] of values(block)) {
      const slot = toWord(number)
      accesses?.addSlot({ address, slot, before: state.storage(address, slot) })
      state.putStorage(address, slot, value)
    }
  }
}

/** The state after many blocks have recorded themselves, oldest first. */
export function withRecords(
  root: StateRoot,
  contracts: readonly SystemContract[],
  blocks: readonly NewBlock[],
): StateRoot {
  const changed = contracts.flatMap(({ address, values }): AccountDifference[] => {
    const account = root.account(address)
    if (account === undefined || account.code.length === 0) return []
    const written = blocks.flatMap(values)
    const storage = [...new Map(written)].map(([number, value]) => [toWord(number), value] as const)
    const relation = root.continues(address) ? { relation: 'continued' as const } : {}
    return [{ address, account: { ...account, storage, ...relation } }]
  })
  return withDifference(root, changed)
}

/** A contract that queues requests until the protocol reads them at the end of a block. */
export interface RequestContract extends Omit<SystemContract, 'values'> {
  /** First byte of its requests (EIP-7685). */
  readonly type: number
}

/** First byte of deposits (EIP-6110). */
const DEPOSIT_TYPE = 0

/** The contract that queues requests to withdraw a validator's stake (EIP-7002). */
export const WITHDRAWAL_REQUESTS: RequestContract = {
  name: 'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS',
  address: asAddress('0x00000961ef480eb55e80d19ad83579a64c007002'),
  code: fromHex(
    '0x3373fffffffffffffffffffffffffffffffffffffffe1460cb5760115f54807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff146101f457600182026001905f5b5f82111560685781019083028483029004916001019190604d565b909390049250505036603814608857366101f457346101f4575f5260205ff35b34106101f457600154600101600155600354806003026004013381556001015f35815560010160203590553360601b5f5260385f601437604c5fa0600101600355005b6003546002548082038060101160df575060105b5f5b8181146101835782810160030260040181604c02815460601b8152601401816001015481526020019060020154807fffffffffffffffffffffffffffffffff00000000000000000000000000000000168252906010019060401c908160381c81600701538160301c81600601538160281c81600501538160201c81600401538160181c81600301538160101c81600201538160081c81600101535360010160e1565b910180921461019557906002556101a0565b90505f6002555f6003555b5f54807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff14156101cd57505f5b6001546002828201116101e25750505f6101e8565b01600290035b5f555f600155604c025ff35b5f5ffd',
  ),
  type: 1,
}

/** The contract for requests to merge the stakes of two validators (EIP-7251). */
export const CONSOLIDATION_REQUESTS: RequestContract = {
  name: 'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS',
  address: asAddress('0x0000bbddc7ce488642fb579f8b00f3a590007251'),
  code: fromHex(
    '0x3373fffffffffffffffffffffffffffffffffffffffe1460d35760115f54807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff1461019a57600182026001905f5b5f82111560685781019083028483029004916001019190604d565b9093900492505050366060146088573661019a573461019a575f5260205ff35b341061019a57600154600101600155600354806004026004013381556001015f358155600101602035815560010160403590553360601b5f5260605f60143760745fa0600101600355005b6003546002548082038060021160e7575060025b5f5b8181146101295782810160040260040181607402815460601b815260140181600101548152602001816002015481526020019060030154905260010160e9565b910180921461013b5790600255610146565b90505f6002555f6003555b5f54807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff141561017357505f5b6001546001828201116101885750505f61018e565b01600190035b5f555f6001556074025ff35b5f5ffd',
  ),
  type: 2,
}

export function requestContracts(network: HardforkChoice): readonly RequestContract[] {
  const active = activeEips(network).systemContracts
  return [WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS].filter(({ name }) => active.has(name))
}

/** Slots of both contracts: excess, count, head and tail of the queue. */
const SLOTS = [0n, 1n, 2n, 3n].map(toWord)

/**
 * Maximum number of blocks until system calls no longer change state or make requests; 0 if the next empty block makes
 * none. Infinite if the code of a contract is not the protocol's.
 */
export const requestBacklog = (network: HardforkChoice, state: State): number =>
  Math.max(0, ...requestContracts(network).map((contract) => blocksUntilIdle(state, contract)))

function blocksUntilIdle(state: State, { address, code }: RequestContract): number {
  const present = state.code(address)
  // A contract whose code was removed is not called.
  if (present.length === 0) return 0
  if (!equalBytes(present, code)) return Infinity
  if (!state.hasStorage(address)) return 0
  // Each block removes at least one request from the queue, and one from the excess, to which it adds the count.
  return SLOTS.reduce((sum, slot) => sum + Number(bytesToBigInt(state.storage(address, slot))), 0)
}

/** A block after its last transaction has run. */
interface EndedBlock {
  readonly state: State
  readonly running: RunningBlock
  /** Logs of all transactions, in order. */
  readonly logs: Iterable<Log>
}

/**
 * Collects the requests of a block, one list for each type with requests: the type byte, then the encoded requests.
 * A contract whose code fails makes no requests: on a real chain the block would be invalid; here the chain continues.
 */
export function* collectRequests(
  engine: Engine,
  network: HardforkChoice,
  { state, running, logs }: EndedBlock,
): Routine<readonly Uint8Array[]> {
  const { depositContract } = engine.rules.transaction
  const deposits: Uint8Array[] = []
  if (depositContract !== undefined) {
    for (const log of logs) if (isDeposit(log, depositContract)) deposits.push(depositRequest(log))
  }
  const lists = deposits.length === 0 ? [] : [{ type: DEPOSIT_TYPE, data: Buffer.concat(deposits) }]
  for (const contract of requestContracts(network)) {
    // The slots that an idle contract reads are in the access list.
    if (running.accesses === undefined && blocksUntilIdle(state, contract) === 0) continue
    const { status, returnData } = yield* engine.callAsSystem(state, running, contract.address)
    if (status === 'success') lists.push({ type: contract.type, data: Buffer.from(returnData) })
  }
  return lists.filter(({ data }) => data.length > 0).map(({ type, data }) => new Uint8Array([type, ...data]))
}

/** The `requestsHash` of the header: SHA-256 of the SHA-256 of each list (EIP-7685). */
export const requestsHash = (requests: readonly Uint8Array[]): Hash =>
  toHash(sha256(Buffer.concat(requests.map(sha256))))
