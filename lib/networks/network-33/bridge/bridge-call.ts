/** Context of a Bridge method: caller, storage, payments and events. */

import type { Address, Hash } from '../../../base/hex.ts'
import { toHash } from '../../../base/hex.ts'
import { encodeAbi } from '../../../abi/codec.ts'
import type { AbiType, AbiValues } from '../../../abi/types.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { PrecompileCall } from '../../../evm/precompile.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import type { BridgeEvent } from './events.ts'
import { bridgeStorageOf } from './remote-values.ts'

/** One call of the Bridge. */
export class BridgeCall {
  readonly storage: BridgeStorage
  readonly call: PrecompileCall

  constructor(call: PrecompileCall) {
    this.call = call
    this.storage = bridgeStorageOf(call.state)
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
    const from = state.account(BRIDGE_ADDRESS) ?? { nonce: 0n, balance: 0n }
    if (from.balance < wei) throw new PrecompileFailure(`the Bridge has ${from.balance} wei, not ${wei}`)
    state.putAccount(BRIDGE_ADDRESS, { nonce: from.nonce, balance: from.balance - wei })
    const to = state.account(receiver) ?? { nonce: 0n, balance: 0n }
    state.putAccount(receiver, { nonce: to.nonce, balance: to.balance + wei })
  }

  /** Emits an event. */
  emit<Indexed extends readonly AbiType[], Data extends readonly AbiType[]>(
    { topic, indexed, data }: BridgeEvent<Indexed, Data>,
    topics: AbiValues<Indexed>,
    values: AbiValues<Data>,
  ): void {
    // Indexed parameters have types of one word, so each encoding is a topic.
    const words = indexed.map((type, index) => toHash(encodeAbi([type], [topics[index]])))
    this.call.log({ address: BRIDGE_ADDRESS, topics: [topic, ...words], data: encodeAbi(data, values) })
  }
}
