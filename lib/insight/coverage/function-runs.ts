/** Counts functions in one code, also those without code of their own. */

import type { CodeKind } from '../artifacts/code.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import { isSameRange } from '../artifacts/ast-node.ts'
import { declaredContract, soliditySource } from '../artifacts/solidity-ast.ts'
import type { FunctionUse, SolidityFunction } from '../artifacts/solidity-ast.ts'
import { JUMP, type SourceLocation } from '../artifacts/source-map.ts'
import { arrivalsIn, isIn, keyOf, type CountedInstruction } from './code-listing.ts'

interface PlacedFunction extends SourceLocation {
  readonly one: SolidityFunction
}

/** Counts by the keys of the functions and of the bodies of those that jumps enter. */
export function functionRuns(
  contract: CompiledContract,
  kind: CodeKind,
  instructions: readonly CountedInstruction[],
): ReadonlyMap<string, number> {
  const runs = new Map<string, number>()
  const add = (place: SourceLocation | undefined, count = 0): void =>
    void runs.set(keyOf(place), (runs.get(keyOf(place)) ?? 0) + count)
  const declared = contract.compilation.sources.flatMap(({ id: file, ast }) =>
    (soliditySource(ast)?.functions ?? []).map((one): PlacedFunction => ({ one, file, ...one.range })),
  )
  const { linearization = [], range } = declaredContract(contract) ?? {}
  const inherited = linearization.flatMap((id) => declared.filter(({ one }) => one.contract?.id === id))
  const ofKind = (wanted: string): readonly PlacedFunction[] =>
    inherited.filter(({ one }) => one.kind === wanted)
  // An empty constructor has no code. An empty function without a name has a STOP, which has the place of the contract.
  for (const one of kind === 'creation' ? ofKind('constructor') : []) add(one, instructions[0]?.executions)
  const stops = instructions.filter(
    ({ opcode, location }) => opcode === STOP && range && location && isSameRange(location, range),
  )
  const unnamed = ['receive', 'fallback'].flatMap((name) => ofKind(name)[0] ?? [])
  for (const [index, one] of unnamed.entries()) add(one, stops[index]?.executions)
  const byKey = new Map(declared.map((one) => [keyOf(one), one]))
  const modifierOf = modifiersIn(declared, ofKind('modifier'))
  const arrivals = arrivalsIn(instructions)
  for (const code of functionCodes(instructions)) {
    const entered = byKey.get(keyOf(code[0]?.location))
    add(code[0]?.location, code[0]?.executions)
    if (entered === undefined) continue
    const used = entered.one.uses.flatMap((use) => modifierOf(use) ?? [])
    const body = bodyOf(entered)
    const parts = [...used.map(beginOf), body]
    /** How often the first code of some parts began; undefined if they have none. */
    const begun = (wanted: readonly SourceLocation[]): number | undefined => {
      const first = code.find((one) => wanted.some((part) => isIn(one, part)))
      const part = wanted.find((one) => first !== undefined && isIn(first, one))
      return first && part && arrivals(first, part)
    }
    for (const [index, one] of [...used, body].entries()) {
      // A modifier without code ran as often as what follows it. If nothing follows, what has code before it always failed.
      const isReached = begun(parts.slice(0, index)) === undefined
      add(one, begun(parts.slice(index)) ?? (isReached ? code[0]?.executions : 0))
    }
  }
  return runs
}

const STOP = 0x00

/** The instructions of each function that jumps enter. They begin with those of its modifiers, in their order. */
function functionCodes(
  instructions: readonly CountedInstruction[],
): readonly (readonly CountedInstruction[])[] {
  const targets = new Set(
    instructions.map(({ opcode, jump }, at) =>
      opcode === JUMP && jump === 'into' ? instructions[at - 1]?.pushed : undefined,
    ),
  )
  const begins = [...instructions.keys()].filter((at) => targets.has(instructions[at]?.position))
  return begins.map((at, index) => instructions.slice(at, begins[index + 1]))
}

/** A modifier up to its first `_`: what it ends with is not executed if the function fails. */
const beginOf = ({ one: { placeholders }, ...place }: PlacedFunction): SourceLocation => ({
  ...place,
  end: placeholders[0]?.start ?? place.end,
})

const bodyOf = ({ one: { body }, ...place }: PlacedFunction): SourceLocation => ({ ...place, ...body })

/** Returns the modifier that a use in the head of a function runs, which may be an override; undefined for a constructor. */
const modifiersIn =
  (declared: readonly PlacedFunction[], overrides: readonly PlacedFunction[]) =>
  ({ isInHead, name, declaration }: FunctionUse): PlacedFunction | undefined => {
    const named = declared.find(({ one }) => isInHead && one.kind === 'modifier' && one.id === declaration)
    // `Base.check` names the one of a contract.
    return named && (overrides.find(({ one }) => one.name === name) ?? named)
  }
