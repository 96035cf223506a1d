/** Explains a failed execution: the reason in words, and the Solidity stack over all frames. */

import type { CustomErrorNames } from '../../abi/revert-reason.ts'
import { toHex, type Address } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { LoggedFunction, LoggedStack } from '../../config/request-log.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import type { CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import { declaredContract, type SolidityFunction, type FailurePoint } from '../artifacts/solidity-ast.ts'
import { JUMPDEST, JUMPI, type SourceRange } from '../artifacts/source-map.ts'
import { linesOf } from '../artifacts/source-unit.ts'
import { isCreation } from '../replay/call-tree.ts'
import type { ExecutedFrame, FramePosition, LastCall } from './executed-frame.ts'
import { calledFunction, functionGraph, type FunctionGraph, type GraphStep } from './function-graph.ts'
import type { MappedCode, FunctionPlace } from './mapped-code.ts'
import {
  assemblyPoint,
  callPoint,
  creationPoint,
  expectedPoint,
  pointAt,
  onlyPoint,
  failureReason,
  type ExpectedPoint,
  type FailureKind,
  type FailureReason,
} from './reason.ts'

export interface ExplainedFailure {
  readonly reason: FailureReason
  /** Innermost function first. Uncertain functions are left out. */
  readonly stack: LoggedStack
}

/** Explains the failure of the outermost frame; undefined after a success. */
export function explainFailure(root: ExecutedFrame, nameOf: CustomErrorNames): ExplainedFailure | undefined {
  if (root.exit?.status === 'success') return undefined
  const entries: LoggedFunction[] = []
  let frame = root
  for (let call = passedOn(frame); call !== undefined; call = passedOn(frame)) {
    entries.push(...callerEntries(frame, call))
    frame = call.frame
  }
  const reason = failureReason(frame, nameOf)
  entries.push(...failedEntries(frame, reason))
  return { reason, stack: entries.toReversed() }
}

const RETURNDATACOPY = 0x3e

/** Before a REVERT that passes on a call's revert data, the compiler copies the data within this many bytes. */
const PASSING_BYTES = 16

/** The call whose failure the frame passed on unchanged; undefined if the failure began in the frame itself. */
export function passedOn({ exit, code, lastCall, mapped }: ExecutedFrame): LastCall | undefined {
  const inner = lastCall?.frame.exit
  if (exit?.status !== 'reverted' || inner === undefined || inner.status === 'success') return undefined
  const data = inner.status === 'failed' ? '0x' : toHex(inner.output)
  if (toHex(exit.output) !== data) return undefined
  const end = exit.position ?? 0
  if (code?.subarray(Math.max(0, end - PASSING_BYTES), end).includes(RETURNDATACOPY) === true) return lastCall
  // If no copy comes just before, only inline assembly passes data on. A later check may fail with equal data.
  const place = mapped?.placeAt(end)
  const isAssembly = place !== undefined && pointAt(place.within, place.range, assemblyPoint) !== undefined
  return data !== '0x' && (mapped === undefined || isAssembly) ? lastCall : undefined
}

function callerEntries(caller: ExecutedFrame, { frame, from }: LastCall): LoggedStack {
  const { mapped } = caller
  if (mapped === undefined || from === undefined) return [{ address: caller.to }]
  const expected = isCreation(frame) ? creationPoint : pointOfCall(mapped, frame.input)
  return entriesAt(caller, mapped, from, expected)
}

function pointOfCall({ contract }: MappedCode, input: Uint8Array): ExpectedPoint {
  const graph = functionGraph(contract)
  const selector = toHex(input.subarray(0, 4)).slice(2)
  return callPoint((declaration) => (graph.byId(declaration)?.selector ?? selector) === selector)
}

/** Failures before the called function's body has begun or after it has ended. */
const AT_HEAD: ReadonlySet<FailureKind> = new Set([
  'not payable',
  'invalid call data',
  'code too large',
  'invalid code',
  'deposit out of gas',
])

const AT_CONTRACT: ReadonlySet<FailureKind> = new Set(['function not found', 'library called directly'])

function failedEntries(frame: ExecutedFrame, reason: FailureReason): LoggedStack {
  const { mapped, walk, exit, to } = frame
  if (frame.isPrecompile || exit?.position === undefined) return []
  if (mapped === undefined || walk === undefined) return [{ address: to }]
  const { contract } = mapped
  if (AT_CONTRACT.has(reason.kind)) return [headEntry(to, contract, undefined)]
  if (AT_HEAD.has(reason.kind)) return [headEntry(to, contract, calledFunction(frame, contract))]
  const at = { functions: walk.functions(), position: exit.position }
  const call = frame.lastCall && pointOfCall(mapped, frame.lastCall.frame.input)
  return entriesAt(frame, mapped, at, expectedPoint(reason, call))
}

