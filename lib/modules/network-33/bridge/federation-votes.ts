/** Methods of the Bridge with which authorizers vote for a new federation (node-chain 10.4, 10.8). Terms: bridge.ts. */

import { equalBytes } from '../../../base/hex.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { AUTHORIZERS } from './constants.ts'
import { electionOf } from './election.ts'
import { federationAddress, type Federation, type FederationMember } from './federation.ts'
import {
  activationBlock,
  pendingHash,
  pendingMembers,
  proposedFederation,
  putPendingMembers,
  putProposed,
} from './federation-state.ts'

/** Return values of a vote. */
const CODE = {
  done: 1n,
  pendingExists: -1n,
  nonePending: -1n,
  awaitsActivation: -2n,
  memberPresent: -2n,
  tooFewMembers: -2n,
  retiringExists: -3n,
  otherHash: -3n,
  proposedExists: -4n,
  generic: -10n,
}

/** Minimum number of members. */
const MIN_MEMBERS = 2

interface FederationChange {
  readonly proposal: readonly (string | Uint8Array)[]
  /** Code of the reason why the change is impossible; undefined if it is possible. */
  readonly fault: bigint | undefined
  readonly apply: () => void
  /** Whether the change removes all other votes. */
  readonly endsElection: boolean
}

export const federationVotes = {
  createFederation: (bridge) => {
    const { storage } = bridge
    return vote(bridge, {
      proposal: ['create'],
      fault: faultOfCreation(bridge),
      apply: () => putPendingMembers(storage, []),
      endsElection: true,
    })
  },

  addFederatorPublicKeyMultikey: (bridge, keys) => {
    const { storage } = bridge
    const members = pendingMembers(storage)
    const isKey = (key: Uint8Array) => key.length === 33 && curve.decodePoint(key) !== undefined
    if (!keys.every(isKey)) return CODE.generic
    return vote(bridge, {
      proposal: ['add', ...keys],
      fault: faultOfMember(members, keys),
      apply: () => putPendingMembers(storage, [...(members ?? []), keys]),
      endsElection: false,
    })
  },

  commitFederation: (bridge, [hash]) => {
    const members = pendingMembers(bridge.storage)
    return vote(bridge, {
      proposal: ['commit', hash],
      fault: faultOfCommit(members, hash),
      apply: () => propose(bridge, members ?? []),
      endsElection: true,
    })
  },

  rollbackFederation: (bridge) =>
    vote(bridge, {
      proposal: ['rollback'],
      fault: pendingMembers(bridge.storage) === undefined ? CODE.nonePending : undefined,
      apply: () => putPendingMembers(bridge.storage, undefined),
      endsElection: true,
    }),
} satisfies Partial<BridgeHandlers>

/** Makes the pending federation the proposed one. The event is that of the vote, as the reference emits it. */
function propose(bridge: BridgeCall, members: readonly FederationMember[]): void {
  const { storage, call, federation } = bridge
  const { timestamp: creationTime, number: creationBlockNumber } = call.block
  const proposed: Federation = { members, kind: 'witness', creationTime, creationBlockNumber }
  putProposed(storage, proposed)
  putPendingMembers(storage, undefined)
  bridge.emit('commit_federation', {
    oldKeys: keysOf(federation),
    oldAddress: federationAddress(federation),
    newKeys: keysOf(proposed),
    newAddress: federationAddress(proposed),
    activationHeight: activationBlock(proposed),
  })
}

/** The keys of the members on the auxiliary chain, one after the other. */
const keysOf = ({ members }: Federation): Uint8Array =>
  new Uint8Array(Buffer.concat(members.flatMap((member) => member.slice(0, 1))))

function vote(
  { storage, caller }: BridgeCall,
  { proposal, fault, apply, endsElection }: FederationChange,
): bigint {
  const election = electionOf(storage, 'federation', AUTHORIZERS.federation)
  if (!election.mayVote(caller)) return CODE.generic
  if (fault !== undefined) return fault
  const words = proposal.map((word) => (typeof word === 'string' ? Buffer.from(word) : word))
  const cast = { proposal: encodeRlp(words), voter: caller }
  if (election.hasVoted(cast)) return CODE.generic
  if (!election.vote(cast)) return CODE.done
  apply()
  if (endsElection) election.clear()
  return CODE.done
}

/** One change at a time: the last one has ended when its former federation is retired. */
function faultOfCreation({ storage, federations }: BridgeCall): bigint | undefined {
  if (pendingMembers(storage) !== undefined) return CODE.pendingExists
  if (proposedFederation(storage) !== undefined) return CODE.proposedExists
  if (federations.awaitsActivation) return CODE.awaitsActivation
  return federations.retiring === undefined ? undefined : CODE.retiringExists
}

function faultOfMember(
  members: readonly FederationMember[] | undefined,
  keys: FederationMember,
): bigint | undefined {
  if (members === undefined) return CODE.nonePending
  const shares = (member: FederationMember) =>
    member.some((key, type) => equalBytes(key, keys[type] ?? new Uint8Array(0)))
  return members.some(shares) ? CODE.memberPresent : undefined
}

function faultOfCommit(
  members: readonly FederationMember[] | undefined,
  hash: Uint8Array,
): bigint | undefined {
  if (members === undefined) return CODE.nonePending
  if (members.length < MIN_MEMBERS) return CODE.tooFewMembers
  return equalBytes(pendingHash(members), hash) ? undefined : CODE.otherHash
}
