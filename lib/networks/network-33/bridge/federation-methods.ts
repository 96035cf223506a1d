/** Methods of the Bridge that return properties of federations, or vote on one (node-chain 10.4, 10.6). Terms: bridge.ts. */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { FEDERATION_CREATION_TIME, FEDERATION_KEYS } from './constants.ts'
import { FEDERATION_ADDRESS, KEY_TYPES, REDEEM_SCRIPT, THRESHOLD } from './federation.ts'
import type { BridgeHandlers } from './method.ts'

// Only the signers of the federation could replace it, and the node has no signers. So it stays the active one, and no other is
// pending, proposed or retiring.

/** Numeric result for a federation that does not exist. */
const none = (): bigint => -1n
const noAddress = (): string => ''
const noKey: BridgeHandlers['getRetiringFederatorPublicKeyOfType'] = (_, [, type]) => {
  checkKeyType(type)
  return EMPTY_BYTES
}

/** The result of a vote that is not counted. */
const refuseVote = (): bigint => -10n

function checkKeyType(type: string): void {
  if (KEY_TYPES.includes(type)) return
  throw new PrecompileFailure(`there is no type of key ${JSON.stringify(type)}`)
}

export const federationMethods = {
  getFederationAddress: () => FEDERATION_ADDRESS,
  getFederationCreationBlockNumber: () => 1n,
  getFederationCreationTime: () => FEDERATION_CREATION_TIME,
  getFederationSize: () => BigInt(FEDERATION_KEYS.length),
  getFederationThreshold: () => BigInt(THRESHOLD),
  getRetiringFederationAddress: noAddress,
  getRetiringFederationCreationBlockNumber: none,
  getRetiringFederationCreationTime: none,
  getRetiringFederationSize: none,
  getRetiringFederationThreshold: none,
  getProposedFederationAddress: noAddress,
  getProposedFederationSize: none,
  getProposedFederationCreationTime: none,
  getProposedFederationCreationBlockNumber: none,

  getFederatorPublicKeyOfType: (_, [index, type]) => {
    checkKeyType(type)
    const key = FEDERATION_KEYS.find((_key, position) => BigInt(position) === index)
    if (key !== undefined) return key
    throw new PrecompileFailure(`there is no federator ${index} of ${FEDERATION_KEYS.length}`)
  },
  getRetiringFederatorPublicKeyOfType: noKey,
  getProposedFederatorPublicKeyOfType: noKey,
  getPendingFederatorPublicKeyOfType: noKey,

  getPendingFederationHash: () => EMPTY_BYTES,
  getPendingFederationSize: none,
  getActivePegRedeemScript: () => REDEEM_SCRIPT,
  // The block in which the federation became active.
  getActiveFederationCreationBlockHeight: () => 0n,

  createFederation: refuseVote,
  addFederatorPublicKeyMultikey: refuseVote,
  commitFederation: refuseVote,
  rollbackFederation: refuseVote,
} satisfies Partial<BridgeHandlers>
