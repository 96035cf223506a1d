/** Checks breakpoints against the sources of the known contracts. */

import { NodeError } from '../../base/errors.ts'
import { oncePer } from '../../base/once.ts'
import type { CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import type { Breakpoint } from '../../schema/debug-params.ts'
import type { PlacedBreakpoints } from '../../schema/debug-results.ts'
import { isNamed, isSamePath, lineOfStatement, statementFrom } from './breakpoints.ts'
import { parseExpression } from './expressions/expression.ts'
import { sourceIndex } from './source-index.ts'
import type { DebugFunction } from './debug-function.ts'
import { isHitCondition } from './stops.ts'

/** Breakpoints with the lines at which they stop, or what is wrong with them. */
export function placedBreakpoints(
  breakpoints: readonly Breakpoint[],
  contracts: readonly CompiledContract[],
): PlacedBreakpoints {
  const units = unitsOf(contracts)
  return breakpoints.map((one) => {
    const { id } = one
    const problem = problemIn(one)
    if (problem !== undefined) return { id, isPlaced: false, message: problem }
    if (one.kind === 'line') return { id, ...placedLine(one, units) }
    if (one.kind !== 'function') return { id, isPlaced: true }
    const isKnown = units.some((unit) => functionsIn(unit).some((found) => isNamed(titleOf(found), one.name)))
    return isKnown
      ? { id, isPlaced: true }
      : { id, isPlaced: false, message: `no known contract has a function ${one.name}` }
  })
}

function problemIn(one: Breakpoint): string | undefined {
  if ('hitCondition' in one && one.hitCondition !== undefined && !isHitCondition(one.hitCondition))
    return `hit condition: expected a number such as 3, >= 3 or % 2, got ${one.hitCondition}`
  if (!('condition' in one) || one.condition === undefined) return undefined
  try {
    parseExpression(one.condition)
    return undefined
  } catch (error) {
    if (error instanceof NodeError) return `condition: ${error.message}`
    throw error
  }
}

function placedLine({ path, line }: Extract<Breakpoint, { kind: 'line' }>, units: readonly SourceUnit[]) {
  const found = units.filter((unit) => isSamePath(unit.path, path))
  if (found.length === 0) {
    const message = `no known contract was compiled from ${path}: compile it, or tell the node where its artifacts are (--artifacts)`
    return { isPlaced: false, message }
  }
  const statement = found.map((unit) => statementFrom(unit, line)).find((one) => one !== undefined)
  const at = statement && lineOfStatement(statement)
  return at === undefined
    ? { isPlaced: false, message: `no statement is on line ${line} of ${path} or after it` }
    : { isPlaced: true, line: at }
}

const functionsIn = (unit: SourceUnit): readonly DebugFunction[] => sourceIndex(unit)?.functions ?? []

const titleOf = ({ contract, name }: DebugFunction): string =>
  contract === undefined ? name : `${contract}.${name}`

/** The sources of all compilations; a newer one of a path is not told from an older one. */
const unitsOf = oncePer((contracts: readonly CompiledContract[]): readonly SourceUnit[] =>
  [...new Set(contracts.map(({ compilation }) => compilation))].flatMap(({ sources }) => sources),
)
