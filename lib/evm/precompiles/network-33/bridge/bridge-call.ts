/** What a method of the Bridge is given: who calls, the Bridge's cells, and the coins and events it can move. */

import type { Address, Hash } from '../../../../base/hex.ts'
import { toHash } from '../../../../base/hex.ts'
import { encodeAbi } from '../../../../abi/codec.ts'
import type { AbiType, AbiValues } from '../../../../abi/types.ts'
import { PrecompileFailure } from '../../precompile.ts'
import type { PrecompileCall } from '../../precompile.ts'
import { Cells } from './cells.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import type { BridgeEvent } from './events.ts'

/** One call of the Bridge. */
export class BridgeCall {
  readonly cells: Cells
  readonly native: PrecompileCall

  constructor(native: PrecompileCall) {
    this.native = native
    this.cells = new Cells(native.state)
  }

  /** The contract or account that calls: that is who votes and who is paid. */
  get caller(): Address {
    return this.native.caller
  }

  get blockNumber(): bigint {
    return this.native.block.number
  }

  /** Whether code calls, and not a transaction. */
  get isFromContract(): boolean {
    return this.native.depth > 0
  }

  /** Hash of the transaction; zeros in a local call, which has none. */
  get transactionHash(): Hash {
    return this.native.transactionHash ?? toHash(new Uint8Array(32))
  }

  /** Pays from the Bridge. @throws NativeFailure when it has less */
  pay(receiver: Address, wei: bigint): void {
    const { state } = this.native
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
    // Only types of one word are indexed, so that each encoding is a topic.
    const words = indexed.map((type, index) => toHash(encodeAbi([type], [topics[index]])))
    this.native.log({ address: BRIDGE_ADDRESS, topics: [topic, ...words], data: encodeAbi(data, values) })
  }
}
