/** Declares the methods of precompiles that are called by selector, as in Solidity. The Bridge selects its own. */

import { toHex, type Hex } from '../../../base/hex.ts'
import { AbiError, decodeAbi, encodeAbi, signatureOf } from '../../../abi/codec.ts'
import type { AbiType, AbiValues } from '../../../abi/codec.ts'
import { SELECTOR_LENGTH, selectorOf } from '../../../abi/selector.ts'
import { PrecompileFailure, type PrecompileCall, type Precompile } from '../../../evm/precompile.ts'

/** A method of a precompile. `Context` is what a call receives. */
export interface PrecompileMethod<Context = PrecompileCall> {
  readonly name: string
  readonly signature: string
  readonly inputs: readonly AbiType[]
  readonly output: AbiType
  /** The first four bytes of the call data. */
  readonly selector: Hex
  readonly mutability: 'view' | 'nonpayable' | 'payable'
  /** Decodes the arguments of a call from the data after the selector. @throws AbiError */
  readonly bind: (data: Uint8Array, context: Context) => BoundMethod
}

interface BoundMethod {
  readonly gas: () => number
  /** The return data. @throws PrecompileFailure */
  readonly run: () => Uint8Array
}

interface PrecompileMethodDeclaration<Inputs extends readonly AbiType[], Output, Context> {
  readonly name: string
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Given if the network hashes another name. By default it is computed from the signature. */
  readonly selector?: Hex
  /** By default `view`. */
  readonly mutability?: PrecompileMethod['mutability']
  readonly gas: (values: AbiValues<Inputs>, context: Context) => number
  /** @throws PrecompileFailure */
  readonly run: (values: AbiValues<Inputs>, context: Context) => Output
}

export function precompileMethod<const Inputs extends readonly AbiType[], Output, Context = PrecompileCall>(
  declaration: PrecompileMethodDeclaration<Inputs, Output, Context>,
): PrecompileMethod<Context> {
  const { name, inputs, output, mutability = 'view', gas, run } = declaration
  const signature = signatureOf(name, inputs)
  const selector = declaration.selector ?? selectorOf(signature)
  const bind = (data: Uint8Array, context: Context): BoundMethod => {
    const values = decodeAbi(inputs, data)
    return { gas: () => gas(values, context), run: () => encodeAbi([output], [run(values, context)]) }
  }
  return { name, signature, inputs, output, selector, mutability, bind }
}

/**
 * Builds a precompile from its methods. A call with an unknown selector or invalid arguments has a cost of 0 and fails
 * (node-chain 10.2). `emptyCall` is the selector that empty call data stands for.
 */
export function precompileWithMethods(
  parts: Pick<Precompile, 'address' | 'name'>,
  methods: readonly PrecompileMethod[],
  emptyCall: Hex = '0x',
): Precompile {
  const bySelector = new Map(methods.map((method) => [method.selector, method]))
  const bind = (call: PrecompileCall): BoundMethod | undefined => {
    const { input } = call
    const selector = input.length === 0 ? emptyCall : toHex(input.subarray(0, SELECTOR_LENGTH))
    try {
      return bySelector.get(selector)?.bind(input.subarray(SELECTOR_LENGTH), call)
    } catch (error) {
      if (error instanceof AbiError) return undefined
      throw error
    }
  }
  return {
    ...parts,
    gas: (call) => bind(call)?.gas() ?? 0,
    run: (call) => {
      const bound = bind(call)
      if (bound === undefined)
        throw new PrecompileFailure(`Invalid data given: ${toHex(call.input).slice(2)}.`)
      return bound.run()
    },
  }
}
