/** The functions of Solidity that one frame is in: as many as are certain, each with its place if that is certain. */

import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import { GrowingStack, type StackedFunction } from './growing-stack.ts'
import type { FramePosition } from './executed-frame.ts'
import { onlyPoint, pointAt, type ExpectedPoint } from './expected-points.ts'
import { functionGraph } from './function-graph.ts'
import { JUMPDEST, JUMPI } from '../artifacts/source-map.ts'
import type { FunctionPlace, MappedCode } from './mapped-code.ts'

/** A frame whose functions are wanted. */
export interface FrameQuestion {
  readonly mapped: MappedCode
  readonly at: FramePosition
  /** The function that was called from outside; undefined if it is not known. */
  readonly called: SolidityFunction | undefined
  /** The place at which the frame must be. */
  readonly expected: ExpectedPoint | undefined
}

/** The functions that a frame is in, outermost first. */
export function frameStack(question: FrameQuestion): readonly StackedFunction[] {
  const { mapped, at, called } = question
  const stack = new GrowingStack(functionGraph(mapped.contract), isOptimized(mapped), called)
  /** Jumps of the newest function into code of the compiler, which lead to the end. */
  let sites: number[] = []
  for (const [index, { entry, site }] of at.functions.entries()) {
    const entered = index === 0 ? undefined : mapped.placeAt(entry)
    if (entered !== undefined) {
      const from = site === undefined ? undefined : mapped.placeAt(site)
      // Functions with equal code share it, so that the place can be that of another one.
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
 * The positions from the last conditional jump to the end of the frame, last first: they belong to the place of the end. In optimized
 * code the targets of jumps are left out, because the optimizer merges equal blocks of several places into one.
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
