/** The functions and statements of a source, each statement with the variables in scope (from the AST of solc). */

import {
  childAt,
  containsRange,
  isAstNode,
  listAt,
  numberAt,
  rangeOf,
  textAt,
  typeIn,
} from '../artifacts/ast-node.ts'
import type { AstNode } from '../artifacts/ast-node.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { oncePer } from '../../base/once.ts'

/** Where the data of a variable is: `default` for value types. */
export type DataLocation = 'default' | 'memory' | 'storage' | 'calldata'

/** A parameter, a return variable or a local variable. */
export interface DeclaredVariable {
  /** Undefined in inline assembly. */
  readonly id: number | undefined
  /** Empty for a parameter without a name. */
  readonly name: string
  readonly node: AstNode
  readonly location: DataLocation
  /** Number of words on the stack. */
  readonly slots: number
  readonly kind: 'parameter' | 'return' | 'local' | 'assembly'
}

/** Kinds of what can be running. */
export type CodeUnitKind = 'function' | 'modifier' | 'constructor' | 'assembly' | 'variable'

/** A function, a modifier, or a state variable with its getter and its first value. */
export interface DebugFunction {
  readonly kind: CodeUnitKind
  readonly name: string
  /** Name and id of its contract; undefined for a function outside of contracts. */
  readonly contract: string | undefined
  readonly contractId: number | undefined
  readonly node: AstNode
  readonly unit: SourceUnit
  readonly range: SourceRange
  readonly parameters: readonly DeclaredVariable[]
  readonly returns: readonly DeclaredVariable[]
  /** In the order of the source. */
  readonly statements: readonly DebugStatement[]
  /** Of each `_` in a modifier, the variables in scope. */
  readonly placeholders: readonly (readonly DeclaredVariable[])[]
}

/** A statement at which the debugger stops. */
export interface DebugStatement {
  readonly node: AstNode
  readonly within: DebugFunction
  /** What is shown of it: of an `if` or a loop the condition, of a `try` the call. */
  readonly range: SourceRange
  /** Variables in scope when it begins, without parameters and return variables, in the order of their declaration. */
  readonly scope: readonly DeclaredVariable[]
  /** Variables that it declares. */
  readonly declares: readonly DeclaredVariable[]
}

/** The functions of a source. */
export interface SourceIndex {
  readonly functions: readonly DebugFunction[]
  /** The innermost function that contains a part of the source. */
  functionAt(range: SourceRange): DebugFunction | undefined
  /** The function that covers exactly a part of the source. */
  functionFrom(range: SourceRange): DebugFunction | undefined
}

const KINDS: Readonly<Record<string, CodeUnitKind>> = {
  FunctionDefinition: 'function',
  ModifierDefinition: 'modifier',
  YulFunctionDefinition: 'assembly',
}

/** The index of a source, made at the first call; undefined without the AST. */
export const sourceIndex = oncePer((unit: SourceUnit): SourceIndex | undefined => {
  if (!isAstNode(unit.ast)) return undefined
  const functions = listAt(unit.ast, 'nodes').flatMap((node) =>
    node.nodeType === 'ContractDefinition'
      ? listAt(node, 'nodes').flatMap((part) => functionOf(part, unit, node))
      : functionOf(node, unit, undefined),
  )
  const byRange = new Map(functions.map((one) => [keyOf(one.range), one]))
  return {
    functions,
    functionAt: (range) => functions.findLast((one) => containsRange(one.range, range)),
    functionFrom: (range) => byRange.get(keyOf(range)),
  }
})

const keyOf = ({ start, end }: SourceRange): string => `${start}:${end}`

function functionOf(
  node: AstNode,
  unit: SourceUnit,
  contract: AstNode | undefined,
): readonly DebugFunction[] {
  const kind = kindOf(node)
  if (kind === undefined) return []
  const statements: DebugStatement[] = []
  const placeholders: (readonly DeclaredVariable[])[] = []
  const given = kind === 'variable' ? undefined : node
  const one: DebugFunction = {
    kind,
    name: textAt(node, 'name') || (textAt(node, 'kind') ?? 'fallback'),
    contract: textAt(contract, 'name'),
    contractId: numberAt(contract, 'id'),
    node,
    unit,
    range: rangeOf(node),
    parameters: variablesIn(childAt(given, 'parameters'), 'parameter'),
    returns: variablesIn(childAt(given, 'returnParameters'), 'return'),
    statements,
    placeholders,
  }
  const walk = new StatementWalk(one, statements, placeholders)
  const body = childAt(node, 'body')
  if (kind === 'variable') walk.add(node, node, [])
  else if (body !== undefined) walk.visit(body, [])
  return [one]
}

function kindOf(node: AstNode): CodeUnitKind | undefined {
  if (node.nodeType === 'VariableDeclaration') return node['constant'] === true ? undefined : 'variable'
  const isConstructor = textAt(node, 'kind') === 'constructor' || node['isConstructor'] === true
  return isConstructor ? 'constructor' : KINDS[node.nodeType]
}

const variablesIn = (
  list: AstNode | undefined,
  kind: DeclaredVariable['kind'],
): readonly DeclaredVariable[] =>
  list === undefined ? [] : listAt(list, 'parameters').map((node) => variableOf(node, kind))

