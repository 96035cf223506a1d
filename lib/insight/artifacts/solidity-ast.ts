/** The contracts and functions of a source, from solc's AST, and the places where functions can fail. modules/coverage reads statements. */

import type { AbiFragment } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { toHex } from '../../base/hex.ts'
import { once, oncePer } from '../../base/once.ts'
import {
  childAt,
  containsRange,
  listAt,
  nodesIn,
  numberAt,
  rangeOf,
  textAt,
  typeIn,
  typeOf,
  type AstNode,
} from './ast-node.ts'
import { projectPath } from './build-info.ts'
import type { CompiledContract, SourceUnit } from './compilation.ts'
import type { SourceRange } from './source-map.ts'

export interface SolidityContract {
  readonly id: number | undefined
  readonly name: string
  readonly kind: string
  readonly range: SourceRange
  readonly linearization: readonly number[]
}

/** Kinds of functions. A `variable` is a getter or an initial value, `assembly` a function in inline assembly. */
type SolidityFunctionKind =
  | 'function'
  | 'constructor'
  | 'fallback'
  | 'receive'
  | 'modifier'
  | 'variable'
  | 'assembly'

export interface FunctionUse {
  /** The name used at this place. A function type or an alias can differ from the function's name. */
  readonly name: string | undefined
  /** Id of the declaration. A virtual function may be overridden. Undefined in inline assembly. */
  readonly declaration: number | undefined
  readonly range: SourceRange
  /** Whether it is in a function's head: a modifier, or a base contract's constructor. */
  readonly isInHead: boolean
}

export interface SolidityFunction {
  readonly node: AstNode
  readonly id: number | undefined
  readonly kind: SolidityFunctionKind
  /** Functions without a name are called `constructor`, `fallback` and `receive`. */
  readonly name: string
  /** Parameter types as solc identifies them, which distinguish overloaded functions. */
  readonly parameters: string
  /** Whether another function may run in its place. */
  readonly isVirtual: boolean
  /** Undefined for a function outside of contracts. */
  readonly contract: SolidityContract | undefined
  readonly range: SourceRange
  /** Undefined for a function without a body and for a variable. */
  readonly body: SourceRange | undefined
  /** Selector as eight hex digits; undefined if the function is not external. solc writes it since 0.5.13. */
  readonly selector: string | undefined
  readonly uses: readonly FunctionUse[]
  readonly placeholders: readonly SourceRange[]
  /** Places where it can fail. */
  readonly points: readonly FailurePoint[]
}

const sourceOf = oncePer((ast: AstNode) => {
  const nodes = nodesIn(ast)
  const contracts = nodes.filter(({ nodeType }) => nodeType === 'ContractDefinition').map(contractOf)
  const functions = nodes.flatMap((node) => {
    const kind = kindOf(node)
    if (kind === undefined) return []
    const contract = contracts.find(({ range }) => containsRange(range, rangeOf(node)))
    return functionOf(node, kind, contract)
  })
  return {
    contracts,
    functions,
    /** Names of the sources that it imports, as the compiler knows them. */
    imports: nodes.flatMap((node) =>
      node.nodeType === 'ImportDirective' ? (textAt(node, 'absolutePath') ?? []) : [],
    ),
    functionAt: (range: SourceRange): SolidityFunction | undefined =>
      functions.findLast((declared) => containsRange(declared.range, range)),
  }
})

/** Contracts and functions of a source. Its AST is read at the first call. */
export const soliditySource = (ast: AstNode | undefined) => ast && sourceOf(ast)

const ownSource = ({ path, compilation: { sources } }: CompiledContract): SourceUnit | undefined =>
  sources.find((unit) => unit.path === path)

/** The declaration of a compiled contract; undefined without the AST. */
export function declaredContract(compiled: CompiledContract): SolidityContract | undefined {
  return soliditySource(ownSource(compiled)?.ast)?.contracts.find(({ name }) => name === compiled.name)
}

/**
 * The called function of a library, with types such as `Lib.Data storage`; undefined without the AST. An ABI lacks library
 * functions that change state, because only contracts can call them.
 */
export function libraryFunction(compiled: CompiledContract, input: Uint8Array): AbiFragment | undefined {
  const declared = declaredContract(compiled)
  if (declared?.kind !== 'library') return undefined
  const selector = toHex(input.subarray(0, SELECTOR_LENGTH)).slice(2)
  const called = soliditySource(ownSource(compiled)?.ast)?.functions.find(
    (candidate) => candidate.contract === declared && candidate.selector === selector,
  )
  if (called === undefined) return undefined
  const inputs = parametersIn(called.node).map((parameter) => ({ type: signatureType(parameter) }))
  return { type: 'function', name: called.name, inputs }
}

function signatureType(parameter: AstNode): string {
  const type = typeIn(parameter, 'typeString').replace(/\b(?:struct|enum|contract) | payable\b/g, '')
  return textAt(parameter, 'storageLocation') === 'storage' ? `${type} storage` : type
}

