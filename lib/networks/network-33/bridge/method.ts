/** Kinds of Bridge methods, and the types of their declarations and functions. */

import type { Hex } from '../../../base/hex.ts'
import { EMPTY_BYTES } from '../../../base/hex.ts'
import { decodeAbi, encodeAbi, signatureOf } from '../../../abi/codec.ts'
import type { AbiType, AbiValues } from '../../../abi/types.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'

/** The output type of a method without output. */
export const nothing: AbiType<void> = {
  name: '',
  isDynamic: false,
  encode: () => EMPTY_BYTES,
  decode: () => undefined,
}

/** Declaration of a method (node-chain 10.4). */
export interface BridgeDeclaration<Inputs extends readonly AbiType[], Output> {
  /** Selector of the deployed contract, not the hash of the neutral signature. */
  readonly selector: Hex
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Gas of the method, to which the gas per byte of data is added. */
  readonly gas: number | ((args: AbiValues<Inputs>, storage: BridgeStorage) => number)
  /** `ethCallOnly`: only in calls without a transaction. */
  readonly use: 'any' | 'ethCallOnly'
  /** `view`: may be reached by STATICCALL. */
  readonly mutability: 'view' | 'nonpayable' | 'payable'
}

const kind =
  (mutability: BridgeMethod['mutability'], use: BridgeMethod['use']) =>
  <const Inputs extends readonly AbiType[], Output>(
    selector: Hex,
    inputs: Inputs,
    output: AbiType<Output>,
    gas: BridgeDeclaration<Inputs, Output>['gas'],
  ): BridgeDeclaration<Inputs, Output> => ({ selector, inputs, output, gas, mutability, use })

/** Declares a method that changes state. */
export const write = kind('nonpayable', 'any')

/** Declares a method that changes state and accepts wei. */
export const payable = kind('payable', 'any')

/** Declares a method that only reads. */
export const view = kind('view', 'any')

/** Declares a method that only reads, and that no transaction can call. */
export const localView = kind('view', 'ethCallOnly')

/** Runs a method. @throws PrecompileFailure */
export type BridgeHandler<Inputs extends readonly AbiType[], Output> = (
  bridge: BridgeCall,
  args: AbiValues<Inputs>,
) => Output

/** A method with any types. Name and signature have the names of a network. */
export interface BridgeMethod extends Omit<BridgeDeclaration<readonly AbiType[], unknown>, 'gas'> {
  readonly name: string
  readonly signature: string
  /** Gas of a call with these encoded arguments, without that of the data. @throws AbiError */
  readonly gasOf: (data: Uint8Array, storage: BridgeStorage) => number
  /** Runs the method and returns the encoded result. @throws AbiError @throws PrecompileFailure */
  readonly execute: (bridge: BridgeCall, data: Uint8Array) => Uint8Array
}

/** Builds a method from its declaration and its function. */
export function bridgeMethod<Inputs extends readonly AbiType[], Output>(
  name: string,
  { gas, ...declaration }: BridgeDeclaration<Inputs, Output>,
  run: BridgeHandler<Inputs, Output>,
): BridgeMethod {
  const { inputs, output } = declaration
  return {
    ...declaration,
    name,
    signature: signatureOf(name, inputs),
    gasOf: (data, storage) => {
      const args = decodeAbi(inputs, data)
      return typeof gas === 'number' ? gas : gas(args, storage)
    },
    execute: (bridge, data) => encodeAbi([output], [run(bridge, decodeAbi(inputs, data))]),
  }
}
