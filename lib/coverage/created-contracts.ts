/** The contracts whose constructors run in a creation. */

import type { CompiledContract } from '../artifacts/compilation.ts'
import { soliditySource } from '../artifacts/solidity-ast.ts'
import type { SolidityContract } from '../artifacts/solidity-ast.ts'

/** Names by the id of the source of a contract and of those that it inherits from. */
export type CreatedContracts = ReadonlyMap<number, ReadonlySet<string>>

/** The contracts whose constructors run when a contract is created. */
export function createdContracts({ compilation, path, name }: CompiledContract): CreatedContracts {
  const contracts = new Map<number, readonly SolidityContract[]>()
  for (const unit of compilation.sources) contracts.set(unit.id, soliditySource(unit.ast)?.contracts ?? [])
  const source = compilation.sources.find((unit) => unit.path === path)
  const created = contracts.get(source?.id ?? -1)?.find((one) => one.name === name)
  const ids = new Set(created?.linearization)
  const found = [...contracts].map(([file, ones]) => {
    const inherited = ones.filter(({ id }) => id !== undefined && ids.has(id))
    return [file, new Set(inherited.map((one) => one.name))] as const
  })
  return new Map(found.filter(([, names]) => names.size > 0))
}
