/**
 * Finds the runs of functions in a recorded execution, and their visits of statements. The legacy optimizer moves instructions only
 * within a run of them. All statements of such a run have therefore run there, in source order. If instructions contradict that,
 * visits are doubtful.
 */

import { bisect } from '../../base/bisect.ts'
import { JUMP, JUMPDEST } from '../../insight/artifacts/source-map.ts'
import type { MappedCode } from '../../insight/explain/mapped-code.ts'
import { NO_STATEMENT, codeStatements, type CodeStatements } from './code-statements.ts'
import { isInLoopOf, type DebugFunction, type DebugStatement } from './debug-function.ts'
import { impliedAfter, impliedBetween, endOfRun } from './rearranged-code.ts'
import type { RecordedFrame, Recording } from './recording.ts'

/** A function of the code that was entered. Functions added by the compiler belong to the activation that called them. */
interface EnteredFunction {
  readonly site: number
  /** Step of its first instruction. */
  readonly entered: number
  readonly activation: OpenActivation
  readonly isAdded: boolean
}

interface OpenFrame {
  readonly frame: RecordedFrame
  readonly code: MappedCode | undefined
  readonly statements: CodeStatements | undefined
  /** Whether the legacy optimizer has made the code. */
  readonly isRearranged: boolean
  readonly root: OpenActivation
  readonly calls: EnteredFunction[]
}

/** Maximum number of instructions at a function's end that belong to no statement. */
const MAX_END = 256

export class Activations {
  readonly recording: Recording
  readonly #all: OpenActivation[] = []
  readonly #at: OpenActivation[] = []
  /** Last step of the visited run of rearranged instructions. */
  #runEnd = -1
  readonly visits: Visit[] = []

  constructor(recording: Recording) {
    this.recording = recording
    const open: OpenFrame[] = []
    let current: OpenFrame | undefined
    for (let step = 0; step < recording.length; step++) {
      const frame = recording.frameAt(step)
      if (frame !== undefined && frame !== current?.frame) current = this.#changeFrame(open, frame, step)
      if (current === undefined) continue
      if (frame !== undefined && step > frame.first) this.#follow(current, step)
      const activation = current.calls.at(-1)?.activation ?? current.root
      this.#at.push(activation)
      this.#visit(current, activation, step)
    }
    while (open.length > 0) this.#end(open.pop())
    for (const activation of this.#all) activation.left = Math.min(activation.left, activation.frame.end)
  }

  get all(): readonly Activation[] {
    return this.#all
  }

  enteredBetween(from: number, to: number): readonly Activation[] {
    const before = (step: number): number =>
      bisect(this.#all.length, (index) => (this.#all[index]?.entered ?? step) < step)
    return this.#all.slice(before(from + 1), before(to))
  }

  /** The activation that an instruction belongs to. */
  at(step: number): Activation | undefined {
    return this.#at[step]
  }

  /** The newest visit of an activation, at a step or before. */
  visitAt({ visits }: Activation, step: number): Visit | undefined {
    return visits[firstAfter(visits, step) - 1]
  }

  /** The first visit of an activation after a step. */
  nextVisit({ visits }: Activation, step: number): Visit | undefined {
    return visits[firstAfter(visits, step)]
  }

  statementAt(step: number): DebugStatement | undefined {
    const code = this.recording.frameAt(step)?.mapped
    const statements = code && codeStatements(code)
    return statements?.statement(statements.numberAt(this.recording.pcAt(step)))
  }

  visitAfter(step: number): number {
    return firstAfter(this.visits, step)
  }

  /** Changes to the frame of an instruction, after a call or its end. */
  #changeFrame(open: OpenFrame[], frame: RecordedFrame, step: number): OpenFrame {
    while (open.length > 0 && open.at(-1)?.frame !== frame && open.at(-1)?.frame !== frame.parent)
      this.#end(open.pop())
    const enclosing = open.at(-1)
    if (enclosing?.frame === frame) return enclosing
    const caller = enclosing && (enclosing.calls.at(-1)?.activation ?? enclosing.root)
    const code = frame.mapped
    const opened: OpenFrame = {
      frame,
      code,
      statements: code && codeStatements(code),
      isRearranged: isRearranged(code),
      root: this.#enter(caller, frame, undefined, step),
      calls: [],
    }
    open.push(opened)
    return opened
  }

  #end(ended: OpenFrame | undefined): void {
    if (ended?.frame.exit?.status === 'success')
      this.#visitRest(ended.calls.at(-1)?.activation ?? ended.root, ended.frame.end)
  }

