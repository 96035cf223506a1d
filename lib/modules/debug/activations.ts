/** Finds the functions that a recorded execution entered, and its visits of statements. */

import { bisect } from '../../base/bisect.ts'
import { JUMP, JUMPDEST } from '../../insight/artifacts/source-map.ts'
import type { MappedCode } from '../../insight/explain/mapped-code.ts'
import type { Activation, OpenActivation, Visit } from './activation.ts'
import { NO_STATEMENT, codeStatements, type CodeStatements } from './code-statements.ts'
import type { RecordedFrame, Recording } from './recording.ts'
import { visitRest, visitRun } from './rearranged-visits.ts'
import { endOfRun } from './settled-code.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'

/** A function of the code that was entered; those that the compiler added belong to the activation that called them. */
interface EnteredFunction {
  readonly site: number
  /** Step of its first instruction. */
  readonly entered: number
  readonly activation: OpenActivation
  /** Whether the compiler has added the function. */
  readonly isAdded: boolean
}

/** The running functions of a frame. */
interface OpenFrame {
  readonly frame: RecordedFrame
  readonly code: MappedCode | undefined
  readonly statements: CodeStatements | undefined
  /** Whether the optimizer of the legacy pipeline has made the code. */
  readonly isRearranged: boolean
  readonly root: OpenActivation
  readonly calls: EnteredFunction[]
}

/** Instructions of the end of a function that belong to no statement, at most. */
const MAX_END = 256

/** Activations and visits of a recording. */
export class Activations {
  readonly recording: Recording
  readonly #all: OpenActivation[] = []
  /** By the step of an instruction. */
  readonly #at: OpenActivation[] = []
  /** Last step of the run of rearranged instructions that was visited. */
  #runEnd = -1
  /** All visits, in order. */
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
    for (const one of this.#all) one.left = Math.min(one.left, one.frame.end)
  }

  get all(): readonly Activation[] {
    return this.#all
  }

  /** Those that were entered between two steps. */
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

  /** The statement that an instruction belongs to. */
  statementAt(step: number): DebugStatement | undefined {
    const code = this.recording.frameAt(step)?.mapped
    const statements = code && codeStatements(code)
    return statements?.statement(statements.numberAt(this.recording.pcAt(step)))
  }

  /** Position among all visits of the first one after a step. */
  visitAfter(step: number): number {
    return firstAfter(this.visits, step)
  }

  /** The frame of an instruction, after a call or at the end of one. */
  #changeFrame(open: OpenFrame[], frame: RecordedFrame, step: number): OpenFrame {
    while (open.length > 0 && open.at(-1)?.frame !== frame && open.at(-1)?.frame !== frame.parent)
      this.#end(open.pop())
    const known = open.at(-1)
    if (known?.frame === frame) return known
    const caller = known && (known.calls.at(-1)?.activation ?? known.root)
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

  /** Follows the jump before an instruction of the same frame, which may enter a function or leave some. */
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
    // A function returns to the instruction after the jump into it, even if the optimizer left out returns in between.
    const returned = calls.findLastIndex(({ site }) => site + 1 === to)
    const left = returned >= 0 ? returned : kind === 'out' ? calls.length - 1 : -1
    const ended = calls.at(-1)
    if (left < 0 || ended === undefined || (returned < 0 && this.#isRunning(ended, step))) return
    if (!ended.isAdded) this.#visitRest(ended.activation, step)
    leave(root, calls, left, step)
  }

  /** Whether the place to which a function returns is still on the stack: another one that the compiler has put into it has ended. */
  #isRunning({ site, entered }: EnteredFunction, step: number): boolean {
    const place = BigInt(site + 1)
    let top = this.recording.topAt(entered)
    while (top !== undefined && top.word !== place) top = top.below
    return top !== undefined && this.recording.wordsAt(step, top.height - 1, 1)?.[0] === place
  }

  #visit({ statements, isRearranged, calls }: OpenFrame, activation: OpenActivation, step: number): void {
    if (statements === undefined) return
    // The functions that the compiler has added have the place of one of their uses.
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

  /** Visits what is left of a function that has ended before a step, without a failure. */
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

/** Position of the first one of some visits after a step. */
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
