/** Methods of the Bridge that return properties of federations (node-chain 10.4, 10.6). Terms: bridge.ts. */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall } from './bridge-call.ts'
import { federationAddress, keyTypeIndex, redeemScript, thresholdOf } from './federation.ts'
import type { Federation, FederationMember } from './federation.ts'
import { pendingHash, pendingMembers, proposedFederation } from './federation-state.ts'
import type { BridgeHandlers } from './method.ts'

/** Numeric result for a federation that does not exist. */
const NONE = -1n

type FoundFederation = Federation | undefined

const address = (found: FoundFederation): string => (found === undefined ? '' : federationAddress(found))
const size = (found: FoundFederation): bigint => BigInt(found?.members.length ?? NONE)
const threshold = (found: FoundFederation): bigint =>
  found === undefined ? NONE : BigInt(thresholdOf(found.members))
const time = (found: FoundFederation): bigint => found?.creationTime ?? NONE
const block = (found: FoundFederation): bigint => found?.creationBlockNumber ?? NONE

/** No federation retires. */
const retiring = undefined

/** Reads a property of the proposed federation. */
const ofProposed =
  <Value>(read: (found: FoundFederation) => Value) =>
  ({ storage }: BridgeCall): Value =>
    read(proposedFederation(storage))

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

/** Block in which the active federation became active. */
const ACTIVATION_BLOCK = 0n

export const federationMethods = {
  getFederationAddress: ({ federation }) => address(federation),
  getFederationCreationBlockNumber: ({ federation }) => block(federation),
  getFederationCreationTime: ({ federation }) => time(federation),
  getFederationSize: ({ federation }) => size(federation),
  getFederationThreshold: ({ federation }) => threshold(federation),
  getRetiringFederationAddress: () => address(retiring),
  getRetiringFederationCreationBlockNumber: () => block(retiring),
  getRetiringFederationCreationTime: () => time(retiring),
  getRetiringFederationSize: () => size(retiring),
  getRetiringFederationThreshold: () => threshold(retiring),
  getProposedFederationAddress: ofProposed(address),
  getProposedFederationSize: ofProposed(size),
  getProposedFederationCreationTime: ofProposed(time),
  getProposedFederationCreationBlockNumber: ofProposed(block),

  getFederatorPublicKeyOfType: ({ federation }, args) => keyOf(federation.members, args),
  getRetiringFederatorPublicKeyOfType: (_, args) => keyOf(undefined, args),
  getProposedFederatorPublicKeyOfType: ({ storage }, args) =>
    keyOf(proposedFederation(storage)?.members, args),
  getPendingFederatorPublicKeyOfType: ({ storage }, args) => keyOf(pendingMembers(storage), args),

  getPendingFederationHash: ({ storage }) => {
    const members = pendingMembers(storage)
    return members === undefined ? EMPTY_BYTES : pendingHash(members)
  },
  getPendingFederationSize: ({ storage }) => BigInt(pendingMembers(storage)?.length ?? NONE),
  getActivePegRedeemScript: ({ federation }) => redeemScript(federation),
  getActiveFederationCreationBlockHeight: () => ACTIVATION_BLOCK,
} satisfies Partial<BridgeHandlers>
