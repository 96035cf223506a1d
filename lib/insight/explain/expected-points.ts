/** The reason of a failure in explanations, and the places of a source at which a failure with a reason can begin. */

import type { StatedReason } from '../../abi/revert-reason.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import type { FailurePoint, FailurePointKind } from '../artifacts/failure-points.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'

export type FailureKind =
  | StatedReason['kind']
  | 'no reason'
  | 'out of gas'
  | 'deposit out of gas'
  | 'function not found'
  | 'not payable'
  | 'invalid call data'
  | 'library called directly'
  | 'no code'
  | 'no result'
  | 'call failed'
  | 'slice out of bounds'
  | 'undecodable data'
  | 'unexpected return data'
  | 'precompile failed'
  | 'code too large'
  | 'invalid code'
  | 'invalid instruction'
  | 'exception'

/** The reason of a failed frame, in words. */
export interface FailureReason extends Omit<StatedReason, 'kind'> {
  readonly kind: FailureKind
}

/** The places at which a failure can begin. */
export interface ExpectedPoint {
  readonly matches: (point: FailurePoint) => boolean
  /** Whether the failure cannot begin elsewhere: then the only such place of a function is the place of the failure. */
  readonly isComplete: boolean
}

const pointOf = (...kinds: readonly FailurePointKind[]): ExpectedPoint => ({
  matches: ({ kind }) => kinds.includes(kind),
  isComplete: false,
})

/** Places that revert with a text, or with a custom error of a name; with any if one of the two is not known. */
const textPoint = (wanted: 'text' | 'custom error', text: string | undefined): ExpectedPoint => ({
  matches: ({ kind, text: own = text }) =>
    kind === 'assembly' || (kind === wanted && (text === undefined || own === text)),
  isComplete: true,
})

/** Places of inline assembly that revert. */
export const assemblyPoint: ExpectedPoint = pointOf('assembly')

/** Places that create a contract. */
export const creationPoint: ExpectedPoint = { ...pointOf('creation'), isComplete: true }

/** Places that call another account, by the selector of the called function if there is one in the sources. */
export const callPoint = (hasSelector: (declaration: number) => boolean): ExpectedPoint => ({
  matches: ({ kind, declaration }) =>
    kind === 'call' && (declaration === undefined || hasSelector(declaration)),
  isComplete: true,
})

/** Places at which each panic arises (Solidity documentation, "Panic via assert and Error via require"). */
const PANIC_POINTS: ReadonlyMap<bigint, FailurePointKind> = new Map([
  [0x01n, 'assert'],
  [0x11n, 'arithmetic'],
  [0x12n, 'division'],
  [0x21n, 'enum'],
  [0x31n, 'pop'],
  [0x32n, 'index'],
])

/** Places that panic with a code; undefined if every place can. */
function panicPoint(code: bigint): ExpectedPoint | undefined {
  const kind = PANIC_POINTS.get(code)
  return kind && { ...pointOf(kind, 'assembly'), isComplete: true }
}

/** The innermost expected point of a function around a range of its source, otherwise the only one within the range. */
export function pointAt(
  { points }: SolidityFunction,
  range: SourceRange,
  { matches }: ExpectedPoint,
): FailurePoint | undefined {
  const expected = points.filter(matches)
  const around = expected.findLast((point) => containsRange(point.range, range))
  if (around !== undefined) return around
  const inside = expected.filter((point) => containsRange(range, point.range))
  return inside.length === 1 ? inside[0] : undefined
}

/** The only place at which functions can fail in the expected way; undefined if there are more. */
export function onlyPoint(
  functions: Iterable<SolidityFunction>,
  { matches }: ExpectedPoint,
): { readonly within: SolidityFunction; readonly point: FailurePoint } | undefined {
  const found = [...functions].flatMap((within) =>
    within.points.filter(matches).map((point) => ({ within, point })),
  )
  return found.length === 1 ? found[0] : undefined
}

const CALL = pointOf('call')

/** Places of failures without text and code. A check around a call fails at the expected call, if there is one. */
const POINTS: Partial<Record<FailureKind, ExpectedPoint>> = {
  // The compiler adds others.
  'no reason': pointOf('bare', 'assembly'),
  // Before 0.8 solc compiles these to an invalid instruction.
  'invalid instruction': pointOf('assert', 'division', 'index', 'enum', 'pop', 'assembly'),
  'slice out of bounds': pointOf('slice'),
  'undecodable data': pointOf('decode'),
  'no code': CALL,
  'no result': CALL,
  'unexpected return data': CALL,
}

/** The places at which a failure with a reason can begin; undefined if every place can be. */
export function expectedPoint(
  { kind, text, panicCode }: FailureReason,
  call: ExpectedPoint | undefined,
): ExpectedPoint | undefined {
  if (kind === 'custom error') return textPoint(kind, text)
  if (text !== undefined) return textPoint('text', text)
  if (panicCode !== undefined) return panicPoint(panicCode)
  const point = POINTS[kind]
  return point === CALL ? (call ?? point) : point
}