  #enter(
    caller: OpenActivation | undefined,
    frame: RecordedFrame,
    declared: DebugFunction | undefined,
    entered: number,
  ): OpenActivation {
    const activation: OpenActivation = {
      caller,
      frame,
      declared,
      depth: caller === undefined ? 0 : caller.depth + 1,
      entered,
      left: Infinity,
      pc: this.recording.pcAt(entered),
      visits: [],
    }
    this.#all.push(activation)
    return activation
  }

  /** Follows the jump before an instruction of the same frame. It may enter or leave functions. */
  #follow({ frame, code, statements, root, calls }: OpenFrame, step: number): void {
    const [from, to] = [this.recording.pcAt(step - 1), this.recording.pcAt(step)]
    if (code === undefined || code.code[from] !== JUMP || code.code[to] !== JUMPDEST) return
    if (this.recording.frameAt(step - 1) !== frame) return
    const kind = code.jumpAt(from)
    if (kind === 'into') {
      const declared = statements?.functionFrom(to)
      const caller = calls.at(-1)?.activation ?? root
      calls.push({
        site: from,
        entered: step,
        isAdded: declared === undefined,
        activation: declared === undefined ? caller : this.#enter(caller, frame, declared, step),
      })
      return
    }
    // A function returns to the instruction after the jump into it, even if the optimizer removed returns in between.
    const returned = calls.findLastIndex(({ site }) => site + 1 === to)
    const left = returned >= 0 ? returned : kind === 'out' ? calls.length - 1 : -1
    const ended = calls.at(-1)
    if (left < 0 || ended === undefined || (returned < 0 && this.#isRunning(ended, step))) return
    if (!ended.isAdded) this.#visitRest(ended.activation, step)
    leave(root, calls, left, step)
  }

  /** Whether a function's return address is still on the stack. If not, a function that the compiler inlined has ended. */
  #isRunning({ site, entered }: EnteredFunction, step: number): boolean {
    const place = BigInt(site + 1)
    let top = this.recording.topAt(entered)
    while (top !== undefined && top.word !== place) top = top.below
    return top !== undefined && this.recording.wordsAt(step, top.height - 1, 1)?.[0] === place
  }

  #visit({ statements, isRearranged, calls }: OpenFrame, activation: OpenActivation, step: number): void {
    if (statements === undefined) return
    // Functions added by the compiler have the place of one of their uses.
    if (isRearranged)
      return calls.at(-1)?.isAdded === true ? undefined : this.#visitRun(statements, activation, step)
    const pc = this.recording.pcAt(step)
    const number = statements.numberAt(pc)
    if (number === NO_STATEMENT) return
    const statement = statements.statement(number)
    const last = activation.visits.at(-1)
    const isNew = statement !== last?.statement || pc === this.recording.pcAt(last?.step ?? step)
    if (statement === undefined || !isNew) return
    const visit = { step, activation, statement, isDoubtful: false, isImplied: false }
    activation.visits.push(visit)
    this.visits.push(visit)
  }

  #visitRun(statements: CodeStatements, activation: OpenActivation, step: number): void {
    if (step <= this.#runEnd) return
    this.#runEnd = endOfRun(this.recording, step)
    this.visits.push(...visitRun(this.recording, { statements, activation, step, end: this.#runEnd }))
  }

  /** Visits the rest of a function that ended without a failure before a step. */
  #visitRest(activation: OpenActivation, step: number): void {
    const last = activation.visits.at(-1)?.statement
    if (last === undefined || !isRearranged(activation.frame.mapped)) return
    const isOwn = (at: number): boolean => this.#at[at] === activation
    const least = Math.max(this.visits.at(-1)?.step ?? 0, step - MAX_END)
    let at = step - 1
    while (at >= least && !(isOwn(at) && this.statementAt(at) === last)) at--
    if (at >= least && isOwn(at + 1)) this.visits.push(...visitRest(activation, at + 1, step))
  }
}

const firstAfter = (visits: readonly Visit[], step: number): number =>
  bisect(visits.length, (index) => (visits[index]?.step ?? step) <= step)

function isRearranged(code: MappedCode | undefined): boolean {
  const { isOptimized = false, viaIr = false } = code?.contract.compilation.settings ?? {}
  return isOptimized && !viaIr
}

function leave(root: OpenActivation, calls: EnteredFunction[], from: number, step: number): void {
  const kept = calls[from - 1]?.activation ?? root
  for (const { activation } of calls.splice(from)) if (activation !== kept) activation.left = step
}

/** A run of a function, or of contract code outside functions, with which each frame begins. */
export interface Activation {
  /** The calling activation. For a frame's first one it belongs to the calling frame. */
  readonly caller: Activation | undefined
  readonly frame: RecordedFrame
  /** Undefined for code outside of functions, and without sources. */
  readonly declared: DebugFunction | undefined
  readonly depth: number
  /** Step of its first instruction, and the step after its last one. */
  readonly entered: number
  left: number
  /** Position of its first instruction in the code. */
  readonly pc: number
  readonly visits: readonly Visit[]
}

/** The run of one statement. */
export interface Visit {
  readonly step: number
  readonly activation: Activation
  readonly statement: DebugStatement
  /** Whether instructions of earlier statements ran later. Equal code of several statements is merged, so either may be meant. */
  isDoubtful: boolean
  /** Whether none of its own instructions was found, only those of surrounding statements. */
  readonly isImplied: boolean
}

interface OpenActivation extends Activation {
  readonly visits: Visit[]
}

/**
 * The function that an activation runs for. With the IR pipeline, modifiers and the body of their function are separate functions
 * that call each other. All other activations run for themselves.
 */
export function wholeOf(activation: Activation): Activation {
  let outer = activation.caller
  while (outer?.declared?.kind === 'modifier') outer = outer.caller
  if (outer?.declared === undefined) return activation
  const isBody =
    outer !== activation.caller && outer.declared === activation.declared && outer.pc !== activation.pc
  return isBody || activation.declared?.kind === 'modifier' ? outer : activation
}

interface RearrangedRun {
  readonly statements: CodeStatements
  readonly activation: OpenActivation
  readonly step: number
  readonly end: number
}

/**
 * Visits a run's statements in order, and those that must have run before them; returns the new visits. Code of statements after
 * the run's end was moved into it.
 */
function visitRun(
  recording: Recording,
  { statements, activation, step, end }: RearrangedRun,
): readonly Visit[] {
  const { visits } = activation
  const count = visits.length
  const numberAt = (at: number): number => statements.numberAt(recording.pcAt(at))
  const reached = statements.statement(numberAt(end))
  const firstSteps = new Map<DebugStatement, number>()
  const isForeign = foreignIn(activation, statements.functionAround(recording.pcAt(step)))
  for (let at = step; at <= end; at++) {
    const statement = statements.statement(numberAt(at))
    if (statement !== undefined && !firstSteps.has(statement) && !isForeign(statement))
      firstSteps.set(statement, at)
  }
  let next = step
  for (const [statement, first] of inTheirOrder(firstSteps, visits.at(-1))) {
    if (reached?.within === statement.within && statement.order > reached.order) continue
    const last = visits.at(-1)
    const isLoop =
      last?.statement === statement && first === step && recording.pcAt(first) === recording.pcAt(last.step)
    if (last !== undefined && !isLoop && !canFollow(statement, last.statement)) {
      doubt(activation, statement)
      continue
    }
    const previous = visits.findLast((visit) => visit.statement.within === statement.within)
    next = imply(activation, impliedBetween(previous?.statement, statement), next, end)
    const at = Math.max(first, next)
    if (at > end) break
    next = at + 1
    visits.push({ step: at, activation, statement, isDoubtful: false, isImplied: false })
  }
  return visits.slice(count)
}

/** Detects statements that do not run although the code has their places: equal code of functions is merged under the label of one. */
function foreignIn({ declared, visits }: OpenActivation, label: DebugFunction | undefined) {
  const isMerged =
    declared !== undefined && label?.kind === 'function' && visits.at(-1)?.statement.within !== label
  return ({ within }: DebugStatement): boolean => isMerged && within === label && within !== declared
}

/**
 * Statements sorted by function and order. The function of the last visit comes first, the others in the order in which their code
 * runs.
 */
function inTheirOrder(firstSteps: ReadonlyMap<DebugStatement, number>, last: Visit | undefined) {
  const functions = [last?.statement.within, ...new Set([...firstSteps.keys()].map(({ within }) => within))]
  return [...firstSteps].sort(
    ([one], [other]) =>
      functions.indexOf(one.within) - functions.indexOf(other.within) || one.order - other.order,
  )
}

/** Visits what must have run between an activation's last visit and its end; returns the new visits. */
function visitRest(activation: OpenActivation, from: number, end: number): readonly Visit[] {
  const { visits } = activation
  const count = visits.length
  const last = visits.at(-1)
  if (last !== undefined) imply(activation, impliedAfter(last.statement), from, end)
  return visits.slice(count)
}

/** Visits statements at consecutive steps before an end; returns the step after them. */
function imply(
  activation: OpenActivation,
  statements: readonly DebugStatement[],
  from: number,
  end: number,
): number {
  const isDoubtful = activation.visits.at(-1)?.isDoubtful ?? false
  const visited = statements.slice(0, Math.max(0, end - from))
  activation.visits.push(
    ...visited.map((statement, index) => ({
      step: from + index,
      activation,
      statement,
      isDoubtful,
      isImplied: true,
    })),
  )
  return from + visited.length
}

/** Marks visits of statements that come after one whose instruction still runs. */
function doubt({ visits }: OpenActivation, { within, order }: DebugStatement): void {
  for (let at = visits.length - 1; at >= 0; at--) {
    const visit = visits[at]
    if (visit?.statement.within !== within || visit.statement.order <= order) return
    visit.isDoubtful = true
  }
}

/** Whether a statement can begin after another has begun. */
const canFollow = (next: DebugStatement, last: DebugStatement): boolean =>
  next !== last && (next.within !== last.within || next.order > last.order || isInLoopOf(next, last))
