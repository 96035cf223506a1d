/**
 * Snapshots of a chain instance by id and name. They form a tree, because a revert can keep later snapshots.
 * This file owns ids, names and order; the registered values own their captures.
 */

import { NodeError, invalidParams } from '../../base/errors.ts'
import { bisect } from '../../base/bisect.ts'
import { timeText } from '../../base/host.ts'
import type { Capture, Cell, ChainInstance } from './chain-instance.ts'

export type SnapshotRef = bigint | string

export interface Snapshot<Position> {
  readonly id: bigint
  readonly name: string | undefined
  /** Position of the chain, as returned by `headOf`. */
  readonly head: Position
  /** Milliseconds since the epoch. */
  readonly takenAt: number
  /** The snapshot that was taken or reverted to last before this one. */
  readonly parent: bigint | undefined
  readonly capture: Capture
}

export interface SnapshotIds {
  /** Id of the snapshot that was taken or reverted to last. */
  readonly current?: bigint | undefined
  /** The highest id so far. */
  readonly last: bigint
}

interface Dropped {
  readonly name: string | undefined
  readonly cause: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface SnapshotSettings<Position> {
  /** Returns the position of the chain, in a form that the owner defines. */
  readonly headOf: () => Position
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Whether a revert to an unknown snapshot is an error. */
  readonly isStrict: boolean
}

/** Maximum number of records of dropped snapshots. */
const MAX_REMEMBERED = 10_000

export class Snapshots<Position = unknown> {
  readonly #instance: ChainInstance
  readonly #settings: SnapshotSettings<Position>
  readonly #initial: Capture
  /** Oldest first, so ids rise. Suites keep thousands of snapshots, so no operation may walk over the list. */
  readonly #taken: Snapshot<Position>[] = []
  readonly #named = new Map<string, Snapshot<Position>>()
  /** Number of changes of the list. Registering it keeps the list over a revert, and shows which requests change it. */
  readonly #changes: Cell<number>
  readonly #lastId: Cell<bigint>
  readonly resets: Cell<number>
  /** The snapshot that was taken or reverted to last. */
  readonly #current: Cell<bigint | undefined>
  readonly #dropped = new Map<bigint, Dropped>()

  /** Captures the current state, which `reset` restores. */
  constructor(instance: ChainInstance, settings: SnapshotSettings<Position>) {
    this.#instance = instance
    this.#settings = settings
    this.#changes = instance.cell('snapshots', 'keep', 0)
    this.#lastId = instance.cell('lastSnapshotId', 'keep', 0n)
    this.resets = instance.cell('resets', 'keep', 0)
    this.#current = instance.cell('currentSnapshot', 'keep', undefined)
    this.#initial = this.#capture()
  }

