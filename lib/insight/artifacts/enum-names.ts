/** Names of the values of enums, which an ABI has as numbers. */

import type { AbiInput } from '../../abi/fragments.ts'
import type { AbiParameterType } from '../../abi/values.ts'
import { oncePer } from '../../base/once.ts'
import { definitionsIn, textAt, valueNames } from './ast-node.ts'
import type { Compilation, CompiledContract } from './compilation.ts'

/** Names of values by the title of the enum, such as `Shop.Status`. */
const enumsOf = oncePer(({ sources }: Compilation) => {
  const enums = sources
    .flatMap(({ ast }) => definitionsIn(ast))
    .filter(({ nodeType }) => nodeType === 'EnumDefinition')
  return new Map(enums.map((one) => [textAt(one, 'canonicalName'), valueNames(one)]))
})

/** Parameters of an ABI with the names of enums in the sources of a contract. */
export const withEnumNames = (
  contract: CompiledContract,
  inputs: readonly AbiInput[],
): (AbiInput & Pick<AbiParameterType, 'names'>)[] =>
  inputs.map((input) => {
    const [, title] = /^enum ([^[]+)/.exec(input.internalType ?? '') ?? []
    const components = input.components && withEnumNames(contract, input.components)
    return {
      ...input,
      components,
      names: title === undefined ? undefined : enumsOf(contract.compilation).get(title),
    }
  })
