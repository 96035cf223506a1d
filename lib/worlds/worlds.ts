/** The isolated chains beside the default one, by id: who uses them, how many there may be, when one is forgotten. */

import { NodeError } from '../base/errors.ts'
import type { Host } from '../base/host.ts'
import type { SnapshotRef } from '../instance/snapshots.ts'

/** What every world is made and kept with. */
export interface WorldsSettings<Chain> {
  /** Makes one of the default chain's head, or of one of its snapshots. @throws NodeError 'unknownSnapshot' */
  readonly make: (id: string, from: SnapshotRef | undefined) => Chain
  /** Most worlds at a time. */
  readonly limit: number
  /** Time after which a world that nobody uses is deleted. */
  readonly timeoutMs: number
  readonly host: Pick<Host, 'now' | 'schedule'>
  /** Called with the error of an isolated chain that could not be closed when it expired. */
  readonly failed?: (error: unknown) => void
}

/** What a registry of worlds asks of them. */
interface Closable {
  readonly close: () => Promise<void>
}

/** A world that is kept. */
export interface KeptWorld<Chain> {
  readonly id: string
  readonly chain: Chain
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number
  /** Requests under way and open connections. */
  readonly visitors: number
}

/** The stay of a request or of a connection in a world, which is not idle meanwhile. */
export interface Visit<Chain> {
  readonly chain: Chain
  /** Ends the stay; doing so again has no effect. */
  readonly leave: () => void
}

/** A visitor, told when the world is deleted under him. */
interface Visitor {
  readonly whenDeleted: () => void
}

interface Held<Chain> {
  readonly chain: Chain
  readonly madeAt: number
  readonly visitors: Set<Visitor>
  cancelEnd: () => void
}

/** 1 to 100 letters, digits, `-`, `_` and `.`; `.` and `..` mean something else in a path. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/

/** Whether a text can be the id of a world. */
export const isWorldId = (text: string): boolean => ID.test(text)

/** What ids look like, for messages. */
export const WORLD_ID_EXPECTED = 'the id of a world: 1 to 100 letters, digits, "-", "_" and "."'

/** The worlds of one node. */
export class Worlds<Chain extends Closable> {
  readonly #settings: WorldsSettings<Chain>
  readonly #held = new Map<string, Held<Chain>>()
  #lastNumber = 0

  constructor(settings: WorldsSettings<Chain>) {
    this.#settings = settings
  }

  get size(): number {
    return this.#held.size
  }

  /** Oldest first. */
  get all(): readonly KeptWorld<Chain>[] {
    return [...this.#held].map(([id, { chain, madeAt, visitors }]) => ({
      id,
      chain,
      madeAt,
      visitors: visitors.size,
    }))
  }

  /**
   * Makes a world; one without an id is given one.
   * @throws NodeError 'invalidParams' when there is one with the id, 'limitExceeded', 'unknownSnapshot'
   */
  create(id = this.#freeId(), from?: SnapshotRef): KeptWorld<Chain> {
    if (this.#held.has(id)) throw new NodeError('invalidParams', `there is a world ${id} already`)
    const { chain, madeAt } = this.#make(id, from)
    return { id, chain, madeAt, visitors: 0 }
  }

  /**
   * Enters a world, which is made of the default chain's head if there is none.
   * `whenDeleted` is called when the world is deleted before the visit is over.
   * @throws NodeError 'invalidParams' for what is no id, 'limitExceeded'
   */
  enter(id: string, whenDeleted: () => void = () => undefined): Visit<Chain> {
    const held = this.#held.get(id) ?? this.#make(id, undefined)
    held.cancelEnd()
    const visitor = { whenDeleted }
    held.visitors.add(visitor)
    const leave = (): void => {
      if (held.visitors.delete(visitor)) this.#endLater(id, held)
    }
    return { chain: held.chain, leave }
  }

  /** Deletes a world, and ends what goes on in it; false when there is none. @throws what closing it throws */
  async delete(id: string): Promise<boolean> {
    const held = this.#held.get(id)
    if (held === undefined) return false
    this.#held.delete(id)
    held.cancelEnd()
    const { visitors } = held
    const leaving = [...visitors]
    visitors.clear()
    for (const { whenDeleted } of leaving) whenDeleted()
    await held.chain.close()
    return true
  }

  /** Deletes all. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.delete(id)))
  }

  #make(id: string, from: SnapshotRef | undefined): Held<Chain> {
    const { make, limit, host } = this.#settings
    if (!isWorldId(id)) throw new NodeError('invalidParams', `"${id}" is not ${WORLD_ID_EXPECTED}`)
    if (this.size >= limit) {
      throw new NodeError(
        'limitExceeded',
        `there are ${this.size} worlds, as many as there may be (--world-limit): delete one first`,
      )
    }
    const held = {
      chain: make(id, from),
      madeAt: host.now(),
      visitors: new Set<Visitor>(),
      cancelEnd: () => undefined,
    }
    this.#held.set(id, held)
    this.#endLater(id, held)
    return held
  }

  /** Begins the time after which a world that nobody enters is deleted. */
  #endLater(id: string, held: Held<Chain>): void {
    if (held.visitors.size > 0 || this.#held.get(id) !== held) return
    held.cancelEnd()
    const { host, timeoutMs, failed } = this.#settings
    held.cancelEnd = host.schedule(timeoutMs, () => {
      this.delete(id).catch((error: unknown) => failed?.(error))
    })
  }

  #freeId(): string {
    do this.#lastNumber++
    while (this.#held.has(`world-${this.#lastNumber}`))
    return `world-${this.#lastNumber}`
  }
}
