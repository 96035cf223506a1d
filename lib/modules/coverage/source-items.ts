/** The items of a source that can be covered: statements, functions and branches, and how often they were entered. */

import { bisect } from '../../base/bisect.ts'
import { once, oncePer } from '../../base/once.ts'
import {
  containsRange,
  childAt,
  listAt,
  nodesIn,
  rangeOf,
  textAt,
  type AstNode,
} from '../../insight/artifacts/ast-node.ts'
import type { SourceUnit } from '../../insight/artifacts/compilation.ts'
import { soliditySource } from '../../insight/artifacts/solidity-ast.ts'
import type { SourceRange } from '../../insight/artifacts/source-map.ts'
import { arrivalsIn, type CountedInstruction } from './code-listing.ts'

/** Kinds of functions that are counted. In inline assembly only statements count, and variables have no body. */
const COUNTED: ReadonlySet<string> = new Set(['function', 'constructor', 'fallback', 'receive', 'modifier'])

/** Statements, functions and branches in the order of the source. */
export type SourceItems = ReturnType<typeof itemsOf>

function itemsOf(ast: AstNode) {
  const items = statementsOf(ast)
  const statements = items.statements.toSorted(byPlace)
  const branches = items.branches.toSorted((a, b) => byPlace(a.range, b.range))
  const functions = (soliditySource(ast)?.functions ?? [])
    .filter(({ kind, body }) => COUNTED.has(kind) && body !== undefined)
    .toSorted((a, b) => byPlace(a.range, b.range))
  const ways = branches.flatMap((branch) => branch.ways.filter((way) => way !== undefined))
  const ofFunctions = functions.map(({ range }) => range)
  const { bodies } = items
  /** Statements, functions, ways of branches that have a source, bodies of statements, bodies of functions. */
  const regions = regionTree([
    ...statements,
    ...ofFunctions,
    ...ways,
    ...bodies,
    ...functions.map(({ range, body }) => body ?? range),
  ])
  /** Index of the statement before each statement in the same region; -1 after the `_` of a modifier. */
  const previous = once(() => {
    const placeholders = functions.flatMap((declared) => declared.placeholders)
    return previousStatements(statements, placeholders, regions)
  })
  return { statements, functions, branches, bodies, regions, previous }
}

const byPlace = (a: SourceRange, b: SourceRange): number => a.start - b.start || b.end - a.end

/** The items of a source, read at the first call; undefined without an AST. */
export const sourceItems = oncePer(({ ast }: SourceUnit) => ast && itemsOf(ast))

/** The statement before each statement, in source order; undefined for the first of a region. */
function previousStatements(
  statements: readonly SourceRange[],
  placeholders: readonly SourceRange[],
  regions: RegionTree,
): readonly (number | undefined)[] {
  const previous: (number | undefined)[] = []
  const lastOfRegion = new Map<number | undefined, number>()
  const isPlaceholder = new Set(placeholders)
  for (const range of [...statements, ...placeholders].toSorted(byPlace)) {
    const at = isPlaceholder.has(range) ? -1 : previous.length
    // A statement is a region itself.
    const [region] = [...regions.around(range)].slice(at < 0 ? 0 : 1)
    if (at >= 0) previous.push(lastOfRegion.get(region))
    lastOfRegion.set(region, at)
  }
  return previous
}

type RegionTree = ReturnType<typeof regionTree>

function regionTree(ranges: readonly SourceRange[]) {
  /** The parts with their indexes, outer ones first. */
  const sorted = ranges
    .map((range, index) => ({ range, index }))
    .toSorted((a, b) => byPlace(a.range, b.range))
  const contains = (at: number, range: SourceRange): boolean => {
    const entry = sorted[at]
    return entry !== undefined && containsRange(entry.range, range)
  }
  /** For each part in the sorted list, the index of the part around it; -1 for none. */
  const outer: number[] = []
  for (const [at, { range }] of sorted.entries()) {
    let candidate = at - 1
    while (candidate >= 0 && !contains(candidate, range)) candidate = outer[candidate] ?? -1
    outer.push(candidate)
  }
  /** Indexes of the parts that contain a range, innermost first. */
  function* around(range: SourceRange): Generator<number> {
    let at = bisect(sorted.length, (place) => (sorted[place]?.range.start ?? 0) <= range.start) - 1
    while (at >= 0 && !contains(at, range)) at = outer[at] ?? -1
    for (; at >= 0; at = outer[at] ?? -1) {
      const index = sorted[at]?.index
      if (index !== undefined) yield index
    }
  }
  return { ranges, around }
}

const DUP1 = 0x80

interface RegionState {
  last: number
  /** Identifies the instruction and source where the region and its copies begin. */
  readonly key: string
  entries: number
}

/**
 * How often each region was entered; undefined without code. The compiler copies a modifier's code into each function. Each copy
 * begins with the same instruction of the same source, unlike code that resumes after an interruption.
 */
