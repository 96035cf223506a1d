/** Knows whether a debugger is attached to a node, and what is recorded for debuggers. What they do is loaded when it is asked for. */

import { nextTurn } from '../base/host.ts'
import type { Host } from '../base/host.ts'
import { lazyPart } from '../base/lazy-part.ts'
import type { AttachSettings } from '../schema/debug-params.ts'
import type { AttachedDebugger } from './attached-debugger.ts'

/** The attached debugger of a node, at most one, and its sessions. */
export class Debuggers {
  readonly #host: Pick<Host, 'schedule'>
  #lastId = 0
  /** Undefined while no debugger is attached. */
  attached: AttachedDebugger | undefined

  constructor(host: Pick<Host, 'schedule'>) {
    this.#host = host
  }

  /** The recorded executions of all chains. */
  readonly loadSessions = lazyPart('debugger', async () => {
    const { DebugSessions } = await import('../insight/debug/debug-sessions.ts')
    return new DebugSessions()
  })

  /** Attaches a debugger in the place of another one; returns its id. */
  async attach(settings: AttachSettings): Promise<number> {
    const { AttachedDebugger } = await import('./attached-debugger.ts')
    this.attached?.detach()
    const detached = (): void => void (this.attached = undefined)
    this.attached = new AttachedDebugger(settings, { host: this.#host, detached })
    return ++this.#lastId
  }

  /** Detaches, and lets the responses that waited be sent. */
  async close(): Promise<void> {
    if (this.attached === undefined) return
    this.attached.detach()
    await nextTurn()
  }

  /** The attached debugger, if it has this id. */
  withId(id: number): AttachedDebugger | undefined {
    return id === this.#lastId ? this.attached : undefined
  }
}
