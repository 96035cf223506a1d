/**
 * The registry of worlds: isolated chains with an id, at `/w/<id>` in a URL. Creates, limits and expires them, and counts the
 * requests and connections that use them.
 */

import { NodeError } from '../../base/errors.ts'
import type { Host } from '../../base/host.ts'

/** Settings of the registry. */
export interface WorldsSettings<Chain, Origin> {
  /** Creates a world; by default from the default chain's head. */
  readonly make: (id: string, origin: Partial<Origin>) => Chain
  /** Maximum number of worlds. */
  readonly limit: number
  /** Time after which an unused world is deleted. */
  readonly timeoutMs: number
  readonly host: Pick<Host, 'now' | 'schedule'>
  /** Called with the error when an expired world could not be closed. */
  readonly failed?: (error: unknown) => void
}

/** A chain that can be closed. */
interface Closable {
  readonly close: () => Promise<void>
}

/** A registered world. */
export interface RegisteredWorld<Chain> {
  readonly id: string
  readonly chain: Chain
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAt: number
  /** Number of running requests and open connections that use the world. */
  readonly visitors: number
}

/** The use of a world by a request or connection. The world does not expire before the use ends. */
export interface WorldLease<Chain> {
  readonly chain: Chain
  /** Ends the use. A second call has no effect. */
  readonly release: () => void
}

/** A request or connection, notified when its world is deleted. */
interface WorldUser {
  readonly whenDeleted: () => void
}

interface WorldEntry<Chain> {
  readonly chain: Chain
  readonly createdAt: number
  readonly visitors: Set<WorldUser>
  cancelExpiry: () => void
}

/** 1 to 100 letters, digits, `-`, `_` and `.`, but not `.` and `..`, which have a special meaning in paths. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/

/** Whether a string is a valid id of a world. */
export const isWorldId = (text: string): boolean => ID.test(text)

/** The form of an id, for error messages. */
export const WORLD_ID_EXPECTED = 'the id of a world: 1 to 100 letters, digits, "-", "_" and "."'

/** The worlds of one node. */
export class Worlds<Chain extends Closable, Origin> {
  readonly #settings: WorldsSettings<Chain, Origin>
  readonly #entries = new Map<string, WorldEntry<Chain>>()
  #lastNumber = 0

  constructor(settings: WorldsSettings<Chain, Origin>) {
    this.#settings = settings
  }

  get size(): number {
    return this.#entries.size
  }

  /** Oldest first. */
  get all(): readonly RegisteredWorld<Chain>[] {
    return [...this.#entries].map(([id, { chain, createdAt: createdAt, visitors }]) => ({
      id,
      chain,
      createdAt,
      visitors: visitors.size,
    }))
  }

  /**
   * Creates a world, by default with an unused id.
   * @throws NodeError 'invalidParams' if the id exists, 'limitExceeded', 'unknownSnapshot'
   */
  create(id = this.#freeId(), origin: Partial<Origin> = {}): RegisteredWorld<Chain> {
    if (this.#entries.has(id)) throw new NodeError('invalidParams', `there is a world ${id} already`)
    const { chain, createdAt: createdAt } = this.#make(id, origin)
    return { id, chain, createdAt: createdAt, visitors: 0 }
  }

  /**
   * Begins the use of a world. A world that does not exist is created from the default chain's head.
   * `whenDeleted` is called if the world is deleted before the use ends.
   * @throws NodeError 'invalidParams' for an invalid id, 'limitExceeded'
   */
  acquire(id: string, whenDeleted: () => void = () => undefined): WorldLease<Chain> {
    const entry = this.#entries.get(id) ?? this.#make(id, {})
    entry.cancelExpiry()
    const visitor = { whenDeleted }
    entry.visitors.add(visitor)
    const release = (): void => {
      if (entry.visitors.delete(visitor)) this.#scheduleExpiry(id, entry)
    }
    return { chain: entry.chain, release }
  }

  /** Deletes a world and ends its uses. Returns false if it does not exist. @throws the error of closing it */
  async delete(id: string): Promise<boolean> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    this.#entries.delete(id)
    entry.cancelExpiry()
    const { visitors } = entry
    const leaving = [...visitors]
    visitors.clear()
    for (const { whenDeleted } of leaving) whenDeleted()
    await entry.chain.close()
    return true
  }

  /** Deletes all worlds. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.delete(id)))
  }

  #make(id: string, origin: Partial<Origin>): WorldEntry<Chain> {
    const { make, limit, host } = this.#settings
    if (!isWorldId(id)) throw new NodeError('invalidParams', `"${id}" is not ${WORLD_ID_EXPECTED}`)
    if (this.size >= limit) {
      throw new NodeError(
        'limitExceeded',
        `there are ${this.size} worlds, the maximum (--world-limit): delete one first`,
      )
    }
    const entry = {
      chain: make(id, origin),
      createdAt: host.now(),
      visitors: new Set<WorldUser>(),
      cancelExpiry: () => undefined,
    }
    this.#entries.set(id, entry)
    this.#scheduleExpiry(id, entry)
    return entry
  }

  /** Starts the timeout after which an unused world is deleted. */
  #scheduleExpiry(id: string, entry: WorldEntry<Chain>): void {
    if (entry.visitors.size > 0 || this.#entries.get(id) !== entry) return
    entry.cancelExpiry()
    const { host, timeoutMs, failed } = this.#settings
    entry.cancelExpiry = host.schedule(timeoutMs, () => {
      this.delete(id).catch((error: unknown) => failed?.(error))
    })
  }

  #freeId(): string {
    do this.#lastNumber++
    while (this.#entries.has(`world-${this.#lastNumber}`))
    return `world-${this.#lastNumber}`
  }
}
