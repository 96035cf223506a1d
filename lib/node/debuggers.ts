/** Knows whether a debugger is attached to a node or awaited, and what is recorded for debuggers. What they do is loaded when it is asked for. */

import { keepAlive, nextTurn, type Host } from '../base/host.ts'
import { toHex } from '../base/hex.ts'
import { lazyPart } from '../base/lazy-part.ts'
import type { AttachSettings } from '../schema/debug-params.ts'
import type { AttachedDebugger } from './attached-debugger.ts'

/** Random bytes in an id. */
const ID_BYTES = 4

/** The attached debugger of a node, at most one, and its sessions. */
export class Debuggers {
  readonly #host: Pick<Host, 'schedule' | 'random'>
  /** Ids begin at random: a debugger of an earlier node on the same port must not find another debugger under its id. */
  #lastId: number
  /** Undefined while no debugger is attached. */
  attached: AttachedDebugger | undefined
  /** What requests wait for that execute before the first debugger attaches; absent if they do not wait. */
  #first: { readonly attaches: Promise<void>; readonly resolve: () => void } | undefined

  /** @param isAwaited Whether requests that execute wait until a debugger attaches (--wait-for-debugger) */
  constructor(host: Pick<Host, 'schedule' | 'random'>, isAwaited = false) {
    this.#host = host
    this.#lastId = Number(toHex(host.random(ID_BYTES)))
    let resolve = (): void => undefined
    const attaches = new Promise<void>((resolved) => (resolve = resolved))
    if (isAwaited) this.#first = { attaches, resolve }
  }

  /** The recorded executions of all chains. */
  readonly loadSessions = lazyPart('debugger', async () => {
    const { DebugSessions } = await import('../insight/debug/debug-sessions.ts')
    return new DebugSessions(toHex(this.#host.random(ID_BYTES)).slice(2))
  })

  /** Attaches a debugger in the place of another one; returns its id. */
  async attach(settings: AttachSettings): Promise<number> {
    const { AttachedDebugger } = await import('./attached-debugger.ts')
    this.attached?.detach()
    this.attached = new AttachedDebugger(settings, this.#host, () => (this.attached = undefined))
    this.#endWait()
    return ++this.#lastId
  }

  /** Whether executions can stop: a debugger is attached or awaited. */
  get mayStop(): boolean {
    return this.attached !== undefined || this.#first !== undefined
  }

  /** The attached debugger, after the first one has attached if it is awaited. */
  async whenAttached(): Promise<AttachedDebugger | undefined> {
    if (this.#first !== undefined) {
      // A request of the same process has no socket that keeps it alive.
      const release = keepAlive()
      await this.#first.attaches
      release()
    }
    return this.attached
  }

  #endWait(): void {
    this.#first?.resolve()
    this.#first = undefined
  }

  /** Detaches, and lets the responses that waited be sent. */
  async close(): Promise<void> {
    if (!this.mayStop) return
    this.#endWait()
    this.attached?.detach()
    await nextTurn()
  }

  /** The attached debugger, if it has this id. */
  withId(id: number): AttachedDebugger | undefined {
    return id === this.#lastId ? this.attached : undefined
  }
}