function variableOf(node: AstNode, kind: DeclaredVariable['kind']): DeclaredVariable {
  const location = textAt(node, 'storageLocation')
  return {
    id: numberAt(node, 'id'),
    name: textAt(node, 'name') ?? '',
    node,
    location:
      location === 'memory' || location === 'storage' || location === 'calldata' ? location : 'default',
    slots: slotsOf(typeIn(node, 'typeString')),
    kind,
  }
}

/** Words on the stack: offset and length of what is dynamic in the call data, address and selector of an external function. */
const slotsOf = (type: string): number =>
  /(^bytes|^string|\[\]) calldata( slice)?$/.test(type) || /^function \(.*\).* external/.test(type) ? 2 : 1

/** Collects the statements of one function. A scope is a list of the variables declared before. */
class StatementWalk {
  readonly #within: DebugFunction
  readonly #statements: DebugStatement[]
  readonly #placeholders: (readonly DeclaredVariable[])[]

  constructor(
    within: DebugFunction,
    statements: DebugStatement[],
    placeholders: (readonly DeclaredVariable[])[],
  ) {
    this.#within = within
    this.#statements = statements
    this.#placeholders = placeholders
  }

  add(
    node: AstNode,
    shown: AstNode,
    scope: readonly DeclaredVariable[],
    declares: readonly DeclaredVariable[] = [],
  ): void {
    this.#statements.push({ node, within: this.#within, range: rangeOf(shown), scope, declares })
  }

  /** Visits a statement; returns the scope of the next one. */
  visit(node: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    switch (node.nodeType) {
      case 'Block':
      case 'UncheckedBlock':
        this.#sequence(listAt(node, 'statements'), scope)
        return scope
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.add(node, childAt(node, 'condition') ?? node, scope)
        for (const member of ['trueBody', 'falseBody', 'body']) this.#inner(childAt(node, member), scope)
        return scope
      case 'ForStatement':
        this.#visitFor(node, scope)
        return scope
      case 'TryStatement':
        this.add(node, childAt(node, 'externalCall') ?? node, scope)
        for (const clause of listAt(node, 'clauses'))
          this.#inner(childAt(clause, 'block'), [
            ...scope,
            ...variablesIn(childAt(clause, 'parameters'), 'local'),
          ])
        return scope
      case 'VariableDeclarationStatement': {
        const declares = listAt(node, 'declarations').map((one) => variableOf(one, 'local'))
        this.add(node, node, scope, declares)
        return [...scope, ...declares]
      }
      case 'InlineAssembly':
        this.#visitAssembly(node, scope)
        return scope
      case 'PlaceholderStatement':
        this.#placeholders.push(scope)
        return scope
      default:
        this.add(node, node, scope)
        return scope
    }
  }

  #sequence(nodes: readonly AstNode[], scope: readonly DeclaredVariable[]): void {
    let inner = scope
    for (const node of nodes) inner = this.visit(node, inner)
  }

  #inner(node: AstNode | undefined, scope: readonly DeclaredVariable[]): void {
    if (node !== undefined) this.visit(node, scope)
  }

  #visitFor(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const first = childAt(node, 'initializationExpression')
    const inner = first === undefined ? scope : this.visit(first, scope)
    const condition = childAt(node, 'condition')
    if (condition !== undefined) this.add(node, condition, inner)
    this.#inner(childAt(node, 'loopExpression'), inner)
    this.#inner(childAt(node, 'body'), inner)
  }

  /** Since 0.6.11 the AST has the content of inline assembly. */
  #visitAssembly(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const block = childAt(node, 'AST')
    if (block === undefined) this.add(node, node, scope)
    else this.#visitYul(block, scope)
  }

  /** Visits a statement of inline assembly; returns the scope of the next one. */
  #visitYul(node: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    switch (node.nodeType) {
      case 'YulBlock':
        this.#yulSequence(node, scope)
        return scope
      case 'YulFunctionDefinition':
        return scope
      case 'YulVariableDeclaration': {
        const declares = listAt(node, 'variables').map((one) => assemblyVariable(one))
        this.add(node, node, scope, declares)
        return [...scope, ...declares]
      }
      case 'YulIf':
        this.add(node, childAt(node, 'condition') ?? node, scope)
        this.#visitYulIn(childAt(node, 'body'), scope)
        return scope
      case 'YulSwitch':
        this.add(node, childAt(node, 'expression') ?? node, scope)
        for (const one of listAt(node, 'cases')) this.#visitYulIn(childAt(one, 'body'), scope)
        return scope
      case 'YulForLoop': {
        const first = childAt(node, 'pre')
        const inner = first === undefined ? scope : this.#yulSequence(first, scope)
        this.add(node, childAt(node, 'condition') ?? node, inner)
        this.#visitYulIn(childAt(node, 'post'), inner)
        this.#visitYulIn(childAt(node, 'body'), inner)
        return scope
      }
      default:
        this.add(node, node, scope)
        return scope
    }
  }

  #visitYulIn(node: AstNode | undefined, scope: readonly DeclaredVariable[]): void {
    if (node !== undefined) this.#visitYul(node, scope)
  }

  #yulSequence(block: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    let inner = scope
    for (const node of listAt(block, 'statements')) inner = this.#visitYul(node, inner)
    return inner
  }
}

const assemblyVariable = (node: AstNode): DeclaredVariable => ({
  id: undefined,
  name: textAt(node, 'name') ?? '',
  node,
  location: 'default',
  slots: 1,
  kind: 'assembly',
})
