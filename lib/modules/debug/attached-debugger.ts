/** A node's debuggers: whether one is attached or awaited, and how it stops requests at breakpoints by holding their responses. */

import { keepAlive, nextTurn, type Host } from '../../base/host.ts'
import { toHex } from '../../base/hex.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import type { DebugSession } from './debug-session.ts'
import type { AttachSettings, Breakpoint } from './params.ts'
import type { DebugSessionResult, DebugStop, HeldStop } from './results.ts'

/** Random bytes in an id. */
const ID_BYTES = 4

/** The attached debugger of a node, at most one, and its sessions. */
export class Debuggers {
  readonly #host: Pick<Host, 'schedule' | 'random'>
  /** Ids begin at random, so that a debugger of an earlier node on the same port cannot use another debugger's id. */
  #lastId: number
  attached: AttachedDebugger | undefined
  /** Executing requests wait for this until the first debugger attaches; absent if they do not wait. */
  #first: { readonly attaches: Promise<void>; readonly resolve: () => void } | undefined

  /** @param isAwaited Whether requests that execute wait until a debugger attaches (--wait-for-debugger) */
  constructor(host: Pick<Host, 'schedule' | 'random'>, isAwaited = false) {
    this.#host = host
    this.#lastId = Number(toHex(host.random(ID_BYTES)))
    let resolve = (): void => undefined
    const attaches = new Promise<void>((resolved) => (resolve = resolved))
    if (isAwaited) this.#first = { attaches, resolve }
  }

  readonly loadSessions = lazyPart('debugger', async () => {
    const { DebugSessions } = await import('./debug-sessions.ts')
    return new DebugSessions(toHex(this.#host.random(ID_BYTES)).slice(2))
  })

  /** Attaches a debugger, which replaces another one. Returns its id. */
  attach(settings: AttachSettings): number {
    this.attached?.detach()
    this.attached = new AttachedDebugger(settings, this.#host, () => (this.attached = undefined))
    this.#endWait()
    return ++this.#lastId
  }

  /** Whether requests wait for the first debugger. */
  get isAwaited(): boolean {
    return this.#first !== undefined
  }

  /** Whether executions can stop: a debugger is attached or awaited. */
  get mayStop(): boolean {
    return this.attached !== undefined || this.isAwaited
  }

  /** The attached debugger. If it is awaited, waits for the first one. */
  async whenAttached(): Promise<AttachedDebugger | undefined> {
    if (this.#first !== undefined) await keptAlive(this.#first.attaches)
    return this.attached
  }

  #endWait(): void {
    this.#first?.resolve()
    this.#first = undefined
  }

  /** Detaches, and lets held responses be sent. */
  async close(): Promise<void> {
    if (!this.mayStop) return
    this.#endWait()
    this.attached?.detach()
    await nextTurn()
  }

  withId(id: number): AttachedDebugger | undefined {
    return id === this.#lastId ? this.attached : undefined
  }
}

/** Waits for a promise and keeps the process alive meanwhile, because a request from the same process has no socket. */
async function keptAlive(promise: Promise<void>): Promise<void> {
  const release = keepAlive()
  await promise
  release()
}

/** Milliseconds without a question for the next stop, after which a debugger is detached. */
export const DETACHED_AFTER_MS = 30_000

/** An execution of a request. It is recorded if a breakpoint may be in it. */
export interface StoppableRun {
  readonly kind: AttachSettings['pauseOn'][number]
  readonly isSuccess: boolean
  readonly open: () => Promise<Pick<DebugSession, 'isHeld' | 'summary' | 'move'>>
}

/** The request that ran the executions. */
export interface HeldRequest {
  readonly method: string
  readonly world?: string | undefined
}

export class AttachedDebugger {
  readonly #host: Pick<Host, 'schedule'>
  readonly #whenDetached: () => void
  readonly #pauseOn: AttachSettings['pauseOn']
  #breakpoints: readonly Breakpoint[]
  /** Functions that let a stop's request continue. */
  readonly #held = new Map<number, () => void>()
  /** Stops that the debugger has not received yet. */
  readonly #unseen: NonNullable<HeldStop>[] = []
  #lastStop = 0
  /** Answers the question that waits for a stop. */
  #answer: ((stop: HeldStop) => void) | undefined
  #cancelExpiry = (): void => undefined
  #isDetached = false

  constructor(
    { breakpoints, pauseOn }: AttachSettings,
    host: Pick<Host, 'schedule'>,
    whenDetached: () => void,
  ) {
    this.#pauseOn = pauseOn
    this.#breakpoints = breakpoints
    this.#host = host
    this.#whenDetached = whenDetached
    this.#expireLater()
  }

  set(breakpoints: readonly Breakpoint[]): void {
    this.#breakpoints = breakpoints
  }

  /** The next stop; null if none comes in time. */
  async next(waitMs: number): Promise<HeldStop> {
    this.#answer?.(null)
    this.#cancelExpiry()
    const stop = this.#unseen.shift() ?? (waitMs === 0 ? null : await this.#comingStop(waitMs))
    this.#expireLater()
    return stop
  }

  #comingStop(waitMs: number): Promise<HeldStop> {
    return new Promise((resolve) => {
      const cancel = this.#host.schedule(waitMs, () => this.#answer?.(null))
      this.#answer = (stop) => {
        this.#answer = undefined
        cancel()
        resolve(stop)
      }
    })
  }

  /** Lets the request of a stop continue; false if it does not wait. */
  resume(stop: number): boolean {
    this.#held.get(stop)?.()
    return this.#held.delete(stop)
  }

  /** Lets all requests continue. */
  detach(): void {
    if (this.#isDetached) return
    this.#isDetached = true
    for (const stop of this.#held.keys()) this.resume(stop)
    this.#answer?.(null)
    this.#cancelExpiry()
    this.#whenDetached()
  }

  /** Waits at the first breakpoint of each execution of a request. */
  async hold(request: HeldRequest, runs: readonly StoppableRun[]): Promise<void> {
    for (const run of runs) {
      if (this.#isDetached || !this.#mayStop(run)) continue
      const session = await run.open()
      const breakpoints = [...this.#breakpoints]
      const at = await session.move(0, { kind: 'run', direction: 'forwards', breakpoints })
      if (at.reason === 'end' && at.logs.length === 0) continue
      session.isHeld = true
      await this.#stop(request, session.summary(), at)
      session.isHeld = false
    }
  }

  /** Most requests succeed. A debugger that only waits for failures needs no recording of them. */
  #mayStop({ kind, isSuccess }: StoppableRun): boolean {
    if (!isSuccess) return this.#breakpoints.length > 0
    return (
      this.#pauseOn.includes(kind) &&
      this.#breakpoints.some((breakpoint) => breakpoint.kind !== 'revert' || breakpoint.which === 'all')
    )
  }

  async #stop({ method, world }: HeldRequest, session: DebugSessionResult, at: DebugStop): Promise<void> {
    if (this.#isDetached) return
    const stop = ++this.#lastStop
    const resumed = new Promise<void>((resolve) => {
      if (at.reason === 'end') resolve()
      else this.#held.set(stop, resolve)
    })
    const seen = { stop, session, method, world: world ?? null, at }
    if (this.#answer === undefined) this.#unseen.push(seen)
    else this.#answer(seen)
    await keptAlive(resumed)
  }

  #expireLater(): void {
    this.#cancelExpiry()
    if (this.#isDetached) return
    this.#cancelExpiry = this.#host.schedule(DETACHED_AFTER_MS, () => this.detach())
  }
}
