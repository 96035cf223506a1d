/** Counts modifiers by what follows them: nothing in the code tells that one without statements ran. */

import type { CompiledContract } from '../artifacts/compilation.ts'
import { declaredContract, soliditySource } from '../artifacts/solidity-ast.ts'
import type { FunctionUse, SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceLocation } from '../artifacts/source-map.ts'
import { arrivalsIn, entered, isIn, keyOf } from './code-listing.ts'
import type { CountedInstruction } from './code-listing.ts'

/** A function or a modifier with the id of its source. */
interface Declared {
  readonly one: SolidityFunction
  readonly file: number
}

/** Runs of modifiers, by the keys of their sources. The code of a function begins with that of its modifiers, in their order. */
export function modifierRuns(
  contract: CompiledContract,
  instructions: readonly CountedInstruction[],
): ReadonlyMap<string, number> {
  const declared = contract.compilation.sources.flatMap(({ id, ast }) =>
    (soliditySource(ast)?.functions ?? []).map((one): Declared => ({ one, file: id })),
  )
  const modifierOf = modifiersOf(contract, declared)
  const arrivals = arrivalsIn(instructions)
  const entries = entered(instructions)
  const begins = new Map(entries.map((at, index) => [keyOf(instructions[at]?.location), index]))
  const runs = new Map<string, number>()
  for (const { one, file } of declared) {
    const begin = begins.get(keyOf({ file, ...one.range }))
    const used = begin === undefined ? [] : one.uses.flatMap((use) => modifierOf(use) ?? [])
    const code = begin === undefined ? [] : instructions.slice(entries[begin], entries[begin + 1])
    const parts = [...used.map(beginOf), { file, ...(one.body ?? one.range) }]
    /** How often the first code of some parts began; undefined if they have none. */
    const begun = (wanted: readonly SourceLocation[]): number | undefined => {
      const first = code.find((instruction) => wanted.some((part) => isIn(instruction, part)))
      const part = wanted.find((range) => first !== undefined && isIn(first, range))
      return first && part && arrivals(first, part)
    }
    for (const [index, modifier] of used.entries()) {
      // Without code from here on, the modifiers before always failed, if they have any.
      const isReached = begun(parts.slice(0, index)) === undefined
      const count = begun(parts.slice(index)) ?? (isReached ? (code[0]?.executions ?? 0) : 0)
      const key = keyOf({ file: modifier.file, ...modifier.one.range })
      runs.set(key, (runs.get(key) ?? 0) + count)
    }
  }
  return runs
}

/** A modifier up to its first `_`: what it ends with is not executed if the function fails. */
const beginOf = ({ one: { range, placeholders }, file }: Declared): SourceLocation => ({
  file,
  start: range.start,
  end: placeholders[0]?.start ?? range.end,
})

/** Returns the modifier that a use in the head of a function runs, which may be an override; undefined for a constructor. */
function modifiersOf(contract: CompiledContract, declared: readonly Declared[]) {
  const modifiers = declared.filter(({ one: { kind } }) => kind === 'modifier')
  const { linearization = [] } = declaredContract(contract) ?? {}
  const overrides = linearization.flatMap((id) => modifiers.filter(({ one }) => one.contract?.id === id))
  return ({ isInHead, name, declaration }: FunctionUse): Declared | undefined => {
    const named = isInHead ? modifiers.find(({ one }) => one.id === declaration) : undefined
    // `Base.check` names the one of a contract.
    return named && (overrides.find(({ one }) => one.name === name) ?? named)
  }
}
