/** Methods of the Bridge that return properties of federations (node-chain 10.4, 10.6). Terms: bridge.ts. */

import type { Hex } from '../../../base/hex.ts'
import { EMPTY_BYTES } from '../../../base/hex.ts'
import { bytes, int256, string, uint256 } from '../../../abi/types.ts'
import type { AbiType } from '../../../abi/types.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import {
  GENESIS_FEDERATION,
  federationAddress,
  keyTypeIndex,
  redeemScript,
  thresholdOf,
} from './federation.ts'
import type { Federation, FederationMember } from './federation.ts'
import { federationOf, pendingHash, pendingMembers } from './federation-state.ts'
import type { FederationStage } from './federation-state.ts'
import { bridgeMethod } from './method.ts'
import type { BridgeMethod } from './method.ts'

/** Numeric result for a federation that does not exist. */
const NONE = -1n

/** Declares a method without arguments that returns a property of a federation. */
function propertyMethod<Value>(
  [selector, name, gas]: readonly [Hex, string, number],
  stage: FederationStage,
  output: AbiType<Value>,
  read: (federation: Federation | undefined) => Value,
): BridgeMethod {
  return bridgeMethod({
    selector,
    name,
    gas,
    output,
    inputs: [],
    use: 'ethCallOnly',
    mutability: 'view',
    run: ({ storage }) => read(federationOf(storage, stage)),
  })
}

const address = (federation: Federation | undefined): string =>
  federation === undefined ? '' : federationAddress(federation.members)
const size = (federation: Federation | undefined): bigint =>
  federation === undefined ? NONE : BigInt(federation.members.length)
const threshold = (federation: Federation | undefined): bigint =>
  federation === undefined ? NONE : BigInt(thresholdOf(federation.members))
const time = (federation: Federation | undefined): bigint => federation?.creationTime ?? NONE
const block = (federation: Federation | undefined): bigint => federation?.creationBlockNumber ?? NONE

const properties = [
  propertyMethod(['0x6923fa85', 'getFederationAddress', 11_000], 'active', string, address),
  propertyMethod(['0x1b2045ee', 'getFederationCreationBlockNumber', 10_000], 'active', int256, block),
  propertyMethod(['0x5e2db9d4', 'getFederationCreationTime', 10_000], 'active', int256, time),
  propertyMethod(['0x802ad4b6', 'getFederationSize', 10_000], 'active', int256, size),
  propertyMethod(['0x0fd47456', 'getFederationThreshold', 11_000], 'active', int256, threshold),
  propertyMethod(['0x47227286', 'getRetiringFederationAddress', 3_000], 'retiring', string, address),
  propertyMethod(
    ['0xd905153f', 'getRetiringFederationCreationBlockNumber', 3_000],
    'retiring',
    int256,
    block,
  ),
  propertyMethod(['0x3f0ce9b1', 'getRetiringFederationCreationTime', 3_000], 'retiring', int256, time),
  propertyMethod(['0xd970b0fd', 'getRetiringFederationSize', 3_000], 'retiring', int256, size),
  propertyMethod(['0x07bbdfc4', 'getRetiringFederationThreshold', 3_000], 'retiring', int256, threshold),
  propertyMethod(['0x956d9713', 'getProposedFederationAddress', 3_000], 'proposed', string, address),
  propertyMethod(['0x06ebeb8c', 'getProposedFederationSize', 3_000], 'proposed', int256, size),
  propertyMethod(['0xfa2df78c', 'getProposedFederationCreationTime', 3_000], 'proposed', int256, time),
  propertyMethod(
    ['0x2b169b23', 'getProposedFederationCreationBlockNumber', 3_000],
    'proposed',
    int256,
    block,
  ),
]

/** Declares a method that returns a member's key. */
function keyMethod(
  [selector, name, gas]: readonly [Hex, string, number],
  read: (storage: BridgeStorage) => readonly FederationMember[] | undefined,
): BridgeMethod {
  return bridgeMethod({
    selector,
    name,
    gas,
    inputs: [int256, string],
    output: bytes,
    use: 'ethCallOnly',
    mutability: 'view',
    run: ({ storage }, [index, type]) => keyOf(read(storage), index, type),
  })
}

function keyOf(members: readonly FederationMember[] | undefined, index: bigint, type: string): Uint8Array {
  const typeIndex = keyTypeIndex(type)
  if (typeIndex < 0) throw new PrecompileFailure(`there is no type of key ${JSON.stringify(type)}`)
  if (members === undefined) return EMPTY_BYTES
  const key = members.find((_, position) => BigInt(position) === index)?.[typeIndex]
  if (key === undefined) throw new PrecompileFailure(`there is no federator ${index} of ${members.length}`)
  return key
}

const membersOf = (stage: FederationStage) => (storage: BridgeStorage) =>
  federationOf(storage, stage)?.members

const keys = [
  keyMethod(['0x549cfd1c', 'getFederatorPublicKeyOfType', 10_000], membersOf('active')),
  keyMethod(['0x68bc2b2b', 'getRetiringFederatorPublicKeyOfType', 3_000], membersOf('retiring')),
  keyMethod(['0xe3228fab', 'getProposedFederatorPublicKeyOfType', 3_000], membersOf('proposed')),
  keyMethod(['0xc61295d9', 'getPendingFederatorPublicKeyOfType', 3_000], pendingMembers),
]

const getPendingHash = bridgeMethod({
  selector: '0x6ce0ed5a',
  name: 'getPendingFederationHash',
  inputs: [],
  output: bytes,
  gas: 3_000,
  use: 'ethCallOnly',
  mutability: 'view',
  run: ({ storage }) => {
    const members = pendingMembers(storage)
    return members === undefined ? EMPTY_BYTES : pendingHash(members)
  },
})

const getPendingSize = bridgeMethod({
  selector: '0x3ac72b38',
  name: 'getPendingFederationSize',
  inputs: [],
  output: int256,
  gas: 3_000,
  use: 'ethCallOnly',
  mutability: 'view',
  run: ({ storage }) => BigInt(pendingMembers(storage)?.length ?? NONE),
})

const getRedeemScript = bridgeMethod({
  selector: '0x1d73d5dd',
  name: 'getActivePegRedeemScript',
  inputs: [],
  output: bytes,
  gas: 30_000,
  mutability: 'view',
  run: () => redeemScript(GENESIS_FEDERATION.members),
})

/** Block in which the active federation became active. */
const ACTIVATION_BLOCK = 0n

const getActivationHeight = bridgeMethod({
  selector: '0x177d6e18',
  name: 'getActiveFederationCreationBlockHeight',
  inputs: [],
  output: uint256,
  gas: 3_000,
  mutability: 'view',
  run: () => ACTIVATION_BLOCK,
})

export const federationMethods = [
  ...properties,
  ...keys,
  getPendingHash,
  getPendingSize,
  getRedeemScript,
  getActivationHeight,
]
