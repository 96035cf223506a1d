/** Names of the values of enums, which an ABI has as numbers. */

import { errorsOf, errorText } from '../../abi/fragments.ts'
import type { EnumNames } from '../../abi/values.ts'
import { oncePer } from '../../base/once.ts'
import { isAstNode, listAt, textAt } from './ast-node.ts'
import type { AstNode } from './ast-node.ts'
import type { Compilation, CompiledContract } from './compilation.ts'

/** The definitions in the sources, by the type: `enum Shop.Status`. */
const enumsOf = oncePer(({ sources }: Compilation) => {
  const tops = sources.flatMap(({ ast }) => (isAstNode(ast) ? listAt(ast, 'nodes') : []))
  const enums = tops
    .flatMap((one) => [one, ...listAt(one, 'nodes')])
    .filter(({ nodeType }) => nodeType === 'EnumDefinition')
  return new Map<string, AstNode>(enums.map((one) => [`enum ${textAt(one, 'canonicalName') ?? ''}`, one]))
})

/** The names of the enums in the sources of a contract. */
export const enumNamesOf =
  ({ compilation }: CompiledContract): EnumNames =>
  (type, value) => {
    const found = enumsOf(compilation).get(type)
    return found && textAt(listAt(found, 'members')[value], 'name')
  }

/** The text of a custom error of a contract, with names of enums; undefined if it is another error. */
export function ownErrorText(contract: CompiledContract, data: string): string | undefined {
  const error = errorsOf(contract.abi).find(({ selector }) => data.startsWith(selector))
  return error && errorText(error, data, false, enumNamesOf(contract))
}
