/** Values of constants, immutable variables and enums, which are not in the storage. */

import {
  childAt,
  definitionsIn,
  listAt,
  numberAt,
  textAt,
  valueNames,
} from '../../insight/artifacts/ast-node.ts'
import type { AstNode } from '../../insight/artifacts/ast-node.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { declaredContract, neededSources } from '../../insight/artifacts/solidity-ast.ts'
import { enumType, typesOf } from '../../insight/artifacts/storage-layout.ts'
import { bytesToBigInt } from '../../base/hex.ts'
import { oncePer } from '../../base/once.ts'
import { rationalOf } from './assignments.ts'
import { isNamed } from './breakpoints.ts'
import type { RecordedFrame } from './recording.ts'
import { valueOfWord } from './values/value-types.ts'
import type { MachineView, Part, Value } from './values/value.ts'

const definitionsOf = (contract: CompiledContract): readonly AstNode[] =>
  neededSources(contract).flatMap(({ ast }) => definitionsIn(ast))

/** Declarations of constants and immutable variables of a contract and its base contracts. */
const declarationsOf = oncePer((contract: CompiledContract): readonly AstNode[] => {
  const order = declaredContract(contract)?.linearization ?? []
  const definitions = definitionsOf(contract)
  return order
    .toReversed()
    .flatMap((id) => definitions.find((one) => numberAt(one, 'id') === id) ?? [])
    .flatMap((one) => listAt(one, 'nodes'))
    .filter((node) => node['constant'] === true || node['mutability'] === 'immutable')
})

/** The constants whose values are numbers in the source, and the immutable variables of code that is on the chain. */
export function constantValues({ mapped, code }: RecordedFrame, view: MachineView): readonly Part[] {
  if (mapped === undefined || code === undefined) return []
  const { contract, kind } = mapped
  return declarationsOf(contract).flatMap((node): readonly Part[] => {
    const type = typesOf(contract).typeOf(childAt(node, 'typeName'))
    const place = kind === 'runtime' ? contract.runtime?.immutables.get(numberAt(node, 'id') ?? 0) : undefined
    const word = place === undefined ? constantOf(node) : bytesToBigInt(code.subarray(place, place + 32))
    if (type?.kind !== 'value' || word === undefined) return []
    return [[textAt(node, 'name') ?? '', valueOfWord(type, word, view)]]
  })
}

/** The number that the compiler has computed for the value of a constant. */
function constantOf(node: AstNode): bigint | undefined {
  const number = node['constant'] === true ? rationalOf(childAt(node, 'value')) : undefined
  return number === undefined ? undefined : BigInt.asUintN(256, number)
}

const enumsOf = oncePer((contract: CompiledContract): readonly AstNode[] =>
  definitionsOf(contract).filter(({ nodeType }) => nodeType === 'EnumDefinition'),
)

/** The value that a name such as `Phase.Open` or `Auction.Phase.Open` means; undefined if no enum has it, or several have. */
export function enumValue(contract: CompiledContract, name: string, view: MachineView): Value | undefined {
  const [, wanted = '', member = ''] = /^(.+)\.(\w+)$/.exec(name) ?? []
  const titleOf = (one: AstNode): string => textAt(one, 'canonicalName') ?? ''
  const meant = enumsOf(contract).filter((one) => isNamed(titleOf(one), wanted))
  const found = meant.find((one) => titleOf(one) === wanted) ?? (meant.length === 1 ? meant[0] : undefined)
  const names = found === undefined ? [] : valueNames(found)
  const index = names.indexOf(member)
  if (found === undefined || index < 0) return undefined
  return valueOfWord(enumType(`enum ${titleOf(found)}`, names), BigInt(index), view)
}
