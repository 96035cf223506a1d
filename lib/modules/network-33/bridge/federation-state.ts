/** Stores the federations by stage: pending, proposed, and the last two that were committed (node-next 4.8). Terms: bridge.ts. */

import { EMPTY_BYTES, bigIntToBytes, bytesToBigInt, type Address } from '../../../base/hex.ts'
import { encodeRlp, type RlpItem } from '../../../base/rlp.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { bytesOf, listOf, type BridgeStorage } from './bridge-storage.ts'
import { COINS, FORMER_COINS } from './coins.ts'
import { ACTIVATION_BLOCKS } from './constants.ts'
import { accountOf, sortedMembers, type Federation, type FederationMember } from './federation.ts'

/** A federation with the list of its coins. */
export interface CoinHolder {
  readonly federation: Federation
  readonly coins: typeof COINS
}

/** The federations at a block. */
export interface Federations {
  readonly active: CoinHolder
  /** The former one, while its coins are moved to the active one. */
  readonly retiring: CoinHolder | undefined
  /** Whether a committed federation is not active yet. */
  readonly awaitsActivation: boolean
}

/** The federations at a block. `genesis` is active until another one was committed. */
export function federationsAt(storage: BridgeStorage, block: bigint, genesis: Federation): Federations {
  const last = storedFederation(storage, 'last')
  const former = storedFederation(storage, 'former')
  const lastHolder = { federation: last ?? genesis, coins: COINS }
  if (former === undefined) return { active: lastHolder, retiring: undefined, awaitsActivation: false }
  const formerHolder = { federation: former, coins: FORMER_COINS }
  return block < activationBlock(lastHolder.federation)
    ? { active: formerHolder, retiring: undefined, awaitsActivation: true }
    : { active: lastHolder, retiring: formerHolder, awaitsActivation: false }
}

/** The federations that accept deposits, and whose members call the Bridge (node-next 4.1). */
export const servingOf = ({ active, retiring }: Federations): readonly CoinHolder[] =>
  retiring === undefined ? [active] : [active, retiring]

/** Whether an account is that of one of the members. */
export const isMember = (account: Address, members: readonly FederationMember[]): boolean =>
  members.some((member) => accountOf(member) === account)

/** Block from which on a federation is active if it proves by then that it can sign. */
export const activationBlock = ({ creationBlockNumber }: Federation): bigint =>
  creationBlockNumber + ACTIVATION_BLOCKS

/** Makes a federation the next one. The active one keeps its coins. */
export function commit(storage: BridgeStorage, [active, next]: readonly [Federation, Federation]): void {
  FORMER_COINS.write(storage, COINS.read(storage))
  COINS.write(storage, [])
  putFederation(storage, 'former', active)
  putFederation(storage, 'last', next)
}

/** Removes the retiring federation. */
export const retire = (storage: BridgeStorage): void => putFederation(storage, 'former', undefined)

type StoredStage = 'proposed' | 'last' | 'former'

const nameOfStage = (stage: StoredStage): string => `federation/${stage}`

function storedFederation(storage: BridgeStorage, stage: StoredStage): Federation | undefined {
  const record = storage.record(nameOfStage(stage))
  if (record === undefined) return undefined
  const [members, time, block, isPlain] = listOf(record)
  return {
    members: membersOf(members),
    kind: bytesOf(isPlain).length === 0 ? 'witness' : 'plain',
    creationTime: bytesToBigInt(bytesOf(time)),
    creationBlockNumber: bytesToBigInt(bytesOf(block)),
  }
}

function putFederation(storage: BridgeStorage, stage: StoredStage, federation: Federation | undefined): void {
  storage.putRecord(
    nameOfStage(stage),
    federation && [
      federation.members,
      bigIntToBytes(federation.creationTime),
      bigIntToBytes(federation.creationBlockNumber),
      federation.kind === 'plain' ? Uint8Array.of(1) : EMPTY_BYTES,
    ],
  )
}

/** The federation that was voted for, until it is committed or expires. */
export const proposedFederation = (storage: BridgeStorage): Federation | undefined =>
  storedFederation(storage, 'proposed')

/** Sets the proposed federation, or removes it. */
export const putProposed = (storage: BridgeStorage, federation: Federation | undefined): void =>
  putFederation(storage, 'proposed', federation)

/** Members of the pending federation, sorted by their keys of the auxiliary chain. */
export function pendingMembers(storage: BridgeStorage): readonly FederationMember[] | undefined {
  const record = storage.record('federation/pending')
  return record === undefined ? undefined : membersOf(record)
}

/** Sets the members of the pending federation, or removes it. */
export function putPendingMembers(
  storage: BridgeStorage,
  members: readonly FederationMember[] | undefined,
): void {
  storage.putRecord('federation/pending', members === undefined ? undefined : sortedMembers(members))
}

/** Hash of the pending federation, which a vote to commit it must contain. It covers the keys of the auxiliary chain only. */
export const pendingHash = (members: readonly FederationMember[]): Uint8Array =>
  keccak256(encodeRlp(members.map(([auxKey = EMPTY_BYTES]) => auxKey)))

const membersOf = (item: RlpItem | undefined): readonly FederationMember[] =>
  listOf(item).map((member) => listOf(member).map(bytesOf))
