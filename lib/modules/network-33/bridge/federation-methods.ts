/** Bridge methods for properties of federations, and votes for a new one (node-chain 10.4, 10.6, 10.8). Terms: bridge.ts. */

import { EMPTY_BYTES, equalBytes } from '../../../base/hex.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { FEDERATION_CREATION_TIME, AUTHORIZERS } from './constants.ts'
import {
  pendingHash,
  pendingMembers,
  proposedFederation,
  activationBlock,
  putPendingMembers,
  putProposed,
  federationAddress,
  keyTypeIndex,
  redeemScript,
  thresholdOf,
  type Federation,
  type FederationMember,
} from './federation.ts'
import { electionOf } from './governance-methods.ts'

/** Numeric result for a federation that does not exist. */
const NONE = -1n

type FoundFederation = Federation | undefined

const address = (found: FoundFederation): string => (found === undefined ? '' : federationAddress(found))
const size = (found: FoundFederation): bigint => BigInt(found?.members.length ?? NONE)
const threshold = (found: FoundFederation): bigint =>
  found === undefined ? NONE : BigInt(thresholdOf(found.members))
const time = (found: FoundFederation): bigint => found?.creationTime ?? NONE
const block = (found: FoundFederation): bigint => found?.creationBlockNumber ?? NONE

const ofProposed =
  <Value>(read: (found: FoundFederation) => Value) =>
  ({ storage }: BridgeCall): Value =>
    read(proposedFederation(storage))

const ofRetiring =
  <Value>(read: (found: FoundFederation) => Value) =>
  ({ federations }: BridgeCall): Value =>
    read(federations.retiring?.federation)

/** A member's key of a type. @throws PrecompileFailure */
function keyOf(
  members: readonly FederationMember[] | undefined,
  [index, type]: readonly [bigint, string],
): Uint8Array {
  const typeIndex = keyTypeIndex(type)
  if (typeIndex < 0) throw new PrecompileFailure(`there is no type of key ${JSON.stringify(type)}`)
  if (members === undefined) return EMPTY_BYTES
  const key = members.find((_, position) => BigInt(position) === index)?.[typeIndex]
  if (key === undefined) throw new PrecompileFailure(`there is no federator ${index} of ${members.length}`)
  return key
}

export const federationMethods = {
  getFederationAddress: ({ federation }) => address(federation),
  getFederationCreationBlockNumber: ({ federation }) => block(federation),
  getFederationCreationTime: ({ federation }) => time(federation),
  getFederationSize: ({ federation }) => size(federation),
  getFederationThreshold: ({ federation }) => threshold(federation),
  getRetiringFederationAddress: ofRetiring(address),
  getRetiringFederationCreationBlockNumber: ofRetiring(block),
  getRetiringFederationCreationTime: ofRetiring(time),
  getRetiringFederationSize: ofRetiring(size),
  getRetiringFederationThreshold: ofRetiring(threshold),
  getProposedFederationAddress: ofProposed(address),
  getProposedFederationSize: ofProposed(size),
  getProposedFederationCreationTime: ofProposed(time),
  getProposedFederationCreationBlockNumber: ofProposed(block),

  getFederatorPublicKeyOfType: ({ federation }, args) => keyOf(federation.members, args),
  getRetiringFederatorPublicKeyOfType: ({ federations }, args) =>
    keyOf(federations.retiring?.federation.members, args),
  getProposedFederatorPublicKeyOfType: ({ storage }, args) =>
    keyOf(proposedFederation(storage)?.members, args),
  getPendingFederatorPublicKeyOfType: ({ storage }, args) => keyOf(pendingMembers(storage), args),

  getPendingFederationHash: ({ storage }) => {
    const members = pendingMembers(storage)
    return members === undefined ? EMPTY_BYTES : pendingHash(members)
  },
  getPendingFederationSize: ({ storage }) => BigInt(pendingMembers(storage)?.length ?? NONE),
  getActivePegRedeemScript: ({ federation }) => redeemScript(federation),
  // Zero for the first federation, which nobody voted for.
  getActiveFederationCreationBlockHeight: ({ federation }) =>
    federation.creationTime === FEDERATION_CREATION_TIME ? 0n : block(federation),
} satisfies Partial<BridgeHandlers>

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

/** Makes the pending federation the proposed one. As in the reference, it emits the vote's event. */
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

/** The members' keys on the auxiliary chain, concatenated. */
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

/** Only one change at a time. A change ends when its former federation is retired. */
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
