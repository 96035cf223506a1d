/** Snapshots of a world by id. What is captured is the cells' business; ids and their order are kept here. */

import type { Capture, Cell, World } from './world.ts'

/** Taken captures, oldest first. */
export class Snapshots {
  readonly #world: World
  readonly #initial: Capture
  readonly #taken: Cell<readonly { readonly id: bigint; readonly capture: Capture }[]>
  readonly #lastId: Cell<bigint>

  /** Takes the world as it is as the state that `reset` returns to. */
  constructor(world: World) {
    this.#world = world
    this.#taken = world.cell('snapshots', 'keep', [])
    this.#lastId = world.cell('lastSnapshotId', 'keep', 0n)
    this.#initial = world.capture()
  }

  /** Captures the world. Ids rise by one and are never used twice. */
  take(): bigint {
    const id = this.#lastId.value + 1n
    this.#lastId.value = id
    this.#taken.value = [...this.#taken.value, { id, capture: this.#world.capture() }]
    return id
  }

  /**
   * Puts the world back to a snapshot. The id stays valid, later ones are dropped.
   * Answers false, and changes nothing, when the id is unknown.
   */
  revert(id: bigint): boolean {
    const index = this.#taken.value.findIndex((snapshot) => snapshot.id === id)
    const snapshot = this.#taken.value[index]
    if (snapshot === undefined) return false
    this.#world.restore(snapshot.capture)
    this.#taken.value = this.#taken.value.slice(0, index + 1)
    return true
  }

  /** Puts the world back to its beginning and drops every snapshot. */
  reset(): void {
    this.#world.restore(this.#initial)
    this.#taken.value = []
  }
}
