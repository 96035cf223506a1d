/** Context of a Bridge method: caller, storage, payments and events; and the types of the functions that run with it. */

import { toHash, type Address, type Hash } from '../../../base/hex.ts'
import { encodeAbi, type AbiValues } from '../../../abi/codec.ts'
import { PrecompileFailure, type PrecompileCall } from '../../../evm/precompile.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import { BRIDGE_EVENTS, type BridgeEvent, type BridgeEventName, type EventValues } from './events.ts'
import type { Federation, FederationMember } from './federation.ts'
import { federationsAt, servingOf, type Federations } from './federation-state.ts'
import type { BridgeMethodName, InputsOf, OutputOf } from './method-table.ts'
import { bridgeStorageOf } from './remote-values.ts'

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
