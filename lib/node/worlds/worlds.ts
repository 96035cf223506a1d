/**
 * The registry of worlds: isolated chains with an id, at `/w/<id>` in a URL. It creates, limits and expires them, and counts the
 * requests and connections that use them. It also handles work on all chains at once.
 */

import { NodeError, invalidParams } from '../../base/errors.ts'
import type { Host } from '../../base/host.ts'
import type { Services } from '../services.ts'

export interface WorldsSettings<Chain, Origin> {
  /** Creates a world; by default from the default chain's head. */
  readonly make: (id: string, origin: Partial<Origin>) => Chain
  readonly limit: number
  readonly timeoutMs: number
  readonly host: Pick<Host, 'now' | 'schedule'>
  /** Called with the error when an expired world could not be closed. */
  readonly failed: (error: unknown) => void
}

export interface RegisteredWorld<Chain> {
  readonly id: string
  readonly chain: Chain
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAt: number
  /** Number of running requests and open connections that use the world. */
  readonly visitors: number
}

interface WorldEntry<Chain> extends RegisteredWorld<Chain> {
  /** For each use, the function to call if the world is deleted. */
  readonly uses: Set<() => void>
  cancelExpiry: () => void
}

/** 1 to 100 letters, digits, `-`, `_` and `.`, but not `.` and `..`, which have a special meaning in paths. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/

export const isWorldId = (text: string): boolean => ID.test(text)

/** The form of an id, for error messages. */
export const WORLD_ID_EXPECTED = 'the id of a world: 1 to 100 letters, digits, "-", "_" and "."'

export class Worlds<Chain extends { readonly close: () => Promise<void> }, Origin> {
  readonly #settings: WorldsSettings<Chain, Origin>
  readonly #entries = new Map<string, WorldEntry<Chain>>()
  #lastNumber = 0

  constructor(settings: WorldsSettings<Chain, Origin>) {
    this.#settings = settings
  }

  get size(): number {
    return this.#entries.size
  }

  get all(): readonly RegisteredWorld<Chain>[] {
    return [...this.#entries.values()]
  }

  /** Creates a world. @throws NodeError 'invalidParams' if the id exists, 'limitExceeded', 'unknownSnapshot' */
  create(id = this.#freeId(), origin: Partial<Origin> = {}): RegisteredWorld<Chain> {
    if (this.#entries.has(id)) throw invalidParams(`id: there is a world ${id} already`)
    return this.#make(id, origin)
  }

  /**
   * Begins to use a world. A missing world is created from the default chain's head. It does not expire before `release` ends the
   * use; a second call of it has no effect. `whenDeleted` is called if the world is deleted before that. @throws NodeError
   * 'invalidParams' for an invalid id, 'limitExceeded'
   */
  acquire(id: string, whenDeleted: () => void = () => undefined) {
    const entry = this.#entries.get(id) ?? this.#make(id, {})
    entry.cancelExpiry()
    const use = (): void => whenDeleted()
    entry.uses.add(use)
    const release = (): void => {
      if (entry.uses.delete(use)) this.#scheduleExpiry(entry)
    }
    return { chain: entry.chain, release }
  }

  /** Deletes a world and ends its uses. Returns false if it does not exist. @throws the error of closing it */
  async delete(id: string): Promise<boolean> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    this.#entries.delete(id)
    entry.cancelExpiry()
    const ended = [...entry.uses]
    entry.uses.clear()
    for (const whenDeleted of ended) whenDeleted()
    await entry.chain.close()
    return true
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.delete(id)))
  }

  #make(id: string, origin: Partial<Origin>): WorldEntry<Chain> {
    const { make, limit, host } = this.#settings
    if (!isWorldId(id)) throw invalidParams(`"${id}" is not ${WORLD_ID_EXPECTED}`)
    if (this.size >= limit) {
      throw new NodeError(
        'limitExceeded',
        `there are ${this.size} worlds, the maximum (--world-limit): delete one first`,
      )
    }
    const uses = new Set<() => void>()
    const entry: WorldEntry<Chain> = {
      id,
      chain: make(id, origin),
      createdAt: host.now(),
      uses,
      get visitors() {
        return uses.size
      },
      cancelExpiry: () => undefined,
    }
    this.#entries.set(id, entry)
    this.#scheduleExpiry(entry)
    return entry
  }

  #scheduleExpiry(entry: WorldEntry<Chain>): void {
    const { id } = entry
    if (entry.visitors > 0 || this.#entries.get(id) !== entry) return
    entry.cancelExpiry()
    const { host, timeoutMs, failed } = this.#settings
    entry.cancelExpiry = host.schedule(timeoutMs, () => {
      this.delete(id).catch((error: unknown) => failed(error))
    })
  }

  #freeId(): string {
    do this.#lastNumber++
    while (this.#entries.has(`world-${this.#lastNumber}`))
    return `world-${this.#lastNumber}`
  }
}

/**
 * Runs work while no other request changes the chains, given oldest first. Their locks are taken one by one, the newest first: a
 * write in a world that forks an older chain of the node waits for reads of that chain. If the work fails, its changes are undone
 * on all chains.
 */
export function aloneOnAll(
  chains: readonly Pick<Services, 'instance' | 'miner'>[],
  work: () => Promise<void>,
): Promise<void> {
  const locked = chains.reduce(
    (inner, { instance, miner }) =>
      async () =>
        instance.lock.run('write', () => {
          miner.makePostponedBlocks()
          return instance.atomically(inner)
        }),
    work,
  )
  return locked()
}
