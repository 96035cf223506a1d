/** Declares precompiles whose functions are called by selector, as in Solidity. The Bridge has its own rules. */

import { toHex, type Hex } from '../../../base/hex.ts'
import { AbiError, decodeAbi, encodeAbi, signatureOf } from '../../../abi/codec.ts'
import type { AbiType, AbiValues } from '../../../abi/codec.ts'
import { SELECTOR_LENGTH, selectorOf } from '../../../abi/selector.ts'
import { PrecompileFailure, type PrecompileCall, type Precompile } from '../../../evm/precompile.ts'

/** A function of a precompile. */
export interface PrecompileMethod {
  readonly name: string
  readonly inputs: readonly AbiType[]
  readonly output: AbiType
  /** The first four bytes of the call data. */
  readonly selector: Hex
  /** Decodes the arguments of a call. @throws AbiError */
  readonly bind: (call: PrecompileCall) => BoundMethod
}

/** A function with decoded arguments. */
interface BoundMethod {
  readonly gas: number
  /** The return data. @throws PrecompileFailure */
  readonly run: () => Uint8Array
}

interface PrecompileMethodDeclaration<Inputs extends readonly AbiType[], Output> {
  readonly name: string
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Given if the network hashes another name. By default it is the start of the hash of the signature. */
  readonly selector?: Hex
  readonly gas: (values: AbiValues<Inputs>, call: PrecompileCall) => number
  /** @throws PrecompileFailure */
  readonly run: (values: AbiValues<Inputs>, call: PrecompileCall) => Output
}

export function precompileMethod<const Inputs extends readonly AbiType[], Output>(
  declaration: PrecompileMethodDeclaration<Inputs, Output>,
): PrecompileMethod {
  const { name, inputs, output, gas, run } = declaration
  const selector = declaration.selector ?? selectorOf(signatureOf(name, inputs))
  const bind = (call: PrecompileCall): BoundMethod => {
    const values = decodeAbi(inputs, call.input.subarray(SELECTOR_LENGTH))
    return { gas: gas(values, call), run: () => encodeAbi([output], [run(values, call)]) }
  }
  return { name, inputs, output, selector, bind }
}

/**
 * Builds a precompile from its functions. A call with an unknown selector or invalid arguments has a cost of 0 and fails
 * (node-chain 10.2).
 */
export function precompileWithMethods(
  parts: Pick<Precompile, 'address' | 'name'>,
  methods: readonly PrecompileMethod[],
): Precompile {
  const bySelector = new Map(methods.map((method) => [method.selector, method]))
  const bind = (call: PrecompileCall): BoundMethod | undefined => {
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
      if (bound === undefined)
        throw new PrecompileFailure(`Invalid data given: ${toHex(call.input).slice(2)}.`)
      return bound.run()
    },
  }
}
