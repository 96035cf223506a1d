/** Which federations there are: the active one is that of the genesis, and others are on their way to take its place. */

import { bigIntToBytes, bytesToBigInt } from '../../../../base/hex.ts'
import { encodeRlp } from '../../../../base/rlp.ts'
import type { RlpItem } from '../../../../base/rlp.ts'
import { keccak256 } from '../../../../crypto/keccak.ts'
import type { BridgeCall } from './bridge-call.ts'
import { bytesOf, listOf } from './cells.ts'
import type { Cells } from './cells.ts'
import { VALIDATION_BLOCKS } from './constants.ts'
import { BRIDGE_EVENTS } from './events.ts'
import { GENESIS_FEDERATION, redeemScript, sortedMembers } from './federation.ts'
import type { Federation, FederationMember } from './federation.ts'

/** Stages of a federation. None ever retires, for none can take the place of the first without its signers. */
export type FederationKind = 'active' | 'retiring' | 'proposed'

/** The federation of a kind, if there is one. */
export function federationOf(cells: Cells, kind: FederationKind): Federation | undefined {
  switch (kind) {
    case 'active':
      return GENESIS_FEDERATION
    case 'retiring':
      return undefined
    case 'proposed':
      return proposedFederation(cells)
  }
}

function proposedFederation(cells: Cells): Federation | undefined {
  const record = cells.record('federation/proposed')
  if (record === undefined) return undefined
  const [members, time, block] = listOf(record)
  return {
    members: membersOf(members),
    creationTime: bytesToBigInt(bytesOf(time)),
    creationBlockNumber: bytesToBigInt(bytesOf(block)),
  }
}

/** Members of the federation that is being put together, in the order of their first keys. */
export function pendingMembers(cells: Cells): readonly FederationMember[] | undefined {
  const record = cells.record('federation/pending')
  return record === undefined ? undefined : membersOf(record)
}

/** Sets the members of the pending federation, or removes it. */
export function putPendingMembers(cells: Cells, members: readonly FederationMember[] | undefined): void {
  cells.putRecord('federation/pending', members === undefined ? undefined : sortedMembers(members))
}

/** What a vote to commit the pending federation has to name. */
export const pendingHash = (members: readonly FederationMember[]): Uint8Array => keccak256(encodeRlp(members))

/** Makes the pending federation the proposed one. */
export function propose({ cells, native }: BridgeCall, members: readonly FederationMember[]): void {
  const { timestamp, number } = native.block
  cells.putRecord('federation/proposed', [members, bigIntToBytes(timestamp), bigIntToBytes(number)])
  putPendingMembers(cells, undefined)
}

/** Gives up a proposed federation that has not proved in time that it can sign. */
export function expireProposed(bridge: BridgeCall): void {
  const { cells, blockNumber } = bridge
  const proposed = proposedFederation(cells)
  if (proposed === undefined || blockNumber <= proposed.creationBlockNumber + VALIDATION_BLOCKS) return
  bridge.emit(BRIDGE_EVENTS.commitFederationFailed, [], [redeemScript(proposed.members), blockNumber])
  cells.putRecord('federation/proposed', undefined)
}

function membersOf(item: RlpItem | undefined): readonly FederationMember[] {
  return listOf(item).map((member) => listOf(member).map(bytesOf))
}
