/** Names of the values of enums, which an ABI has as numbers. */

import type { AbiInput } from '../../abi/fragments.ts'
import type { AbiParameterType } from '../../abi/values.ts'
import { oncePer } from '../../base/once.ts'
import { isAstNode, listAt, textAt, type AstNode } from './ast-node.ts'
import type { Compilation, CompiledContract } from './compilation.ts'

/** Names of values by the title of the enum, such as `Shop.Status`. */
const enumsOf = oncePer(({ sources }: Compilation) => {
  const tops = sources.flatMap(({ ast }) => (isAstNode(ast) ? listAt(ast, 'nodes') : []))
  const enums = tops
    .flatMap((one) => [one, ...listAt(one, 'nodes')])
    .filter(({ nodeType }) => nodeType === 'EnumDefinition')
  const namesOf = (members: readonly AstNode[]) => members.map((member) => textAt(member, 'name') ?? '')
  return new Map(enums.map((one) => [textAt(one, 'canonicalName'), namesOf(listAt(one, 'members'))]))
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
