/** Stores the pending and the proposed federation. The active one is always that of the genesis. Terms: bridge.ts. */

import { bigIntToBytes, bytesToBigInt } from '../../../base/hex.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import type { RlpItem } from '../../../base/rlp.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { BridgeCall } from './bridge-call.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { VALIDATION_BLOCKS } from './constants.ts'
import { redeemScript, sortedMembers } from './federation.ts'
import type { Federation, FederationMember } from './federation.ts'

/** The federation that was committed last, until it expires. */
export function proposedFederation(storage: BridgeStorage): Federation | undefined {
  const record = storage.record('federation/proposed')
  if (record === undefined) return undefined
  const [members, time, block] = listOf(record)
  return {
    members: membersOf(members),
    kind: 'witness',
    creationTime: bytesToBigInt(bytesOf(time)),
    creationBlockNumber: bytesToBigInt(bytesOf(block)),
  }
}

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

/** Hash of the pending federation, which a vote to commit it must contain. */
export const pendingHash = (members: readonly FederationMember[]): Uint8Array => keccak256(encodeRlp(members))

/** Makes the pending federation the proposed one. */
export function propose({ storage, call }: BridgeCall, members: readonly FederationMember[]): void {
  const { timestamp, number } = call.block
  storage.putRecord('federation/proposed', [members, bigIntToBytes(timestamp), bigIntToBytes(number)])
  putPendingMembers(storage, undefined)
}

/** Removes a proposed federation that has not proved within `VALIDATION_BLOCKS` that it can sign. */
export function expireProposed(bridge: BridgeCall): void {
  const { storage, blockNumber } = bridge
  const proposed = proposedFederation(storage)
  if (proposed === undefined || blockNumber <= proposed.creationBlockNumber + VALIDATION_BLOCKS) return
  bridge.emit('commit_federation_failed', { redeemScript: redeemScript(proposed), blockNumber })
  storage.putRecord('federation/proposed', undefined)
}

function membersOf(item: RlpItem | undefined): readonly FederationMember[] {
  return listOf(item).map((member) => listOf(member).map(bytesOf))
}