  get all(): readonly Snapshot<Position>[] {
    return [...this.#taken]
  }

  get count(): number {
    return this.#taken.length
  }

  /** Captures the chain instance. Ids are never reused. @throws NodeError 'invalidParams' if a snapshot has this name */
  take(name?: string): bigint {
    const namesake = name === undefined ? undefined : this.#find(name)
    if (namesake !== undefined) {
      throw invalidParams(
        `params[0].name (options): snapshot 0x${namesake.id.toString(16)} has the name "${namesake.name}" already; drop it first, or take another name`,
      )
    }
    const id = this.#lastId.value + 1n
    const { headOf, now } = this.#settings
    const parent = this.#current.value
    const held = { id, name, parent, head: headOf(), takenAt: now(), capture: this.#capture() }
    this.#lastId.value = id
    this.#current.value = id
    this.#append(held)
    return id
  }

  /**
   * Reverts to a snapshot, which stays valid unless `isUsedUp` is true. Later snapshots are dropped unless `keepsLater` is true.
   * Returns false and changes nothing if the snapshot does not exist.
   * @throws NodeError 'unknownSnapshot' in this case if reverts are strict
   */
  revert(ref: SnapshotRef, { keepsLater = false, isUsedUp = false } = {}): boolean {
    const snapshot = this.#settings.isStrict ? this.get(ref) : this.#find(ref)
    if (snapshot === undefined) return false
    this.#instance.restore(snapshot.capture)
    this.#current.value = snapshot.id
    const cause = `the revert to snapshot ${named(snapshot)}`
    if (!keepsLater) this.#dropFrom(this.#indexOf(snapshot.id) + 1, cause)
    if (isUsedUp) this.drop(snapshot.id, cause)
    return true
  }

  /** @throws NodeError 'unknownSnapshot' */
  get(ref: SnapshotRef): Snapshot<Position> {
    const snapshot = this.#find(ref)
    if (snapshot === undefined) throw new NodeError('unknownSnapshot', this.#reasonUnknown(ref))
    return snapshot
  }

  /** Adds a snapshot that a different node or an earlier run took. It captures the current state. */
  add(earlier: Omit<Snapshot<Position>, 'head' | 'capture'>): void {
    this.#append({ ...earlier, head: this.#settings.headOf(), capture: this.#capture() })
    if (earlier.id > this.#lastId.value) this.#lastId.value = earlier.id
  }

  get ids(): SnapshotIds {
    return { current: this.#current.value, last: this.#lastId.value }
  }

  /** Continues with the ids of an earlier run whose snapshots were added. */
  resume({ current, last }: SnapshotIds): void {
    this.#current.value = current ?? this.#current.value
    if (last > this.#lastId.value) this.#lastId.value = last
  }

  clear(): void {
    this.#dropFrom(0, 'the load of a state')
    this.#current.value = undefined
  }

  /** Drops a snapshot. Its parent becomes the parent of its children. Returns whether it existed. */
  drop(ref: SnapshotRef, cause = 'the request to drop it'): boolean {
    const snapshot = this.#find(ref)
    if (snapshot === undefined) return false
    const { id, parent } = snapshot
    const later = this.#taken.splice(this.#indexOf(id)).slice(1)
    this.#forget([snapshot], cause)
    for (const held of later) this.#append(held.parent === id ? { ...held, parent } : held)
    if (this.#current.value === id) this.#current.value = parent
    return true
  }

  reset(): void {
    this.#instance.restore(this.#initial)
    this.resets.value++
    this.#dropFrom(0, 'a reset of the chain')
    this.#current.value = undefined
  }

  #capture(): Capture {
    const capture = this.#instance.capture()
    this.#instance.captures.add(capture)
    return capture
  }

  #append(snapshot: Snapshot<Position>): void {
    this.#taken.push(snapshot)
    if (snapshot.name !== undefined) this.#named.set(snapshot.name, snapshot)
    this.#changes.value++
  }

  #find(ref: SnapshotRef): Snapshot<Position> | undefined {
    if (typeof ref === 'string') return this.#named.get(ref)
    const snapshot = this.#taken[this.#indexOf(ref)]
    return snapshot?.id === ref ? snapshot : undefined
  }

  #indexOf(id: bigint): number {
    return bisect(this.#taken.length, (index) => (this.#taken[index]?.id ?? id) < id)
  }

  #dropFrom(index: number, cause: string): void {
    this.#forget(this.#taken.splice(index), cause)
  }

  #forget(snapshots: readonly Snapshot<Position>[], cause: string): void {
    if (snapshots.length === 0) return
    const at = this.#settings.now()
    for (const { id, name, capture } of snapshots) {
      if (name !== undefined) this.#named.delete(name)
      this.#dropped.set(id, { name, cause, at })
      this.#instance.captures.delete(capture)
    }
    this.#changes.value++
    for (const id of this.#dropped.keys()) {
      if (this.#dropped.size <= MAX_REMEMBERED) return
      this.#dropped.delete(id)
    }
  }

  #reasonUnknown(ref: SnapshotRef): string {
    const past = [...this.#dropped].findLast(([id, { name }]) => id === ref || name === ref)
    if (past !== undefined) {
      const [id, { name, cause, at }] = past
      return `snapshot ${named({ id, name })} was dropped by ${cause} at ${timeText(at)}`
    }
    if (typeof ref === 'string') return `there is no snapshot with the name "${ref}"`
    const id = `0x${ref.toString(16)}`
    const isPast = ref <= this.#lastId.value && ref > 0n
    return isPast ? `snapshot ${id} was dropped long ago` : `snapshot ${id} was never taken`
  }
}

const named = ({ id, name }: Pick<Snapshot<unknown>, 'id' | 'name'>): string =>
  name === undefined ? `0x${id.toString(16)}` : `0x${id.toString(16)} (${name})`
