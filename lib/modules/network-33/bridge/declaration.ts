/** Kinds of Bridge methods and the type of their declarations. */

import { EMPTY_BYTES, type Hex } from '../../../base/hex.ts'
import type { AbiType, AbiValues } from '../../../abi/codec.ts'
import type { PrecompileMethod } from '../precompiles/methods.ts'
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
  /** `ethCallOnly`: only in calls without a transaction. `membersOnly`: only by members of the federation. */
  readonly use: 'any' | 'ethCallOnly' | 'membersOnly'
  /** `view`: may be reached by STATICCALL. */
  readonly mutability: PrecompileMethod['mutability']
}

export type AnyDeclaration = BridgeDeclaration<readonly AbiType[], unknown>

const kind =
  (mutability: AnyDeclaration['mutability'], use: AnyDeclaration['use']) =>
  <const Inputs extends readonly AbiType[], Output>(
    selector: Hex,
    inputs: Inputs,
    output: AbiType<Output>,
    gas: BridgeDeclaration<Inputs, Output>['gas'],
  ): BridgeDeclaration<Inputs, Output> => ({ selector, inputs, output, gas, mutability, use })

/** Declares a method that changes state. */
export const write = kind('nonpayable', 'any')

/** Declares a method that changes state, and that only members of the federation may call. */
export const memberWrite = kind('nonpayable', 'membersOnly')

/** Declares a method that changes state and accepts wei. */
export const payable = kind('payable', 'any')

/** Declares a method that only reads. */
export const view = kind('view', 'any')

/** Declares a method that only reads, and that no transaction can call. */
export const localView = kind('view', 'ethCallOnly')
