/** Counts functions of one code by their beginning, and those whose own code does not tell that they ran. */

import type { CodeKind } from '../artifacts/code.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import { declaredContract, soliditySource } from '../artifacts/solidity-ast.ts'
import type { FunctionUse, SolidityFunction } from '../artifacts/solidity-ast.ts'
import { JUMP } from '../artifacts/source-map.ts'
import type { SourceLocation } from '../artifacts/source-map.ts'
import { arrivalsIn, isIn, keyOf } from './code-listing.ts'
import type { CountedInstruction } from './code-listing.ts'

/** A function with its place. */
interface Declared extends SourceLocation {
  readonly one: SolidityFunction
}

/** Counts by the keys of the functions: what jumps enter, modifiers, and constructors, which may be empty. */
export function functionRuns(
  contract: CompiledContract,
  kind: CodeKind,
  instructions: readonly CountedInstruction[],
): ReadonlyMap<string, number> {
  const runs = new Map<string, number>()
  const add = (key: string, count: number): void => void runs.set(key, (runs.get(key) ?? 0) + count)
  const declared = contract.compilation.sources.flatMap(({ id: file, ast }) =>
    (soliditySource(ast)?.functions ?? []).map((one): Declared => ({ one, file, ...one.range })),
  )
  const { linearization = [] } = declaredContract(contract) ?? {}
  const created = kind === 'creation' ? linearization : []
  for (const { one, ...place } of declared)
    if (one.kind === 'constructor' && created.includes(one.contract?.id ?? -1))
      add(keyOf(place), instructions[0]?.executions ?? 0)
  const codes = functionCodes(instructions)
  for (const [first] of codes) if (first !== undefined) add(keyOf(first.location), first.executions)
  const byKey = new Map(declared.map((one) => [keyOf(one), one]))
  const modifierOf = modifiersOf(linearization, declared)
  const arrivals = arrivalsIn(instructions)
  for (const code of codes) {
    const entered = byKey.get(keyOf(code[0]?.location))
    const used = entered?.one.uses.flatMap((use) => modifierOf(use) ?? []) ?? []
    const parts = [...used.map(beginOf), ...(entered === undefined ? [] : [bodyOf(entered)])]
    /** How often the first code of some parts began; undefined if they have none. */
    const begun = (wanted: readonly SourceLocation[]): number | undefined => {
      const first = code.find((one) => wanted.some((part) => isIn(one, part)))
      const part = wanted.find((range) => first !== undefined && isIn(first, range))
      return first && part && arrivals(first, part)
    }
    for (const [index, modifier] of used.entries()) {
      // A modifier without code ran as often as what follows it. Without any, the modifiers before always failed, if they have code.
      const isReached = begun(parts.slice(0, index)) === undefined
      add(keyOf(modifier), begun(parts.slice(index)) ?? (isReached ? (code[0]?.executions ?? 0) : 0))
    }
  }
  return runs
}

/** The instructions of each function that jumps enter. They begin with those of its modifiers, in their order. */
function functionCodes(
  instructions: readonly CountedInstruction[],
): readonly (readonly CountedInstruction[])[] {
  const into = instructions.map(({ opcode, jump }, at) =>
    opcode === JUMP && jump === 'into' ? instructions[at - 1]?.pushed : undefined,
  )
  const targets = new Set(into)
  const begins = [...instructions.keys()].filter((at) => targets.has(instructions[at]?.position))
  return begins.map((at, index) => instructions.slice(at, begins[index + 1]))
}

/** A modifier up to its first `_`: what it ends with is not executed if the function fails. */
const beginOf = ({ one: { placeholders }, ...place }: Declared): SourceLocation => ({
  ...place,
  end: placeholders[0]?.start ?? place.end,
})

const bodyOf = ({ one: { body }, ...place }: Declared): SourceLocation => ({ ...place, ...body })

/** Returns the modifier that a use in the head of a function runs, which may be an override; undefined for a constructor. */
function modifiersOf(linearization: readonly number[], declared: readonly Declared[]) {
  const modifiers = declared.filter(({ one }) => one.kind === 'modifier')
  const overrides = linearization.flatMap((id) => modifiers.filter(({ one }) => one.contract?.id === id))
  return ({ isInHead, name, declaration }: FunctionUse): Declared | undefined => {
    const named = isInHead ? modifiers.find(({ one }) => one.id === declaration) : undefined
    // `Base.check` names the one of a contract.
    return named && (overrides.find(({ one }) => one.name === name) ?? named)
  }
}
