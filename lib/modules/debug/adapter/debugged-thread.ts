/** A thread as an editor sees it: a recorded execution and the step at which it is. Frames and variables of it have references. */

import type { DebugProtocol } from '@vscode/debugprotocol'
import { refuseOption } from '../../../base/errors.ts'
import type { Breakpoint, Motion } from '../params.ts'
import type { DebugStop } from '../results.ts'
import type { FramePlace, DebuggedExecution } from './debugged-execution.ts'

/** Where a thread is, by a motion or a jump. */
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

  /** Whether it ran to its end. */
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

  /** Goes to a step. */
  jump(step: number, reason: 'goto' | 'start' | 'step'): void {
    this.#stop = { ...BEGIN, step, reason }
  }

  /** The texts of the logpoints that were passed on the last way. */
  get logs(): DebugStop['logs'] {
    return this.#stop.logs
  }

  /** The body of the event about the last stop. */
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

/** Reasons of stops as editors know them, and what they show instead of their own texts. */
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

/** What a reference is to: a function of a thread, variables of it, or a step to go to. */
export interface Referent extends FramePlace {
  readonly thread: DebuggedThread
  /** Scope, and names of variables and their parts. */
  readonly path: readonly string[]
}

/** The threads of an editor, and its references to them, which end when their thread moves. */
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
    return this.all[0] ?? refuseOption('no request waits at a breakpoint')
  }

  /** @throws NodeError 'invalidOption' if there is no such thread */
  get(id: number): DebuggedThread {
    return this.#threads.get(id) ?? refuseOption('no request waits at a breakpoint')
  }

  /** A new reference. */
  refer(referent: Referent): number {
    this.#referents.set(++this.#lastReference, referent)
    return this.#lastReference
  }

  /** What a reference is to. @throws NodeError 'invalidOption' if the thread has moved */
  referent(reference: number): Referent {
    return this.#referents.get(reference) ?? refuseOption('choose a function of the call stack first')
  }

  endReferences(moved: DebuggedThread): void {
    for (const [reference, { thread }] of this.#referents)
      if (thread === moved) this.#referents.delete(reference)
  }
}