function entriesAt(
  frame: ExecutedFrame,
  mapped: MappedCode,
  at: FramePosition,
  expected: ExpectedPoint | undefined,
): LoggedStack {
  const { contract } = mapped
  const stack = frameStack({ mapped, at, called: calledFunction(frame, contract), expected })
  const graph = functionGraph(contract)
  if (stack.length === 0) return [contractEntry(frame.to, contract)]
  return stack.map((one) => entryOf(frame.to, one, present(graph.unitOf(one.within), 'source of a function')))
}

const entryOf = (address: Address, { within, range }: StackedFunction, unit: SourceUnit): LoggedFunction => ({
  address,
  contract: within.contract?.name,
  function: within.name,
  file: unit.path,
  ...placeIn(unit, range),
})

/** The entry of a function before its body has begun, or of the contract if no function is called. */
function headEntry(
  address: Address,
  contract: CompiledContract,
  called: SolidityFunction | undefined,
): LoggedFunction {
  const unit = called && functionGraph(contract).unitOf(called)
  if (called !== undefined && unit !== undefined)
    return entryOf(address, { within: called, range: called.range }, unit)
  const own = contract.compilation.sources.find(({ path }) => path === contract.path)
  return { ...contractEntry(address, contract), ...placeIn(own, declaredContract(contract)?.range) }
}

/** The entry of a contract without a certain function. */
const contractEntry = (
  address: Address,
  { name: contract, path: file, hint }: CompiledContract,
): LoggedFunction => ({ address, contract, file, hint })

function placeIn(
  unit: SourceUnit | undefined,
  range: SourceRange | undefined,
): Pick<LoggedFunction, 'line' | 'column' | 'excerpt'> {
  const lines = unit && linesOf(unit)
  if (lines === undefined || range === undefined) return {}
  const position = lines.positionOf(range.start)
  return { ...position, excerpt: lines.textOf(position.line).trim() }
}

interface StackedFunction {
  readonly within: SolidityFunction
  /** Its place; undefined if that is uncertain. */
  readonly range: SourceRange | undefined
}

interface FrameQuestion {
  readonly mapped: MappedCode
  readonly at: FramePosition
  /** The function called from outside; undefined if it is unknown. */
  readonly called: SolidityFunction | undefined
  /** The place where the frame must be. */
  readonly expected: ExpectedPoint | undefined
}

/** The functions that a frame is in, outermost first. */
function frameStack(question: FrameQuestion): readonly StackedFunction[] {
  const { mapped, at, called } = question
  const stack = new GrowingStack(functionGraph(mapped.contract), isOptimized(mapped), called)
  /** Jumps of the newest function into the compiler's code that leads to the end. */
  let sites: number[] = []
  for (const [index, { entry, site }] of at.functions.entries()) {
    const entered = index === 0 ? undefined : mapped.placeAt(entry)
    if (entered !== undefined) {
      const from = site === undefined ? undefined : mapped.placeAt(site)
      // Functions with equal code share it, so the place may belong to another one.
      if (!stack.enter(entered.within, from)) {
        stack.enterNamed(from)
        return finish(question, stack, [])
      }
      sites = []
    } else if (site !== undefined) sites.push(site)
  }
  const places = [...strongPositions(mapped, at), ...sites.toReversed()]
    .map((position) => mapped.placeAt(position))
    .filter((place) => place !== undefined)
  return finish(question, stack, places)
}

/** Adds the place of the end, and the functions on the way that the compiler has inlined. */
function finish(
  { mapped, expected }: FrameQuestion,
  stack: GrowingStack,
  places: readonly FunctionPlace[],
): readonly StackedFunction[] {
  if (expected === undefined) return stack.endingAt(plainPlace(places, stack)?.range)
  const graph = functionGraph(mapped.contract)
  for (const { within, range } of places) {
    for (const one of [within, ...graph.assemblyIn(within, range)]) {
      const point = pointAt(one, range, expected)
      if (point !== undefined && stack.reach(one))
        return stack.endingAt(stack.hasTwin(point) ? undefined : point.range)
    }
  }
  const only = expected.isComplete ? onlyPoint(stack.reachable(), expected) : undefined
  if (only !== undefined && stack.reach(only.within)) return stack.endingAt(only.point.range)
  return stack.endingAt(isOptimized(mapped) ? undefined : plainPlace(places, stack)?.range)
}

/** The last place in a function that can be running. */
const plainPlace = (places: readonly FunctionPlace[], stack: GrowingStack): FunctionPlace | undefined =>
  places.find(({ within }) => stack.reach(within))

const isOptimized = ({ contract }: MappedCode): boolean => contract.compilation.settings.isOptimized

/**
 * The positions from the last conditional jump to the frame's end, last first. They belong to the place of the end. In optimized
 * code jump targets are left out, because the optimizer merges equal blocks of several places.
 */
function strongPositions(mapped: MappedCode, { functions, position }: FramePosition): number[] {
  const blocks = functions.at(-1)?.blocks ?? []
  const found: number[] = []
  for (let index = blocks.length - 1; index >= 0; index--) {
    const start = blocks[index] ?? 0
    const end = index === blocks.length - 1 ? position : mapped.endOfRun(start)
    const isDecision = index < blocks.length - 1 && mapped.code[end] === JUMPI
    if (isDecision) {
      found.push(end)
      break
    }
    const isShared = isOptimized(mapped) && mapped.code[start] === JUMPDEST
    if (!isShared) found.push(...[...mapped.positions(start, end)].toReversed())
  }
  return found
}

