/** Which places of a source can be the origin of a failure. */

import { containsRange } from '../artifacts/ast-node.ts'
import type { FailurePoint, FailurePointKind } from '../artifacts/failure-points.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { FailureKind, FailureReason } from './failure-reason.ts'

/** Tells the places at which a failure can begin. */
export interface ExpectedPoint {
  readonly matches: (point: FailurePoint) => boolean
  /** Whether the failure cannot begin elsewhere: then the only such place of a function is the place of the failure. */
  readonly isComplete: boolean
}

/** Places that revert with a text. */
const textPoint = (text: string): ExpectedPoint => ({
  matches: (point) =>
    point.kind === 'assembly' || (point.kind === 'text' && (point.text === undefined || point.text === text)),
  isComplete: true,
})

/** Places that revert with a custom error of a name, or with any if the name is not known. */
const customErrorPoint = (name: string | undefined): ExpectedPoint => ({
  matches: (point) =>
    point.kind === 'assembly' ||
    (point.kind === 'custom error' && (name === undefined || point.text === name)),
  isComplete: true,
})

/** Places that revert without data, as the source says. The compiler adds others. */
const bareRevertPoint: ExpectedPoint = pointOf(['bare', 'assembly'])

/** Places that are compiled to an invalid instruction before 0.8. */
const invalidInstructionPoint: ExpectedPoint = pointOf([
  'assert',
  'division',
  'index',
  'enum',
  'pop',
  'assembly',
])

/** Slices of call data, the only ones that there are. */
const slicePoint: ExpectedPoint = pointOf(['slice'])

/** Places that create a contract. */
export const creationPoint: ExpectedPoint = { ...pointOf(['creation']), isComplete: true }

const anyCallPoint: ExpectedPoint = pointOf(['call'])

/** Places that call another account, by the selector of the called function if there is one in the sources. */
export const callPoint = (hasSelector: (declaration: number) => boolean): ExpectedPoint => ({
  matches: ({ kind, declaration }) =>
    kind === 'call' && (declaration === undefined || hasSelector(declaration)),
  isComplete: true,
})

function pointOf(kinds: readonly FailurePointKind[]): ExpectedPoint {
  return { matches: ({ kind }) => kinds.includes(kind), isComplete: false }
}

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
  return kind && { ...pointOf([kind, 'assembly']), isComplete: true }
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

/** Failures of a check around the last call. */
const OF_CALLS: ReadonlySet<FailureKind> = new Set(['no code', 'no result', 'unexpected return data'])

/** The places at which a failure with a reason can begin; undefined if every place can be. */
export function expectedPoint(
  { kind, text, panicCode }: FailureReason,
  call: ExpectedPoint | undefined,
): ExpectedPoint | undefined {
  if (kind === 'custom error') return customErrorPoint(text)
  if (text !== undefined) return textPoint(text)
  if (panicCode !== undefined) return panicPoint(panicCode)
  if (kind === 'no reason') return bareRevertPoint
  if (kind === 'invalid instruction') return invalidInstructionPoint
  if (kind === 'slice out of bounds') return slicePoint
  return OF_CALLS.has(kind) ? (call ?? anyCallPoint) : undefined
}