/** A contract's source and its imports, in the order of the compilation. */
export function neededSources(compiled: CompiledContract): readonly SourceUnit[] {
  const { sources } = compiled.compilation
  const byPath = new Map(sources.map((unit) => [unit.path, unit]))
  const needed = new Set([byPath.get(compiled.path)])
  for (const unit of needed) {
    // If a tool's path for a source differs from the compiler's, every source may be needed.
    if (unit === undefined) return sources
    for (const name of soliditySource(unit.ast)?.imports ?? []) {
      needed.add(byPath.get(name) ?? byPath.get(projectPath(name)))
    }
  }
  return sources.filter((unit) => needed.has(unit))
}

function contractOf(node: AstNode): SolidityContract {
  const bases = node['linearizedBaseContracts']
  return {
    id: numberAt(node, 'id'),
    name: textAt(node, 'name') ?? '',
    linearization: Array.isArray(bases) ? bases.filter((base) => typeof base === 'number') : [],
    kind: textAt(node, 'contractKind') ?? 'contract',
    range: rangeOf(node),
  }
}

function kindOf(node: AstNode): SolidityFunctionKind | undefined {
  switch (node.nodeType) {
    case 'FunctionDefinition': {
      const kind = textAt(node, 'kind')
      if (kind === 'constructor' || kind === 'fallback' || kind === 'receive') return kind
      // Before 0.5 the AST has no kind.
      if (node['isConstructor'] === true) return 'constructor'
      return textAt(node, 'name') === '' ? 'fallback' : 'function'
    }
    case 'ModifierDefinition':
      return 'modifier'
    case 'YulFunctionDefinition':
      return 'assembly'
    case 'VariableDeclaration':
      // A constant's value is computed by the functions that use it.
      return node['stateVariable'] === true && node['constant'] !== true ? 'variable' : undefined
    default:
      return undefined
  }
}

function functionOf(
  node: AstNode,
  kind: SolidityFunctionKind,
  contract: SolidityContract | undefined,
): SolidityFunction {
  const isNameless = kind === 'constructor' || kind === 'fallback' || kind === 'receive'
  const body = childAt(node, 'body')
  const details = once(() => detailsOf(node))
  return {
    node,
    id: numberAt(node, 'id'),
    kind,
    name: isNameless ? kind : (textAt(node, 'name') ?? ''),
    parameters: parametersIn(node).map(typeOf).join(','),
    // Before 0.6 every function that is not private can be overridden.
    isVirtual: node['virtual'] !== false && textAt(node, 'visibility') !== 'private',
    contract,
    range: rangeOf(node),
    body: body && rangeOf(body),
    selector: textAt(node, 'functionSelector'),
    get uses() {
      return details().uses
    },
    get placeholders() {
      return details().placeholders
    },
    get points() {
      return details().points
    },
  }
}

/** The content of a function. Only explanations read it. */
function detailsOf(node: AstNode): Pick<SolidityFunction, 'uses' | 'placeholders' | 'points'> {
  // A function of inline assembly has its own content.
  const inside = nodesIn(node, (inner) => inner !== node && inner.nodeType === 'YulFunctionDefinition')
  return {
    uses: inside.map(useOf).filter((use) => use !== undefined),
    placeholders: inside.filter(({ nodeType }) => nodeType === 'PlaceholderStatement').map(rangeOf),
    points: failurePoints(inside),
  }
}

const parametersIn = (node: AstNode): readonly AstNode[] =>
  listAt(childAt(node, 'parameters') ?? node, 'parameters')

function useOf(node: AstNode): FunctionUse | undefined {
  const place = { range: rangeOf(node), isInHead: node.nodeType === 'ModifierInvocation' }
  switch (node.nodeType) {
    case 'FunctionCall': {
      const called = calledOf(node)
      if (!typeOf(called).startsWith('t_function_internal')) return undefined
      return { ...place, name: calledName(node), declaration: numberAt(called, 'referencedDeclaration') }
    }
    case 'ModifierInvocation': {
      const named = childAt(node, 'modifierName')
      return { ...place, name: textAt(named, 'name'), declaration: numberAt(named, 'referencedDeclaration') }
    }
    case 'UnaryOperation':
    case 'BinaryOperation': {
      // A user-defined operator (since 0.8.19).
      const declaration = numberAt(node, 'function')
      return declaration === undefined ? undefined : { ...place, name: undefined, declaration }
    }
    case 'YulFunctionCall':
      return { ...place, name: textAt(childAt(node, 'functionName'), 'name'), declaration: undefined }
    default:
      return undefined
  }
}

