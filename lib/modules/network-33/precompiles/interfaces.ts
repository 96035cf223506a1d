/**
 * The precompiles of network 33 as clients call them: addresses, the ABI in JSON, selectors and topics.
 *
 * The names of the Bridge's functions and events are neutral. If the deployed contract has another selector or topic than
 * the hash of the neutral signature, the item is not in `abi`, because a client would compute a wrong one. Such items are
 * called by `selectors` and `topics`.
 */

import { toHex, type Address, type Hash, type Hex } from '../../../base/hex.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { signatureOf } from '../../../abi/codec.ts'
import { blockHeader, blockHeaderMethods, environment, environmentMethods } from './block-header.ts'
import { isNeutral, type NetworkNames } from '../../../config/names.ts'
import { bridge, BRIDGE_METHODS, bridgeMethods } from '../bridge/bridge.ts'
import { BRIDGE_EVENTS, type BridgeEvent } from '../bridge/events.ts'
import { nothing } from '../bridge/method-table.ts'
import { feeContract, feeMethods } from './fee-contract.ts'
import type { PrecompileMethod } from './methods.ts'
import { hdWalletUtils, hdWalletUtilsMethods } from './hd-wallet-utils.ts'
import type { Precompile } from '../../../evm/precompile.ts'
import { network33Precompiles } from './precompiles.ts'

export type AbiItem = AbiFunction | AbiEvent

/** A function in the JSON form of the contract ABI. */
export interface AbiFunction {
  readonly type: 'function'
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  readonly outputs: readonly AbiParameter[]
  readonly stateMutability: 'view' | 'nonpayable' | 'payable'
}

/** An event in the JSON form of the contract ABI. */
export interface AbiEvent {
  readonly type: 'event'
  readonly name: string
  readonly inputs: readonly (AbiParameter & { readonly indexed: boolean })[]
  readonly anonymous: false
}

/** A parameter; the name may be empty. */
export interface AbiParameter {
  readonly name: string
  readonly type: string
}

export type SelectedItem = AbiItem & { readonly selector: Hex }

/** Data that a client needs to call a precompile. */
export interface ContractInterface {
  readonly address: Address
  readonly abi: readonly AbiItem[]
  /** Items with another selector or topic than the hash of their neutral signature, which are not in `abi`. */
  readonly bySelector: readonly SelectedItem[]
  /** Selector of every function, by its signature. */
  readonly selectors: Readonly<Record<string, Hex>>
  /** The first topic of every event, by its signature. */
  readonly topics: Readonly<Record<string, Hash>>
}

type Declared = Omit<PrecompileMethod, 'bind'>

export const precompileAddresses: Readonly<Record<string, Address>> = Object.fromEntries(
  Array.from(network33Precompiles.values(), ({ name, address }) => [name, address]),
)

export const precompileInterfaces = {
  bridge: interfaceOf(bridge, BRIDGE_METHODS, BRIDGE_EVENTS),
  feeContract: interfaceOf(feeContract, feeMethods),
  hdWalletUtils: interfaceOf(hdWalletUtils, hdWalletUtilsMethods),
  blockHeader: interfaceOf(blockHeader, blockHeaderMethods),
  environment: interfaceOf(environment, environmentMethods),
}

const NO_FUNCTIONS = { abi: [], bySelector: [] }

/** The functions and events of a precompile, with the names of a network; empty for one that is not called by selectors. */
export function interfaceAt(
  address: Address,
  names: NetworkNames,
): Pick<ContractInterface, 'abi' | 'bySelector'> {
  if (address === bridge.address && !isNeutral(names))
    return interfaceOf(bridge, bridgeMethods(names), BRIDGE_EVENTS)
  return Object.values(precompileInterfaces).find((one) => one.address === address) ?? NO_FUNCTIONS
}

function interfaceOf(
  { address }: Precompile,
  functions: readonly Declared[],
  events: Readonly<Record<string, BridgeEvent>> = {},
): ContractInterface {
  const called = functions.map((method) => ({ ...method, item: abiFunction(method) }))
  const emitted = Object.entries(events).map(([name, { topic, indexed, data }]) => ({
    signature: signatureOf(name, [...Object.values(indexed), ...Object.values(data)]),
    selector: topic,
    item: abiEvent(name, { indexed, data }),
  }))
  const all = [...called, ...emitted].map((each) => ({
    ...each,
    isComputed: toHex(keccak256(Buffer.from(each.signature))).startsWith(each.selector),
  }))
  return {
    address,
    abi: all.filter(({ isComputed }) => isComputed).map(({ item }) => item),
    bySelector: all
      .filter(({ isComputed }) => !isComputed)
      .map(({ item, selector }) => ({ ...item, selector })),
    selectors: Object.fromEntries(called.map(({ signature, selector }) => [signature, selector])),
    topics: Object.fromEntries(emitted.map(({ signature, selector }) => [signature, selector])),
  }
}

function abiFunction({ name, inputs, output, mutability }: Declared): AbiFunction {
  return {
    type: 'function',
    name,
    inputs: inputs.map((type) => ({ name: '', type: type.name })),
    outputs: output === nothing ? [] : [{ name: '', type: output.name }],
    stateMutability: mutability,
  }
}

function abiEvent(name: string, { indexed, data }: Omit<BridgeEvent, 'topic'>): AbiEvent {
  const inputsOf = (parameters: BridgeEvent['data'], isIndexed: boolean) =>
    Object.entries(parameters).map(([parameter, type]) => ({
      name: parameter,
      type: type.name,
      indexed: isIndexed,
    }))
  const inputs = [...inputsOf(indexed, true), ...inputsOf(data, false)]
  return { type: 'event', name, inputs, anonymous: false }
}
