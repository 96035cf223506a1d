/** Calls the Bridge on a state without a machine. */

import { EMPTY_BYTES, asAddress, fromHex, toHex } from '../../../../lib/base/hex.ts'
import type { Address, Hash, Hex } from '../../../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../../../lib/crypto/address.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import { bridge, BRIDGE_METHODS } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import { BridgeStorage } from '../../../../lib/modules/network-33/bridge/bridge-storage.ts'
import { COINS } from '../../../../lib/modules/network-33/bridge/pegout-state.ts'
import { BRIDGE_ADDRESS } from '../../../../lib/modules/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { GENESIS_FEDERATION } from '../../../../lib/modules/network-33/bridge/federation.ts'
import { PrecompileFailure } from '../../../../lib/evm/precompile.ts'
import type { Precompile, PrecompileCall } from '../../../../lib/evm/precompile.ts'
import type { Log } from '../../../../lib/evm/outcome.ts'
import { State } from '../../../../lib/state/state.ts'
import { StateRoot } from '../../../../lib/state/state-root.ts'
import { minedPegIn } from './aux-chain.ts'
import { blockAfter, callData, decoded, precompileCall } from '../../../support/precompile-calls.ts'
import { keyOf } from '../../../support/signing.ts'

/** The account of the phrase "cow", and its key. */
export const COW = asAddress('0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826')
export const COW_KEY = keyOf('cow')

/** A member of the federation: the account of the phrase "federator1" (node-chain 11.3). */
export const MEMBER = addressOfPrivateKey(keyOf('federator1'))

/** Total supply in wei. */
export const ALL_COINS = 21_000_000n * 10n ** 18n

/** A Bridge as the genesis has it; by default that of release 9.1.0. */
export class BridgeBench {
  readonly state: State
  /** Events of the last call. */
  logs: Log[] = []
  block = { ...blockAfter(), number: 1n, timestamp: 1_000n }

  readonly #bridge: Precompile

  /** `root` is the state of another bench, to continue from. */
  constructor(precompile = bridge, root?: StateRoot) {
    this.#bridge = precompile
    this.state = new State(root ?? StateRoot.empty)
    if (root === undefined) this.state.putAccount(BRIDGE_ADDRESS, { nonce: 0n, balance: ALL_COINS })
  }

  balance(address: Address): bigint {
    return this.state.account(address)?.balance ?? 0n
  }

  /** Names and data of the events of the last call. */
  events(): readonly (readonly [name: string, data: Hex])[] {
    const named = (topic: string | undefined) =>
      Object.entries(BRIDGE_EVENTS).find(([, event]) => event.topic === topic)![0]
    return this.logs.map(({ topics, data }) => [named(topics[0]), toHex(data)])
  }

  /** Calls a method in a transaction, by default of a member if it has to be; returns its result. */
  send(name: string, args: readonly unknown[] = [], special: Partial<PrecompileCall> = {}): unknown {
    const caller = methodNamed(name).use === 'membersOnly' ? MEMBER : COW
    return this.#answer(name, args, { depth: 0, caller, origin: caller, ...special })
  }

  /** Calls a method in a local call; returns its result. */
  read(name: string, args: readonly unknown[] = []): unknown {
    return this.#answer(name, args, { isSimulated: true, depth: 0 })
  }

  /** Registers a peg-in of the amount; returns the transaction. */
  pegIn(privateKey: Uint8Array, sat: bigint): Uint8Array {
    const { raw, headers, registration } = minedPegIn(privateKey, sat, GENESIS_FEDERATION)
    this.send('receiveHeaders', headers)
    this.send('registerAuxTransaction', registration)
    return raw
  }

  /** Gives the federation coins of values in sat, without peg-ins. The first byte of their hashes counts from 1. */
  giveCoins(...sats: readonly bigint[]): void {
    const coins = sats.map((sat, position) => ({
      transactionId: new Uint8Array(32).fill(position + 1),
      index: 0,
      sat,
      flyoverHash: EMPTY_BYTES,
    }))
    COINS.write(new BridgeStorage(this.state), coins)
  }

  /** Lets a member of the federation update the collections, in a block and a transaction. */
  update(block: bigint, transactionHash?: Hash): void {
    this.block.number = block
    this.send('updateCollections', [], { caller: MEMBER, ...(transactionHash && { transactionHash }) })
  }

  /** Makes a plain transfer of `COW`; the value is transferred before, as the machine does. */
  transfer(wei: bigint, special: Partial<PrecompileCall>): Hex {
    const { balance, nonce } = this.state.account(BRIDGE_ADDRESS)!
    this.state.putAccount(BRIDGE_ADDRESS, { nonce, balance: balance + wei })
    const senderPublicKey = () => curve.publicKey(COW_KEY)
    return this.run('0x', { depth: 0, caller: COW, origin: COW, senderPublicKey, value: wei, ...special })
  }

  /** Gas of a method. */
  gas(name: string, args: readonly unknown[] = [], special: Partial<PrecompileCall> = {}): number {
    return this.#bridge.gas(this.#call(dataOf(name, args), special))
  }

  /** Runs call data and reverts the changes if it fails, as the machine does. The value was transferred before. */
  run(data: Hex, special: Partial<PrecompileCall> = {}): Hex {
    this.logs = []
    this.state.checkpoint()
    try {
      const output = toHex(this.#bridge.run(this.#call(data, special)))
      this.state.commit()
      return output
    } catch (error) {
      this.state.revert()
      throw error
    }
  }

  #answer(name: string, args: readonly unknown[], special: Partial<PrecompileCall>): unknown {
    const output = this.run(dataOf(name, args), special)
    const type = methodNamed(name).output.name
    return type === '' ? output : decoded(type, output)
  }

  #call(data: Hex, special: Partial<PrecompileCall>): PrecompileCall {
    const { state, block } = this
    return precompileCall(fromHex(data), { state, block, log: (log) => this.logs.push(log), ...special })
  }
}

const methodNamed = (name: string) => BRIDGE_METHODS.find((method) => method.name === name)!

/** Call data of a method. */
export function dataOf(name: string, args: readonly unknown[]): Hex {
  const { selector, inputs } = methodNamed(name)
  return callData(
    selector,
    inputs.map((type) => type.name),
    args,
  )
}

/** The message of the failure. */
export function refusalOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof PrecompileFailure) return error.message
    throw error
  }
  throw new Error('the call succeeded')
}