export function entriesOf(
  regions: RegionTree,
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (number | undefined)[] {
  const states: (RegionState | undefined)[] = regions.ranges.map(() => undefined)
  const arrivals = arrivalsIn(instructions)
  for (const [at, instruction] of instructions.entries()) {
    const { opcode, location } = instruction
    if (location?.file !== file) continue
    for (const index of regions.around(location)) {
      const state = states[index]
      const part = { ...location, ...regions.ranges[index] }
      if (state?.last === at - 1) {
        state.last = at
        continue
      }
      // solc writes DUP1 instead of pushing the same value twice.
      const kind = instruction.pushed === undefined && opcode !== DUP1 ? opcode : 'push'
      const key = `${kind}:${location.start}:${location.end}`
      if (state === undefined) states[index] = { last: at, key, entries: arrivals(instruction, part) }
      else {
        state.last = at
        if (state.key === key) state.entries += arrivals(instruction, part)
      }
    }
  }
  return states.map((state) => state?.entries)
}

/** A place at which the execution chooses one of several ways. */
export interface SolidityBranch {
  readonly kind: 'if' | 'conditional' | 'try' | 'require'
  readonly range: SourceRange
  /** The ways in source order; undefined for an absent `else`. A `require` or `assert` passes or fails, without a source. */
  readonly ways: readonly (SourceRange | undefined)[]
}

/** Nodes with parts that may run more or less often than the node. */
const REPEATED = /^(?:(?:For|While|DoWhile)Statement|Yul(?:ForLoop|If|Case|FunctionDefinition))$/

/** Statements. A modifier's placeholder stands for code elsewhere. */
const STATEMENT =
  /^(?:\w+(?<!Placeholder)Statement|Return|Break|Continue|InlineAssembly|Yul(?:Assignment|VariableDeclaration|If|Switch|ForLoop|Break|Continue|Leave))$/

/** Functions that check a condition. */
const CHECKS: ReadonlySet<string | undefined> = new Set(['require', 'assert'])

/** The statements, branches and bodies of a source, in the order of the AST. */
export function statementsOf(ast: AstNode) {
  const nodes = nodesIn(ast)
  return {
    statements: nodes
      .filter(({ nodeType }) => STATEMENT.test(nodeType))
      .map((node) => ({ ...rangeOf(node), canEnd: canEnd(node) })),
    branches: nodes.map(branchOf).filter((branch) => branch !== undefined),
    /** Bodies of loops and what follows each round, and bodies of conditions and functions in inline assembly. */
    bodies: nodes
      .filter(({ nodeType }) => REPEATED.test(nodeType))
      .flatMap((node) => waysOf(node, ['body', 'post', 'loopExpression']))
      .filter((body) => body !== undefined),
  }
}

const EXITS = /^(?:Return|RevertStatement|(?:Yul)?(?:Break|Continue)|YulLeave)$/

/** Whether the next statement can run after it, judging by its form. */
function canEnd(node: AstNode | undefined): boolean {
  if (node === undefined) return true
  const body = childAt(node, 'body')
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock':
    case 'YulBlock':
      return listAt(node, 'statements').every(canEnd)
    case 'IfStatement':
      return canEnd(childAt(node, 'trueBody')) || canEnd(childAt(node, 'falseBody'))
    case 'DoWhileStatement':
      return canEnd(body) || hasAny(body, 'Break', 'Continue')
    case 'ForStatement':
      return childAt(node, 'condition') !== undefined || hasAny(body, 'Break')
    case 'ExpressionStatement': {
      const called = childAt(childAt(node, 'expression'), 'expression')
      return called?.nodeType !== 'Identifier' || textAt(called, 'name') !== 'revert'
    }
    default:
      return !EXITS.test(node.nodeType)
  }
}

const hasAny = (body: AstNode | undefined, ...types: readonly string[]): boolean =>
  body !== undefined && nodesIn(body).some(({ nodeType }) => types.includes(nodeType))

function branchOf(node: AstNode): SolidityBranch | undefined {
  const range = rangeOf(node)
  switch (node.nodeType) {
    case 'IfStatement':
      return { kind: 'if', range, ways: waysOf(node, ['trueBody', 'falseBody']) }
    case 'Conditional':
      return { kind: 'conditional', range, ways: waysOf(node, ['trueExpression', 'falseExpression']) }
    case 'TryStatement':
      return { kind: 'try', range, ways: listAt(node, 'clauses').map(rangeOf) }
    case 'FunctionCall': {
      const called = childAt(node, 'expression')
      const isCheck = called?.nodeType === 'Identifier' && CHECKS.has(textAt(called, 'name'))
      return isCheck ? { kind: 'require', range, ways: [undefined, undefined] } : undefined
    }
    default:
      return undefined
  }
}

const waysOf = (node: AstNode, members: readonly string[]): readonly (SourceRange | undefined)[] =>
  members.map((member) => {
    const way = childAt(node, member)
    return way && rangeOf(way)
  })