/** How a place can make a function fail. */
export type FailurePointKind =
  | 'text'
  | 'custom error'
  | 'bare'
  | 'assert'
  | 'arithmetic'
  | 'division'
  | 'index'
  | 'slice'
  | 'pop'
  | 'decode'
  | 'enum'
  | 'assembly'
  | 'call'
  | 'creation'

export interface FailurePoint {
  readonly kind: FailurePointKind
  readonly range: SourceRange
  /** Literal text of a `require` or `revert`, or name of a custom error; undefined if the source does not contain it. */
  readonly text: string | undefined
  /** Id of the called function. */
  readonly declaration: number | undefined
}

type Found = Pick<FailurePoint, 'kind'> & Partial<FailurePoint>

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '**', '/', '++', '--'])
const DIVISION: ReadonlySet<string> = new Set(['/', '%'])

/** Builtin functions that call another account. */
const SENDING = /^(?:transfer|send|call|delegatecall|staticcall|callcode)$/

const failurePoints = (nodes: readonly AstNode[]): readonly FailurePoint[] =>
  nodes.flatMap((node) =>
    foundAt(node).map((point) => ({
      text: undefined,
      declaration: undefined,
      range: rangeOf(node),
      ...point,
    })),
  )

function foundAt(node: AstNode): readonly Found[] {
  switch (node.nodeType) {
    case 'FunctionCall':
      return callAt(node)
    case 'RevertStatement':
      return [{ kind: 'custom error', text: calledName(childAt(node, 'errorCall')) }]
    case 'YulFunctionCall': {
      const kind = ASSEMBLY.get(textAt(childAt(node, 'functionName'), 'name'))
      return kind === undefined ? [] : [{ kind }]
    }
    case 'IndexAccess':
      return [{ kind: 'index' }]
    case 'IndexRangeAccess':
      return [{ kind: 'slice' }]
    case 'BinaryOperation':
    case 'UnaryOperation':
    case 'Assignment':
      return operationAt(node)
    default:
      return []
  }
}

function operationAt(node: AstNode): readonly Found[] {
  const operator = (textAt(node, 'operator') ?? '').replace(/(?<=.)=$/, '')
  const points: Found[] = []
  if (ARITHMETIC.has(operator)) points.push({ kind: 'arithmetic' })
  if (DIVISION.has(operator)) points.push({ kind: 'division' })
  return points
}

function callAt(node: AstNode): readonly Found[] {
  const name = calledName(node)
  const called = calledOf(node)
  if (node['kind'] === 'typeConversion') return typeOf(node).startsWith('t_enum') ? [{ kind: 'enum' }] : []
  const type = typeOf(called)
  if (type.startsWith('t_function_creation')) return [{ kind: 'creation' }]
  if (type.startsWith('t_function_external') || type.startsWith('t_function_delegatecall'))
    return [{ kind: 'call', text: name, declaration: numberAt(called, 'referencedDeclaration') }]
  if (type.startsWith('t_function_bare') || (SENDING.test(name ?? '') && called?.nodeType === 'MemberAccess'))
    return [{ kind: 'call' }]
  if (name === 'decode' && typeOf(childAt(called ?? node, 'expression')).startsWith('t_magic_abi'))
    return [{ kind: 'decode' }]
  if (called?.nodeType === 'Identifier') return builtinAt(name, listAt(node, 'arguments'))
  return name === 'pop' ? [{ kind: 'pop' }] : []
}

const ASSEMBLY: ReadonlyMap<string | undefined, FailurePointKind> = new Map([
  ['revert', 'assembly'],
  ['invalid', 'assembly'],
  ['call', 'call'],
  ['callcode', 'call'],
  ['delegatecall', 'call'],
  ['staticcall', 'call'],
  ['create', 'creation'],
  ['create2', 'creation'],
])

function builtinAt(name: string | undefined, values: readonly AstNode[]): readonly Found[] {
  if (name === 'require') return [reasonOf(values[1])]
  if (name === 'revert') return [reasonOf(values[0])]
  if (name === 'assert') return [{ kind: 'assert' }]
  return name === 'addmod' || name === 'mulmod' ? [{ kind: 'division' }] : []
}

function reasonOf(value: AstNode | undefined): Found {
  if (value === undefined) return { kind: 'bare' }
  // Since 0.8.26 `require` accepts a custom error.
  if (value.nodeType === 'FunctionCall' && typeOf(value).startsWith('t_error'))
    return { kind: 'custom error', text: calledName(value) }
  return { kind: 'text', text: value.nodeType === 'Literal' ? textAt(value, 'value') : undefined }
}

function calledName(call: AstNode | undefined): string | undefined {
  const called = call && calledOf(call)
  return textAt(called, 'memberName') ?? textAt(called, 'name')
}

/** The called expression, without options such as `{value: 1}`. */
function calledOf(call: AstNode): AstNode | undefined {
  let called = childAt(call, 'expression')
  while (called?.nodeType === 'FunctionCallOptions') called = childAt(called, 'expression')
  return called
}
