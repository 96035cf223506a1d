/** The functions in a contract's sources, and their calls of each other. */

import { functionRun } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { toHex } from '../../base/hex.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import type { CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import { linesOf } from '../artifacts/source-unit.ts'
import { getOrAdd, oncePer } from '../../base/once.ts'
import {
  declaredContract,
  neededSources,
  soliditySource,
  type FunctionUse,
  type SolidityContract,
  type SolidityFunction,
} from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { EnterEvent } from '../../evm/observer.ts'
import { isCreation } from '../replay/call-tree.ts'

/** A step from a function to one that it uses. The use is undefined if its place is uncertain. */
export interface GraphStep {
  readonly from: SolidityFunction
  readonly use: FunctionUse | undefined
}

/** The functions in the source of a contract and in those that it imports. */
export class FunctionGraph {
  readonly #units = new Map<SolidityFunction, SourceUnit>()
  readonly #byId = new Map<number, SolidityFunction>()
  readonly #byName = new Map<string, SolidityFunction[]>()
  readonly #byContract = new Map<number | undefined, SolidityFunction[]>()
  readonly #contracts: SolidityContract[] = []

  constructor(contract: CompiledContract) {
    for (const unit of neededSources(contract)) {
      const source = soliditySource(unit.ast)
      this.#contracts.push(...(source?.contracts ?? []))
      for (const one of source?.functions ?? []) this.#add(one, unit)
    }
  }

  unitOf(one: SolidityFunction): SourceUnit | undefined {
    return this.#units.get(one)
  }

  assemblyIn(within: SolidityFunction, range: SourceRange): readonly SolidityFunction[] {
    const unit = this.#units.get(within)
    const functions = soliditySource(unit?.ast)?.functions ?? []
    return functions.filter((one) => isAssembly(one) && containsRange(range, one.range))
  }

  byId(id: number): SolidityFunction | undefined {
    return this.#byId.get(id)
  }

  /** The first matching function in the contract and its base contracts, most derived first. */
  inherited(
    contract: SolidityContract,
    isWanted: (one: SolidityFunction) => boolean,
  ): SolidityFunction | undefined {
    return contract.linearization.flatMap((id) => this.#byContract.get(id) ?? []).find(isWanted)
  }

  /**
   * The functions that a use can run: the named one and, because it may be overridden, those with the same name. Undefined for a
   * variable of function type, which can be any.
   */
  targetsOf({ name, declaration }: FunctionUse): readonly SolidityFunction[] | undefined {
    // In inline assembly the others are instructions.
    if (declaration === undefined) return (this.#byName.get(name ?? '') ?? []).filter(isAssembly)
    const declared = this.#byId.get(declaration)
    if (declared !== undefined && declared.kind !== 'variable') return this.#overridesOf(declared)
    const base = this.#contracts.find(({ id }) => id === declaration)
    if (base === undefined) return undefined
    return (this.#byName.get('constructor') ?? []).filter(({ contract }) => contract === base)
  }

  #overridesOf(declared: SolidityFunction): readonly SolidityFunction[] {
    // An override that can be overridden again is virtual too; otherwise it is the last one.
    const sameName = this.#byName.get(declared.name) ?? []
    return declared.isVirtual
      ? sameName.filter(({ parameters }) => parameters === declared.parameters)
      : [declared]
  }

  /** The use at a part of a function's source, if it can run the target. */
  useAt(from: SolidityFunction, range: SourceRange, target: SolidityFunction): FunctionUse | undefined {
    return from.uses.findLast(
      (use) => containsRange(use.range, range) && (this.targetsOf(use)?.includes(target) ?? true),
    )
  }

  /** Functions that can run while the function runs, including itself. */
  readonly reachedFrom = oncePer((from: SolidityFunction): ReadonlySet<SolidityFunction> => {
    const reached = new Set([from])
    for (const one of reached) {
      for (const use of one.uses) for (const target of this.targetsOf(use) ?? []) reached.add(target)
    }
    return reached
  })

  /**
   * The steps from a function to one that runs inside it. Only steps that the sources determine have a use; between them there may
   * be more. Undefined if the sources allow no way.
   */
  path(from: SolidityFunction, to: SolidityFunction): readonly GraphStep[] | undefined {
    const steps: GraphStep[] = []
    const seen = new Set<SolidityFunction>()
    let at = from
    while (at !== to) {
      const uses = at.uses.filter((use) => this.#leadsTo(use, to))
      if (uses.length === 0 || seen.has(at)) return undefined
      seen.add(at)
      const use = uses.length === 1 ? uses[0] : undefined
      steps.push({ from: at, use })
      const targets = use && this.targetsOf(use)?.filter((target) => this.reachedFrom(target).has(to))
      const next = targets?.includes(to) === true ? to : targets?.[0]
      if (next === undefined || targets?.length !== 1) return steps
      at = next
    }
    return steps
  }

  /** Whether another function that can run meanwhile has the same body, because the optimizer merges equal bodies. */
  hasTwin(from: SolidityFunction, target: SolidityFunction): boolean {
    const text = this.textOf(target, target.body)
    if (text === undefined) return false
    return [...this.reachedFrom(from)].some((one) => one !== target && this.textOf(one, one.body) === text)
  }

  textOf(one: SolidityFunction, range: SourceRange | undefined): string | undefined {
    const unit = this.#units.get(one)
    const text = unit && range && linesOf(unit)?.excerpt(range.start, range.end)
    return text?.replace(/\/\/[^\n]*|\/\*.*?\*\/|\s+/gs, '')
  }

  #leadsTo(use: FunctionUse, to: SolidityFunction): boolean {
    const targets = this.targetsOf(use)
    return targets === undefined || targets.some((target) => this.reachedFrom(target).has(to))
  }

  #add(one: SolidityFunction, unit: SourceUnit): void {
    this.#units.set(one, unit)
    if (one.id !== undefined) this.#byId.set(one.id, one)
    getOrAdd(this.#byName, one.name, () => []).push(one)
    getOrAdd(this.#byContract, one.contract?.id, () => []).push(one)
  }
}

const isAssembly = ({ kind }: SolidityFunction): boolean => kind === 'assembly'

/** The functions in a contract's code, read at the first call: a build info has the sources of the whole project. */
export const functionGraph = oncePer((contract: CompiledContract) => new FunctionGraph(contract))

/**
 * The function that a frame calls. Undefined if it is unknown, and for a contract without its own constructor, whose creation runs
 * code of base contracts and variables.
 */
export function calledFunction(
  frame: Pick<EnterEvent, 'kind' | 'input'>,
  contract: CompiledContract,
): SolidityFunction | undefined {
  const graph = functionGraph(contract)
  const declared = declaredContract(contract)
  if (declared === undefined) return undefined
  if (isCreation(frame)) {
    const first = graph.inherited(declared, ({ kind }) => kind === 'constructor')
    return first?.contract === declared ? first : undefined
  }
  const selector = toHex(frame.input.subarray(0, SELECTOR_LENGTH)).slice(2)
  const named = graph.inherited(declared, (one) => one.selector === selector)
  if (named !== undefined) return named
  const type = functionRun(contract.abi, frame.input)?.type
  return type === 'function' ? undefined : graph.inherited(declared, ({ kind }) => kind === type)
}
