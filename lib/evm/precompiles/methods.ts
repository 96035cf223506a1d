/** Native contracts whose functions are called by selector, as those of Solidity are. The Bridge has rules of its own. */

import { toHex } from '../../base/hex.ts'
import type { Hex } from '../../base/hex.ts'
import { decodeAbi, encodeAbi, signatureOf } from '../../abi/codec.ts'
import { AbiError } from '../../abi/reader.ts'
import { SELECTOR_LENGTH, selectorOf } from '../../abi/selector.ts'
import type { AbiType, AbiValues } from '../../abi/types.ts'
import { NativeFailure } from './native-contract.ts'
import type { NativeCall, NativeContract } from './native-contract.ts'

/** A function of a native contract. */
export interface NativeMethod {
  readonly name: string
  readonly inputs: readonly AbiType[]
  readonly output: AbiType
  /** The first four bytes of the call data. */
  readonly selector: Hex
  /** The call with its arguments. @throws AbiError */
  readonly bind: (call: NativeCall) => BoundMethod
}

/** A function with its arguments. */
interface BoundMethod {
  readonly gas: number
  /** The return data. @throws NativeFailure */
  readonly run: () => Uint8Array
}

/** How a function is declared. */
interface MethodDeclaration<Inputs extends readonly AbiType[], Output> {
  readonly name: string
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Given where it is not that of the signature. */
  readonly selector?: Hex
  readonly gas: (values: AbiValues<Inputs>, call: NativeCall) => number
  /** @throws NativeFailure */
  readonly run: (values: AbiValues<Inputs>, call: NativeCall) => Output
}

/** Declares a function. */
export function nativeMethod<const Inputs extends readonly AbiType[], Output>(
  declaration: MethodDeclaration<Inputs, Output>,
): NativeMethod {
  const { name, inputs, output, gas, run } = declaration
  const selector = declaration.selector ?? selectorOf(signatureOf(name, inputs))
  const bind = (call: NativeCall): BoundMethod => {
    const values = decodeAbi(inputs, call.input.subarray(SELECTOR_LENGTH))
    return { gas: gas(values, call), run: () => encodeAbi([output], [run(values, call)]) }
  }
  return { name, inputs, output, selector, bind }
}

/**
 * A contract of such functions. A call of none of them, or with arguments that are none of it, costs nothing and fails
 * (node-chain 10.2).
 */
export function contractOf(
  parts: Pick<NativeContract, 'address' | 'name'>,
  methods: readonly NativeMethod[],
): NativeContract {
  const bySelector = new Map(methods.map((method) => [method.selector, method]))
  const bind = (call: NativeCall): BoundMethod | undefined => {
    try {
      return bySelector.get(toHex(call.input.subarray(0, SELECTOR_LENGTH)))?.bind(call)
    } catch (error) {
      if (error instanceof AbiError) return undefined
      throw error
    }
  }
  return {
    ...parts,
    gas: (call) => bind(call)?.gas ?? 0,
    run: (call) => {
      const bound = bind(call)
      if (bound === undefined) throw new NativeFailure(`Invalid data given: ${toHex(call.input).slice(2)}.`)
      return bound.run()
    },
  }
}
