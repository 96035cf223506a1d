/** What the debugger shows at the marks of a transaction. */

import type { Node } from '../../../../lib/node/node.ts'
import type {
  DebugFrame,
  DebugStack,
  DebugStop,
  DebugVariable,
} from '../../../../lib/modules/debug/results.ts'
import { call } from '../../../support/node.ts'
import type { Mark } from './source.ts'

/** A value with all that is in it. */
export interface ShownValue {
  readonly name: string
  readonly text: string
  readonly unknown?: string | undefined
  readonly parts: readonly ShownValue[]
}

/** A visit of a marked statement. */
export interface ShownVisit {
  readonly mark: Mark
  /** By the expressions of the mark. */
  readonly values: ReadonlyMap<string, ShownValue>
  /** Names of the local variables that are shown with a value. */
  readonly locals: readonly string[]
}

/** The visits of a transaction. */
export interface Walk {
  readonly visits: readonly ShownVisit[]
  /** Where the walk did not go on, as far as this is not the end. */
  readonly stuck?: string
}

/** The position of a walk. */
interface Position {
  readonly node: Node
  readonly session: string
  readonly step: number
  readonly frame: number
}

/** Steps through a transaction from statement to statement. */
export async function debugged(node: Node, hash: string, marks: readonly Mark[]): Promise<Walk> {
  const byPlace = new Map(marks.map((mark) => [`${mark.id}:${mark.column}`, mark]))
  const { session, first } = await call(node, 'dev_debugOpen', [{ transaction: hash }])
  const visits: ShownVisit[] = []
  const isReturn = returnDetector()
  for (let [step, reason] = [first as number, 'step']; reason === 'step';) {
    const { frames }: DebugStack = await call(node, 'dev_debugStack', [session, step])
    const { path, line, column } = frames[0]?.place ?? {}
    const mark = byPlace.get(`${path}:${line}:${column}`)
    if (!isReturn(frames) && mark !== undefined)
      visits.push(await visitAt({ node, session, step, frame: frames[0]!.frame }, mark))
    const next: DebugStop = await call(node, 'dev_debugMove', [session, step, { kind: 'into' }])
    if (next.reason === 'step' && next.step <= step)
      return { visits, stuck: `${path}:${line}, step ${step}: nothing is next` }
    ;({ step, reason } = next)
  }
  return { visits }
}

/** Tells the stops at a statement that goes on after a function that it called. */
function returnDetector(): (frames: readonly DebugFrame[]) => boolean {
  let last: readonly DebugFrame[] = []
  const before = new Map<number, number | undefined>()
  return (frames) => {
    const [{ entered, place }] = [frames[0]!]
    const isReturn = last.length > frames.length && before.get(entered) === place?.start
    before.set(entered, place?.start)
    last = frames
    return isReturn
  }
}

async function visitAt(position: Position, mark: Mark): Promise<ShownVisit> {
  const locals = await variablesAt(position, ['locals'])
  const state = await variablesAt(position, ['state'])
  const values = new Map<string, ShownValue>()
  for (const expression of mark.expressions.map((one) => one.split(' == ')[0]!)) {
    // Of variables with the same name, the innermost one is declared last.
    const local = locals.findLast(({ name }) => name === expression)
    const variable = local ?? state.find(({ name }) => name === expression)
    const scope = local === undefined ? 'state' : 'locals'
    values.set(
      expression,
      variable === undefined
        ? await evaluated(position, expression)
        : await wholeValue(position, [scope, expression], variable),
    )
  }
  const known = locals.filter(({ unknown }) => unknown === undefined)
  return { mark, values, locals: known.map(({ name }) => name) }
}

const variablesAt = (
  { node, session, step, frame }: Position,
  path: readonly string[],
): Promise<readonly DebugVariable[]> => call(node, 'dev_debugVariables', [session, step, frame, path])

async function evaluated({ node, session, step, frame }: Position, expression: string): Promise<ShownValue> {
  try {
    const value: DebugVariable = await call(node, 'dev_debugEvaluate', [session, step, frame, expression])
    return { name: expression, text: value.value, unknown: value.unknown, parts: [] }
  } catch (error) {
    return { name: expression, text: '', unknown: String(error), parts: [] }
  }
}

async function wholeValue(
  position: Position,
  path: readonly string[],
  { name, value, unknown, parts: count }: DebugVariable,
): Promise<ShownValue> {
  const parts = count === 0 ? [] : await variablesAt(position, path)
  const whole = parts.map((part) => wholeValue(position, [...path, part.name], part))
  return { name, text: value, unknown, parts: await Promise.all(whole) }
}
