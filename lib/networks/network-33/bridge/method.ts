/** Builds methods of the Bridge from their declarations and functions. */

import { decodeAbi, encodeAbi, signatureOf, type AbiType, type AbiValues } from '../../../abi/codec.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import type { AnyDeclaration, BridgeDeclaration } from './declaration.ts'
import type { BridgeMethodName, InputsOf, OutputOf } from './method-table.ts'

/** Runs a method. @throws PrecompileFailure */
type BridgeHandler<Inputs extends readonly AbiType[], Output> = (
  bridge: BridgeCall,
  args: AbiValues<Inputs>,
) => Output

/** Functions of the methods by name. */
export type BridgeHandlers = {
  readonly [Name in BridgeMethodName]: BridgeHandler<InputsOf<Name>, OutputOf<Name>>
}

/** A method with any types. Name and signature have the names of a network. */
export interface BridgeMethod extends Omit<AnyDeclaration, 'gas'> {
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
