/** A recorded execution of the debugged node: what the node knows about each step, and the threads that show it. */

import type { DebugProtocol } from '@vscode/debugprotocol'
import type * as z from 'zod'
import { refuseRequest } from '../../../base/errors.ts'
import { AnsweredError, type AskedNode } from '../../../client/node-client.ts'
import { explanationObject, type ExplanationResult } from '../../../schema/explanation-results.ts'
import { sourcesObject, type ListedSource } from '../../../schema/report-results.ts'
import type { Breakpoint, Motion } from '../params.ts'
import {
  debugCode,
  debugSession,
  debugStack,
  debugStop,
  debugTargets,
  debugVariable,
  debugVariables,
  placedBreakpoints,
  type DebugCode,
  type DebugSessionResult,
  type DebugStack,
  type DebugStop,
  type DebugTargets,
  type DebugVariable,
  type PlacedBreakpoints,
} from '../results.ts'
import type { LaunchTarget } from './requests.ts'

interface FramePlace {
  readonly step: number
  /** 0 for the outermost function. */
  readonly frame: number
}

/** The error code of a session that is not open. Other errors use it too. */
const UNKNOWN_SESSION = -32000

export class DebuggedExecution {
  readonly #node: AskedNode
  readonly facts: DebugSessionResult
  readonly #target: LaunchTarget | undefined
  #session: string
  #sources: Promise<ReadonlyMap<string, ListedSource>> | undefined

  /** Without a target it cannot be recorded again. */
  constructor(node: AskedNode, facts: DebugSessionResult, target?: LaunchTarget) {
    this.#node = node
    this.facts = facts
    this.#session = facts.session
    this.#target = facts.hash === undefined ? target : { transaction: facts.hash }
  }

  /** Records an execution. @throws NodeError 'invalidOption' if the node does not know it or cannot be asked */
  static async open(node: AskedNode, target: LaunchTarget): Promise<DebuggedExecution> {
    const facts = await node.ask(['dev_debugOpen', target], debugSession.nullable())
    if (facts === null) refuseRequest(unknownTarget(node, target))
    return new DebuggedExecution(node, facts, target)
  }

  stack(step: number): Promise<DebugStack> {
    return this.#ask('dev_debugStack', [step], debugStack)
  }

  /** Variables of a scope, or parts of a variable. */
  variables({ step, frame }: FramePlace, path: readonly string[]): Promise<readonly DebugVariable[]> {
    return this.#ask('dev_debugVariables', [step, frame, path], debugVariables)
  }

  evaluate({ step, frame }: FramePlace, expression: string): Promise<DebugVariable> {
    return this.#ask('dev_debugEvaluate', [step, frame, expression], debugVariable)
  }

  move(step: number, motion: Motion): Promise<DebugStop> {
    return this.#ask('dev_debugMove', [step, motion], debugStop)
  }

  targets(step: number): Promise<DebugTargets> {
    return this.#ask('dev_debugTargets', [step], debugTargets)
  }

  /** Instructions of the code of a function, from an offset relative to its own instruction. */
  code({ step, frame }: FramePlace, from: number, count: number): Promise<DebugCode> {
    return this.#ask('dev_debugCode', [step, frame, from, count], debugCode)
  }

  sources(): Promise<ReadonlyMap<string, ListedSource>> {
    this.#sources ??= this.#ask('dev_debugSources', [], sourcesObject).then(
      (sources) => new Map(sources.map((source) => [source.id, source])),
    )
    return this.#sources
  }

  async explanation(): Promise<ExplanationResult | null> {
    const { hash } = this.facts
    if (hash === undefined) return null
    const explained = explanationObject.nullable()
    const mined = await this.#node.ask(['dev_explainTransaction', hash], explained)
    return mined ?? this.#node.ask(['dev_explainFailure', hash], explained)
  }

  /** The node keeps few recordings, and a restart loses them. The execution is then recorded again. */
  async #ask<Result>(method: string, params: readonly unknown[], result: z.ZodType<Result>): Promise<Result> {
    const asked = (): Promise<Result> => this.#node.ask([method, this.#session, ...params], result)
    return asked().catch(async (error: unknown) => {
      const isLost = error instanceof AnsweredError && error.error.code === UNKNOWN_SESSION
      if (!isLost || this.#target === undefined) throw error
      const opened = await this.#node.ask(['dev_debugOpen', this.#target], debugSession.nullable())
      if (opened === null || factsText(opened) !== factsText(this.facts))
        return refuseRequest(
          `${this.#node.name} was started again and does not have the execution: launch another`,
        )
      this.#session = opened.session
      return asked()
    })
  }
}

/** What the node says about an execution, without the session's id. */
const factsText = (facts: DebugSessionResult): string => JSON.stringify({ ...facts, session: '' })

