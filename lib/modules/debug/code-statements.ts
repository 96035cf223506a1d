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

/** In place of the number of a statement, for an instruction that belongs to none. */
export const NO_STATEMENT = -1

/** The statements of a code, found at the first call. */
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
    /** Whether a statement has instructions. */
    has: (statement: DebugStatement) => numberOf.has(statement),
    functionAround: (pc: number) => around.get(pc),
    functionFrom: (pc: number) => entries.get(pc),
  }
})

export type CodeStatements = ReturnType<typeof codeStatements>

/** Whether an instruction only moves words of the stack. The IR pipeline puts those of a statement before earlier ones. */
const isShuffle = (opcode: number): boolean =>
  opcode === JUMPDEST || opcode === 0x50 || (opcode >= 0x5f && opcode <= 0x9f)

/** Whether an instruction may have another statement's place: the optimizer joins labels, and equal numbers of assembly. */
const isShared = ({ node }: DebugStatement, opcode: number): boolean =>
  opcode === JUMPDEST || (opcode >= 0x5f && opcode <= 0x7f && node.nodeType.startsWith('Yul'))

/** Finds what a part of a source belongs to: many instructions have the same one. */
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
  // The IR pipeline gives equal numbers one place, also where instructions compute them.
  const isNumber =
    viaIr &&
    statement !== undefined &&
    nodesIn(statement.head).some((literal) => isNumberNode(literal) && isSameRange(rangeOf(literal), range))
  return { statement, isNumber, entry: index?.functionFrom(range), within }
}

/** Whether an expression is a number that the compiler knows, such as `-3` or `type(uint256).max`. */
const isNumberNode = (node: AstNode): boolean =>
  rationalOf(node) !== undefined || (node.nodeType === 'MemberAccess' && node['isPure'] === true)

/** The innermost statement, whose shown part contains the range: the end of a loop is no part of its condition. */
export function statementAt(within: DebugFunction, range: SourceRange): DebugStatement | undefined {
  let innermost: DebugStatement | undefined
  for (const statement of within.statements) {
    if (!containsRange(statement.range, range)) continue
    if (innermost === undefined || containsRange(innermost.range, statement.range)) innermost = statement
  }
  return innermost
}
