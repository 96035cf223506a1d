/** Keeps a node's newest sessions, and those at which a request waits. */

import { NodeError } from '../../base/errors.ts'
import { shorten } from '../../base/shorten.ts'
import type { DebugSession } from './debug-session.ts'

/** How much is kept. */
export interface DebugLimits {
  /** Maximum number of sessions, and of instructions in all of them. */
  readonly sessions: number
  readonly steps: number
  /** Instructions of one session; later ones are not recorded. */
  readonly recorded: number
}

const LIMITS: DebugLimits = { sessions: 8, steps: 4_000_000, recorded: 2_000_000 }

export class DebugSessions {
  /** Oldest first, by the key they were opened for. */
  readonly #sessions = new Map<unknown, DebugSession>()
  readonly limits: DebugLimits
  readonly #prefix: string
  #lastId = 0

  /** @param prefix Begins the ids. It differs between nodes, so that an earlier node's id names no session here. */
  constructor(prefix: string, limits: Partial<DebugLimits> = {}) {
    this.#prefix = prefix
    this.limits = { ...LIMITS, ...limits }
  }

  find(key: unknown): DebugSession | undefined {
    const known = this.#sessions.get(key)
    if (known === undefined) return undefined
    this.#sessions.delete(key)
    this.#sessions.set(key, known)
    return known
  }

  /** Keeps a session, to which it gives an id. */
  add(key: unknown, make: (id: string) => DebugSession): DebugSession {
    const session = make(`${this.#prefix}-${++this.#lastId}`)
    this.#sessions.set(key, session)
    this.#shrink()
    return session
  }

  /** @throws NodeError 'unknownSession' */
  get(id: string): DebugSession {
    for (const session of this.#sessions.values()) if (session.id === id) return session
    throw new NodeError('unknownSession', `session ${shorten(id)} is not open: open it again`)
  }

  #shrink(): void {
    let steps = 0
    const newest = [...this.#sessions].filter(([, { isHeld }]) => !isHeld).reverse()
    for (const [index, [key, { recording }]] of newest.entries()) {
      steps += recording.length
      if (index > 0 && (index >= this.limits.sessions || steps > this.limits.steps))
        this.#sessions.delete(key)
    }
  }
}