function unknownTarget({ name }: AskedNode, { transaction, call, failure }: LaunchTarget): string {
  if (transaction !== undefined) return `${name} has no transaction ${transaction}`
  if (call !== undefined) return `${name} cannot make the call`
  if (failure === 'last') return `${name} keeps no failure`
  return `${name} keeps no failure ${failure}`
}

export const placeBreakpoints = (
  node: AskedNode,
  breakpoints: readonly Breakpoint[],
): Promise<PlacedBreakpoints> => node.ask(['dev_debugBreakpoints', breakpoints], placedBreakpoints)

/** Where a motion or jump has brought a thread. */
type ThreadStop = Omit<DebugStop, 'reason'> & { readonly reason: DebugStop['reason'] | 'goto' }

const BEGIN: ThreadStop = { step: 0, reason: 'start', breakpoints: [], logs: [] }

/** A recorded execution at one of its steps. */
export class DebuggedThread {
  readonly id: number
  readonly name: string
  readonly execution: DebuggedExecution
  #stop: ThreadStop

  /** Without a stop it is before the first instruction. */
  constructor(id: number, name: string, execution: DebuggedExecution, stop: ThreadStop = BEGIN) {
    this.id = id
    this.name = name
    this.execution = execution
    this.#stop = stop
  }

  get step(): number {
    return this.#stop.step
  }

  get isAtEnd(): boolean {
    return this.#stop.reason === 'end'
  }

  async move(
    kind: Motion['kind'],
    breakpoints: Breakpoint[],
    direction: Motion['direction'] = 'forwards',
  ): Promise<void> {
    this.#stop = await this.execution.move(this.step, { kind, direction, breakpoints })
  }

  jump(step: number, reason: 'goto' | 'start' | 'step'): void {
    this.#stop = { ...BEGIN, step, reason }
  }

  /** The texts of the logpoints passed by the last motion. */
  get logs(): DebugStop['logs'] {
    return this.#stop.logs
  }

  get stopped(): DebugProtocol.StoppedEvent['body'] {
    const { reason, text, breakpoints } = this.#stop
    const [shownReason, description] = SHOWN[reason]
    return {
      reason: shownReason,
      threadId: this.id,
      ...(description !== undefined && { description }),
      ...(text !== undefined && { text }),
      ...(breakpoints.length > 0 && { hitBreakpointIds: [...breakpoints] }),
      allThreadsStopped: false,
    }
  }
}

/** Stop reasons as editors know them, with texts that replace the editors' own. */
const SHOWN: Readonly<Record<ThreadStop['reason'], readonly [reason: string, description?: string]>> = {
  step: ['step'],
  breakpoint: ['breakpoint'],
  function: ['function breakpoint'],
  exception: ['exception', 'Paused on failure'],
  event: ['event', 'Paused on event'],
  call: ['call', 'Paused on call'],
  write: ['data breakpoint'],
  goto: ['goto'],
  end: ['end', 'End of the transaction'],
  start: ['entry', 'Start of the transaction'],
}

/** What a reference stands for: a thread's function, its variables, or a step to go to. */
export interface Referent extends FramePlace {
  readonly thread: DebuggedThread
  /** Scope, and names of variables and their parts. */
  readonly path: readonly string[]
}

/** An editor's threads. References to a thread end when it moves. */
export class Threads {
  readonly #threads = new Map<number, DebuggedThread>()
  readonly #referents = new Map<number, Referent>()
  #lastReference = 0

  add(thread: DebuggedThread): void {
    this.#threads.set(thread.id, thread)
  }

  remove({ id }: DebuggedThread): void {
    this.#threads.delete(id)
  }

  has({ id }: DebuggedThread): boolean {
    return this.#threads.has(id)
  }

  get all(): readonly DebuggedThread[] {
    return [...this.#threads.values()]
  }

  /** The oldest thread. @throws NodeError 'invalidOption' if there is none */
  get thread(): DebuggedThread {
    return this.all[0] ?? refuseRequest('no request waits at a breakpoint')
  }

  /** @throws NodeError 'invalidOption' if there is no such thread */
  get(id: number): DebuggedThread {
    return this.#threads.get(id) ?? refuseRequest('no request waits at a breakpoint')
  }

  refer(referent: Referent): number {
    this.#referents.set(++this.#lastReference, referent)
    return this.#lastReference
  }

  /** What a reference stands for. @throws NodeError 'invalidOption' if the thread has moved */
  referent(reference: number): Referent {
    return this.#referents.get(reference) ?? refuseRequest('choose a function of the call stack first')
  }

  endReferences(moved: DebuggedThread): void {
    for (const [reference, { thread }] of this.#referents)
      if (thread === moved) this.#referents.delete(reference)
  }
}
