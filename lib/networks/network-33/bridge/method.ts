/** Declares methods of the Bridge: name, types, gas and function. */

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
interface BridgeMethodDeclaration<Inputs extends readonly AbiType[], Output> {
  /** Selector of the deployed contract, not the hash of the neutral signature. */
  readonly selector: Hex
  /** Name, which can contain the placeholders of config/names.ts. */
  readonly name: string
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Gas of the method, to which the gas per byte of data is added. */
  readonly gas: number | ((args: AbiValues<Inputs>, storage: BridgeStorage) => number)
  /** `ethCallOnly`: only in calls without a transaction; `any` by default. */
  readonly use?: 'any' | 'ethCallOnly'
  /** `view`: may be reached by STATICCALL; `nonpayable` by default, as in Solidity. */
  readonly mutability?: 'view' | 'nonpayable' | 'payable'
  /** @throws PrecompileFailure */
  readonly run: (bridge: BridgeCall, args: AbiValues<Inputs>) => Output
}

/** A method with any types. Name and signature have the names of a network. */
export interface BridgeMethod extends Omit<
  BridgeMethodDeclaration<readonly AbiType[], unknown>,
  'gas' | 'run'
> {
  readonly signature: string
  /** Gas of a call with these encoded arguments, without that of the data. @throws AbiError */
  readonly gasOf: (data: Uint8Array, storage: BridgeStorage) => number
  /** Runs the method and returns the encoded result. @throws AbiError @throws PrecompileFailure */
  readonly execute: (bridge: BridgeCall, data: Uint8Array) => Uint8Array
}

/** Declares a method. */
export function bridgeMethod<const Inputs extends readonly AbiType[], Output>(
  declaration: BridgeMethodDeclaration<Inputs, Output>,
): BridgeMethod {
  const { gas, run, inputs, output, use = 'any', mutability = 'nonpayable', ...rest } = declaration
  return {
    ...rest,
    use,
    mutability,
    inputs,
    output,
    signature: signatureOf(rest.name, inputs),
    gasOf: (data, storage) => {
      const args = decodeAbi(inputs, data)
      return typeof gas === 'number' ? gas : gas(args, storage)
    },
    execute: (bridge, data) => encodeAbi([output], [run(bridge, decodeAbi(inputs, data))]),
  }
}