/** The functions that a frame is in, as far as they are known. The stack grows only by steps that the sources allow. */
class GrowingStack {
  readonly #graph: FunctionGraph
  /** Whether equal functions may share their code. */
  readonly #isOptimized: boolean
  readonly #outer: StackedFunction[] = []
  #current: SolidityFunction | undefined

  /** Begins with the function called from outside, if it is known. */
  constructor(graph: FunctionGraph, isOptimized: boolean, called: SolidityFunction | undefined) {
    this.#graph = graph
    this.#isOptimized = isOptimized
    this.#current = called
  }

  /** Adds a function that is entered from a place; false if the sources do not allow it. */
  enter(target: SolidityFunction, site: FunctionPlace | undefined): boolean {
    if (site !== undefined && isPlaceholder(site)) return this.#leaveModifier(target)
    const use = site && this.#graph.useAt(site.within, site.range, target)
    if (site === undefined || use === undefined) return !this.#namesAnother(site) && this.reach(target)
    if (!this.reach(site.within)) return false
    this.#outer.push({ within: site.within, range: use.range })
    this.#current = target
    return true
  }

  /** Adds the functions on the way to a running function; false if the sources allow no way. */
  reach(target: SolidityFunction): boolean {
    const current = this.#current
    if (current === target) return true
    if (this.#isOptimized && current !== undefined && this.#graph.hasTwin(current, target)) return false
    const steps = current && !areSiblings(current, target) ? this.#stepsTo(current, target) : []
    if (steps === undefined) return false
    for (const { from, use } of steps) this.#outer.push({ within: from, range: use?.range })
    this.#current = target
    return true
  }

  /** A modifier runs before the calls of its function. If every call is known, the modifier named in the head is therefore certain. */
  #stepsTo(current: SolidityFunction, target: SolidityFunction): readonly GraphStep[] | undefined {
    const named = current.uses.filter(
      (use) => use.isInHead && this.#graph.targetsOf(use)?.includes(target) === true,
    )
    return !this.#isOptimized && target.kind === 'modifier' && named.length === 1
      ? [{ from: current, use: named[0] }]
      : this.#graph.path(current, target)
  }

  /** The functions that may be running now; empty if some are unknown. */
  reachable(): ReadonlySet<SolidityFunction> {
    const reached =
      this.#current === undefined ? new Set<SolidityFunction>() : this.#graph.reachedFrom(this.#current)
    const isKnown = [...reached].every(({ uses }) =>
      uses.every((use) => this.#graph.targetsOf(use) !== undefined),
    )
    return isKnown ? reached : new Set()
  }

  endingAt(range: SourceRange | undefined): readonly StackedFunction[] {
    const current = this.#current
    if (current === undefined) return this.#outer
    // A variable's place is its declaration.
    const place = current.kind === 'variable' ? (range ?? current.range) : range
    return [...this.#outer, { within: current, range: place }]
  }

  /** Whether another place that may be running has the same text as one in the reached function. */
  hasTwin({ range, kind }: FailurePoint): boolean {
    const current = this.#current
    if (!this.#isOptimized || current === undefined) return false
    const text = this.#graph.textOf(current, range)
    return [...this.#graph.reachedFrom(current)].some((one) =>
      one.points.some(
        (point) =>
          point.kind === kind &&
          (one !== current || point.range !== range) &&
          this.#graph.textOf(one, point.range) === text,
      ),
    )
  }

  /** Whether the source names another function at a place of the innermost function. */
  #namesAnother(site: FunctionPlace | undefined): boolean {
    return (
      site?.within === this.#current &&
      site?.within.uses.some(({ range }) => containsRange(range, site.range)) === true
    )
  }

  /** Adds the function that the source names at a place, if the place is certain and names exactly one. */
  enterNamed(site: FunctionPlace | undefined): void {
    if (site === undefined || site.within !== this.#current) return
    const use = site.within.uses.findLast(({ range }) => containsRange(range, site.range))
    const targets = use && this.#graph.targetsOf(use)
    if (use === undefined || targets?.length !== 1) return
    this.#outer.push({ within: site.within, range: use.range })
    this.#current = targets[0]
  }

  /** A modifier continues with the function or its next modifier, which the function has named. */
  #leaveModifier(target: SolidityFunction): boolean {
    while (this.#current?.kind === 'modifier' && this.#current !== target) {
      this.#current = this.#outer.pop()?.within
    }
    return this.reach(target)
  }
}

const isPlaceholder = ({ within, range }: FunctionPlace): boolean =>
  within.placeholders.some((placeholder) => containsRange(placeholder, range))

/** Whether both run in sequence in a creation: base constructors and initial values of variables. */
const areSiblings = (one: SolidityFunction, other: SolidityFunction): boolean =>
  one.kind === 'constructor' && (other.kind === 'constructor' || other.kind === 'variable')
