/** Methods of the Bridge that return properties of federations (node-chain 10.4, 10.6). Terms: bridge.ts. */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { FEDERATION_CREATION_TIME } from './constants.ts'
import { federationAddress, keyTypeIndex, redeemScript, thresholdOf } from './federation.ts'
import type { Federation, FederationMember } from './federation.ts'
import { pendingHash, pendingMembers, proposedFederation } from './federation-state.ts'

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
  // Zero for the first federation, which was not voted for.
  getActiveFederationCreationBlockHeight: ({ federation }) =>
    federation.creationTime === FEDERATION_CREATION_TIME ? 0n : block(federation),
} satisfies Partial<BridgeHandlers>
