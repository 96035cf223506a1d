/** Context of a Bridge method: caller, storage, payments, events. Also types of its functions, and values of a remote Bridge. */

import { encodeAbi, decodeAbi, type AbiValues } from '../../../abi/codec.ts'
import { toHash, ZERO_ADDRESS, bigIntToBytes, fromHex, type Address, type Hash } from '../../../base/hex.ts'
import { PrecompileFailure, type PrecompileCall } from '../../../evm/precompile.ts'
import type { State } from '../../../state/state.ts'
import { BridgeStorage } from './bridge-storage.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import { BRIDGE_EVENTS, type BridgeEvent, type BridgeEventName, type EventValues } from './events.ts'
import {
  federationsAt,
  servingOf,
  type Federations,
  type Federation,
  type FederationMember,
} from './federation.ts'
import { METHOD_TABLE, type BridgeMethodName, type InputsOf, type OutputOf } from './method-table.ts'

/** Functions of the methods by name. They throw PrecompileFailure. */
export type BridgeHandlers = {
  readonly [Name in BridgeMethodName]: (bridge: BridgeCall, args: AbiValues<InputsOf<Name>>) => OutputOf<Name>
}

export class BridgeCall {
  readonly storage: BridgeStorage
  readonly call: PrecompileCall
  readonly #genesisFederation: Federation

  constructor(call: PrecompileCall, genesisFederation: Federation) {
    this.call = call
    this.#genesisFederation = genesisFederation
    this.storage = bridgeStorageOf(call.state)
  }

  get federations(): Federations {
    return federationsAt(this.storage, this.blockNumber, this.#genesisFederation)
  }

  get federation(): Federation {
    return this.federations.active.federation
  }

  /** Members of the active and the retiring federation. */
  get members(): readonly FederationMember[] {
    return servingOf(this.federations).flatMap(({ federation }) => federation.members)
  }

  /** The account or contract that calls the Bridge. */
  get caller(): Address {
    return this.call.caller
  }

  get blockNumber(): bigint {
    return this.call.block.number
  }

  /** Whether a contract calls the Bridge, not the transaction itself. */
  get isFromContract(): boolean {
    return this.call.depth > 0
  }

  /** Hash of the transaction; zeros in a simulated call. */
  get transactionHash(): Hash {
    return this.call.transactionHash ?? toHash(new Uint8Array(32))
  }

  /** Transfers wei from the Bridge. @throws PrecompileFailure if its balance is too low */
  pay(receiver: Address, wei: bigint): void {
    const { state } = this.call
    const balance = state.account(BRIDGE_ADDRESS)?.balance ?? 0n
    if (balance < wei) throw new PrecompileFailure(`the Bridge has ${balance} wei, not ${wei}`)
    state.addBalance(BRIDGE_ADDRESS, -wei)
    state.addBalance(receiver, wei)
  }

  emit<Name extends BridgeEventName>(name: Name, values: EventValues<Name>): void {
    const { topic, indexed, data }: BridgeEvent = BRIDGE_EVENTS[name]
    const byName = new Map<string, unknown>(Object.entries(values))
    // Indexed parameters have types of one word, so each encoding is a topic.
    const words = Object.entries(indexed).map(([parameter, type]) =>
      toHash(type.encode(byName.get(parameter))),
    )
    const others = Object.keys(data).map((parameter) => byName.get(parameter))
    const encoded = encodeAbi(Object.values(data), others)
    this.call.log({ address: BRIDGE_ADDRESS, topics: [topic, ...words], data: encoded })
  }
}

/** The result of a method without inputs on the remote; absent if the call fails there. @throws NotLoadedError */
type AskRemote = <Name extends BridgeMethodName>(method: Name) => OutputOf<Name> | undefined

const numberBytes = (value: bigint | undefined): Uint8Array | undefined =>
  value === undefined ? undefined : bigIntToBytes(value)

const someBytes = (value: Uint8Array | undefined): Uint8Array | undefined =>
  value?.length === 0 ? undefined : value

/**
 * A named value on the remote, in this node's stored form. The remote has another slot layout, so it is read by the methods of its
 * Bridge. What no single method returns begins empty on the fork. @throws NotLoadedError
 */
function remoteValue(name: string, ask: AskRemote): Uint8Array | undefined {
  switch (name) {
    case 'feePerKb':
      return numberBytes(ask('getFeePerKb'))
    case 'lockingCap':
      return numberBytes(ask('getLockingCap'))
    case 'union/cap':
      return numberBytes(ask('getUnionBridgeLockingCap'))
    case 'union/address': {
      const contract = ask('getUnionBridgeContractAddress') ?? ZERO_ADDRESS
      return contract === ZERO_ADDRESS ? undefined : fromHex(contract)
    }
    case 'event/base':
      return someBytes(ask('getBaseEvent'))
    case 'event/super':
      return someBytes(ask('getSuperEvent'))
    default:
      return undefined
  }
}

type BridgeState = Pick<State, 'storage' | 'putStorage' | 'source'>

/** Asks the remote's Bridge; absent unless the state belongs to a fork whose remote uses other slots. */
export function remoteBridge({ source }: Pick<State, 'source'>): AskRemote | undefined {
  const call = source?.callPrecompile
  if (call === undefined) return undefined
  return (method) => {
    const { selector, output } = METHOD_TABLE[method]
    const result = call(BRIDGE_ADDRESS, fromHex(selector))
    return result === undefined || result.length === 0 ? undefined : decodeAbi([output], result)[0]
  }
}

/** Reads and sets values of the Bridge. On a fork, unset values come from the remote. */
export function bridgeStorageOf(state: BridgeState): BridgeStorage {
  const ask = remoteBridge(state)
  return new BridgeStorage(state, ask && ((name) => remoteValue(name, ask)))
}
