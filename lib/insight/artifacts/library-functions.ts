/** Functions of libraries that change the state: their ABI lacks them, because only contracts can call them. */

import type { AbiFragment } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { toHex } from '../../base/hex.ts'
import type { CompiledContract } from './compilation.ts'
import { declaredContract, soliditySource } from './solidity-ast.ts'

/** The function of a library that is called, with types such as `Lib.Data storage`; undefined without the AST. */
export function libraryFunction(contract: CompiledContract, input: Uint8Array): AbiFragment | undefined {
  const declared = declaredContract(contract)
  if (declared?.kind !== 'library') return undefined
  const selector = toHex(input.subarray(0, SELECTOR_LENGTH)).slice(2)
  const unit = contract.compilation.sources.find(({ path }) => path === contract.path)
  const found = soliditySource(unit?.ast)?.functions.find(
    (one) => one.contract === declared && one.selector === selector,
  )
  return found && { type: 'function', name: found.name, inputs: found.types.map((type) => ({ type })) }
}
