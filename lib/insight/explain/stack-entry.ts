/** Entries of a Solidity stack: functions with their places in the sources. */

import type { CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import { linesOf } from '../artifacts/lines.ts'
import { soliditySource } from '../artifacts/solidity-ast.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { Address } from '../../base/hex.ts'
import type { LoggedFunction } from '../../config/request-log.ts'
import { functionGraph } from './function-graph.ts'
import type { StackedFunction } from './growing-stack.ts'

/** The entry of a function. */
export const entryOf = (
  address: Address,
  { within, range }: StackedFunction,
  unit: SourceUnit,
): LoggedFunction => ({
  address,
  contract: within.contract?.name,
  function: within.name,
  file: unit.path,
  ...placeIn(unit, range),
})

/** The entry of a function before its body has begun, or of a contract if no function is called. */
export function headEntry(
  address: Address,
  contract: CompiledContract,
  called: SolidityFunction | undefined,
): LoggedFunction {
  const unit = called && functionGraph(contract).unitOf(called)
  if (called !== undefined && unit !== undefined)
    return entryOf(address, { within: called, range: called.range }, unit)
  const own = contract.compilation.sources.find(({ path }) => path === contract.path)
  const declared = soliditySource(own?.ast)?.contracts.find(({ name }) => name === contract.name)
  return { ...contractEntry(address, contract), ...placeIn(own, declared?.range) }
}

/** The entry of a contract of which no function is certain. */
export const contractEntry = (
  address: Address,
  { name: contract, path: file }: CompiledContract,
): LoggedFunction => ({ address, contract, file })

function placeIn(
  unit: SourceUnit | undefined,
  range: SourceRange | undefined,
): Pick<LoggedFunction, 'line' | 'column' | 'excerpt'> {
  const lines = unit && linesOf(unit)
  if (lines === undefined || range === undefined) return {}
  const position = lines.positionOf(range.start)
  return { ...position, excerpt: lines.textOf(position.line).trim() }
}
