/** A method of the Bridge as one value: how it is named, what it takes, what it costs and what it does. */

import type { Hex } from '../../../../base/hex.ts'
import { EMPTY_BYTES } from '../../../../base/hex.ts'
import { decodeAbi, encodeAbi, signatureOf } from '../../../../abi/codec.ts'
import type { AbiType, AbiValues } from '../../../../abi/types.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { Cells } from './cells.ts'

/** The output of a method that has none. */
export const nothing: AbiType<void> = {
  name: '',
  isDynamic: false,
  encode: () => EMPTY_BYTES,
  decode: () => undefined,
}

/** What is written down of a method (node-chain 10.4). */
interface Declaration<Inputs extends readonly AbiType[], Output> {
  /** Of the deployed contract; not the hash of the neutral signature. */
  readonly selector: Hex
  readonly name: string
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Without that of the data. */
  readonly gas: number | ((args: AbiValues<Inputs>, cells: Cells) => number)
  /** `local`: only in calls that are no transaction. */
  readonly use: 'any' | 'local'
  /** `view`: may be reached by STATICCALL. */
  readonly mutability: 'view' | 'nonpayable' | 'payable'
  /** @throws NativeFailure */
  readonly run: (bridge: BridgeCall, args: AbiValues<Inputs>) => Output
}

/** A method of any types. */
export interface BridgeMethod extends Omit<Declaration<readonly AbiType[], unknown>, 'gas' | 'run'> {
  readonly signature: string
  /** Gas of a call with these encoded arguments, without that of the data. @throws AbiError */
  readonly gasOf: (data: Uint8Array, cells: Cells) => number
  /** The encoded answer. @throws AbiError @throws NativeFailure */
  readonly answer: (bridge: BridgeCall, data: Uint8Array) => Uint8Array
}

/** Declares a method. */
export function bridgeMethod<const Inputs extends readonly AbiType[], Output>(
  declaration: Declaration<Inputs, Output>,
): BridgeMethod {
  const { gas, run, inputs, output, ...rest } = declaration
  return {
    ...rest,
    inputs,
    output,
    signature: signatureOf(rest.name, inputs),
    gasOf: (data, cells) => {
      const args = decodeAbi(inputs, data)
      return typeof gas === 'number' ? gas : gas(args, cells)
    },
    answer: (bridge, data) => encodeAbi([output], [run(bridge, decodeAbi(inputs, data))]),
  }
}
