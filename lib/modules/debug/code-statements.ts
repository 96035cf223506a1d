/** The statements and functions of a code, by the position of its instructions. */

import {
  containsRange,
  isSameRange,
  nodesIn,
  rangeOf,
  type AstNode,
} from '../../insight/artifacts/ast-node.ts'
import { JUMPDEST, type SourceRange } from '../../insight/artifacts/source-map.ts'
import type { MappedCode, SourcePlace } from '../../insight/explain/mapped-code.ts'
import { getOrAdd, oncePer } from '../../base/once.ts'
import { rationalOf } from './assignments.ts'
import { sourceIndex } from './source-index.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'

/** Replaces a statement's number for instructions that belong to none. */
export const NO_STATEMENT = -1

export const codeStatements = oncePer((code: MappedCode) => {
  const numbers = new Int32Array(code.code.length).fill(NO_STATEMENT)
  const statements: DebugStatement[] = []
  const numberOf = new Map<DebugStatement, number>()
  const entries = new Map<number, DebugFunction>()
  const around = new Map<number, DebugFunction>()
  const { viaIr, isOptimized } = code.contract.compilation.settings
  const find = statementFinder(viaIr)
  const isIgnored = (statement: DebugStatement, opcode: number): boolean =>
    viaIr ? isShuffle(opcode) : isOptimized && isShared(statement, opcode)
  for (const pc of code.positions(0, code.code.length - 1)) {
    const place = code.sourceAt(pc)
    if (place === undefined) continue
    const { statement, isNumber, entry, within } = find(place)
    if (entry !== undefined && code.code[pc] === JUMPDEST) entries.set(pc, entry)
    if (within !== undefined && code.code[pc] === JUMPDEST) around.set(pc, within)
    if (statement === undefined || isNumber || isIgnored(statement, code.code[pc] ?? 0)) continue
    let number = numberOf.get(statement)
    if (number === undefined) {
      number = statements.push(statement) - 1
      numberOf.set(statement, number)
    }
    numbers[pc] = number
  }
  return {
    /** Number of the statement that an instruction belongs to, or NO_STATEMENT. */
    numberAt: (pc: number) => numbers[pc] ?? NO_STATEMENT,
    statement: (number: number) => statements[number],
    has: (statement: DebugStatement) => numberOf.has(statement),
    functionAround: (pc: number) => around.get(pc),
    functionFrom: (pc: number) => entries.get(pc),
  }
})

export type CodeStatements = ReturnType<typeof codeStatements>

/** Whether an instruction only moves stack words. The IR pipeline moves those of a statement before earlier ones. */
const isShuffle = (opcode: number): boolean =>
  opcode === JUMPDEST || opcode === 0x50 || (opcode >= 0x5f && opcode <= 0x9f)

/** Whether an instruction may have another statement's place, because the optimizer merges labels, and equal numbers in assembly. */
const isShared = ({ node }: DebugStatement, opcode: number): boolean =>
  opcode === JUMPDEST || (opcode >= 0x5f && opcode <= 0x7f && node.nodeType.startsWith('Yul'))

/** Finds the statement of a source range. Many instructions have the same range. */
function statementFinder(viaIr: boolean) {
  const known = new Map<string, ReturnType<typeof found>>()
  return (place: SourcePlace) => {
    const { unit, range } = place
    return getOrAdd(known, `${unit.id}:${range.start}:${range.end}`, () => found(place, viaIr))
  }
}

function found({ unit, range }: SourcePlace, viaIr: boolean) {
  const index = sourceIndex(unit)
  const within = index?.functionAt(range)
  const statement = within && statementAt(within, range)
  // The IR pipeline gives equal numbers one place, even those that instructions compute.
  const isNumber =
    viaIr &&
    statement !== undefined &&
    nodesIn(statement.head).some((literal) => isNumberNode(literal) && isSameRange(rangeOf(literal), range))
  return { statement, isNumber, entry: index?.functionFrom(range), within }
}

const isNumberNode = (node: AstNode): boolean =>
  rationalOf(node) !== undefined || (node.nodeType === 'MemberAccess' && node['isPure'] === true)

/** The innermost statement whose shown part contains the range: a loop's end is not part of its condition. */
export function statementAt(within: DebugFunction, range: SourceRange): DebugStatement | undefined {
  let innermost: DebugStatement | undefined
  for (const statement of within.statements) {
    if (!containsRange(statement.range, range)) continue
    if (innermost === undefined || containsRange(innermost.range, statement.range)) innermost = statement
  }
  return innermost
}
