/** The functions that run at a recorded step, with their places in the sources and the code. */

import { toHex } from '../../base/hex.ts'
import { linesOf } from '../../insight/artifacts/source-unit.ts'
import type { SourceUnit } from '../../insight/artifacts/compilation.ts'
import { instructionLength, type SourceRange } from '../../insight/artifacts/source-map.ts'
import type { DebugCode, DebugFrame, DebugPlace } from './results.ts'
import { listedSource } from '../../insight/artifacts/source-unit.ts'
import { wholeOf, type Activation, type Visit, type Activations } from './activations.ts'
import type { RecordedFrame, Recording } from './recording.ts'
import type { DebugFunction } from './debug-function.ts'

/** A running function. Several share an activation if the compiler has inlined some, such as modifiers. */
export interface RunningFunction {
  readonly activation: Activation
  /** Undefined for code outside of functions, and without sources. */
  readonly declared: DebugFunction | undefined
  /** Undefined before its first statement. */
  readonly visit: Visit | undefined
  /** Where the function is. For a caller, the step of its call. */
  readonly step: number
}

/** The running functions at a step, innermost first; empty if no code ran. */
export function runningFunctions(activations: Activations, step: number): readonly RunningFunction[] {
  const running: RunningFunction[] = []
  let at = step
  for (let inner = activations.at(step); inner !== undefined; inner = wholeOf(inner).caller) {
    const isHidden = isOutside(inner, at) && running.at(-1)?.activation.frame === inner.frame
    const shown = isHidden ? [] : functionsIn(inner, activations.visitAt(inner, at), at)
    // Contract code that calls a getter has the getter's place too.
    running.push(
      ...shown.filter(
        ({ declared }) =>
          declared === undefined || inner.declared !== undefined || declared !== running.at(-1)?.declared,
      ),
    )
    const whole = wholeOf(inner)
    if (whole.declared !== inner.declared)
      running.push({ activation: whole, declared: whole.declared, visit: undefined, step: inner.entered - 1 })
    at = whole.entered - 1
  }
  return running
}

/** Whether an activation has stayed in contract code outside functions up to a step, without a statement. */
const isOutside = ({ declared, visits }: Activation, step: number): boolean =>
  declared === undefined && (visits[0]?.step ?? Infinity) > step

/** The nearest caller that is shown; code without sources is not. */
export function callerOf(activation: Activation): Activation | undefined {
  const { caller, entered } = wholeOf(activation)
  let nearest = caller
  while (nearest !== undefined && isOutside(nearest, entered)) nearest = nearest.caller
  return nearest
}

function functionsIn(
  activation: Activation,
  visit: Visit | undefined,
  step: number,
): readonly RunningFunction[] {
  const { declared } = activation
  const within = visit?.statement.within
  if (within === undefined || within === declared) return [{ activation, declared, visit, step }]
  const inner = { activation, declared: within, visit, step }
  if (declared === undefined) return [inner]
  const own = activation.visits.findLast((past) => past.step <= step && past.statement.within === declared)
  return [inner, { activation, declared, visit: own, step }]
}

/** A running function as it is shown. `frame` is its number, from 0 for the outermost one. */
export function shownFrame(running: RunningFunction, frame: number, recording: Recording): DebugFrame {
  const { activation, declared, visit, step } = running
  const contract = activation.frame.mapped?.contract.name
  const unit = visit?.statement.within.unit ?? declared?.unit
  const range = visit?.statement.range ?? (declared && headOf(declared))
  return {
    frame,
    name: nameOf(declared, activation.frame),
    kind:
      declared?.kind === 'variable' ? 'function' : (declared?.kind ?? (contract ? 'contract' : 'unknown')),
    address: activation.frame.account,
    contract,
    isExternal: callerOf(activation)?.frame !== activation.frame,
    place: unit && range && placeIn(unit, range),
    entered: activation.entered,
    step,
    pc: recording.pcAt(step),
  }
}

export function nameOf(declared: DebugFunction | undefined, frame: RecordedFrame): string {
  return declared === undefined
    ? (frame.mapped?.contract.name ?? `${frame.to} (unknown contract)`)
    : titleOf(declared)
}

/** Name of a function with that of its contract, such as `Shop.buy`. */
export const titleOf = ({ contract, name }: DebugFunction): string =>
  contract === undefined ? name : `${contract}.${name}`

const headOf = ({ range }: DebugFunction): SourceRange => ({ start: range.start, end: range.start })

/** A part of a source with its lines; undefined if the text is unknown. */
export function placeIn(unit: SourceUnit, { start, end }: SourceRange): DebugPlace | undefined {
  const lines = linesOf(unit)
  if (lines === undefined) return undefined
  const { id, path } = listedSource(unit)
  const [first, last] = [lines.positionOf(start), lines.positionOf(end)]
  return {
    id,
    path,
    start,
    end,
    line: first.line,
    column: first.column,
    endLine: last.line,
    endColumn: last.column,
  }
}

/** Which instructions to show: the first one relative to that at a position, and their number. */
interface CodeWindow {
  readonly pc: number
  readonly from: number
  readonly count: number
  readonly opcodeName: (opcode: number) => string
}

/** Instructions of a frame's code; fewer at its beginning and end. */
export function codeWindow({ frame: { code, mapped } }: Activation, window: CodeWindow): DebugCode {
  if (code === undefined) return []
  const positions: number[] = []
  for (let at = 0; at < code.length; at += instructionLength(code[at] ?? 0)) positions.push(at)
  const first = positions.indexOf(window.pc) + window.from
  return positions.slice(Math.max(0, first), Math.max(0, first + window.count)).map((pc) => {
    const opcode = code[pc] ?? 0
    const length = instructionLength(opcode)
    const source = mapped?.sourceAt(pc)
    return {
      pc,
      op: window.opcodeName(opcode),
      data: length === 1 ? undefined : toHex(code.subarray(pc + 1, pc + length)),
      place: source && placeIn(source.unit, source.range),
    }
  })
}
