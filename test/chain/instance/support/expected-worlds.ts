/** What random commands expect of the worlds of a node. The commands are in random-commands.ts. */

import { NodeError } from '../../../../lib/base/errors.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { WatchedWorld, expectNone } from './watched-world.ts'
import type { ExpectedSnapshot, Observation } from './watched-world.ts'

/** A dumped state. */
export interface Dump {
  readonly state: string
  readonly observation: Observation
  readonly snapshots: ReadonlyMap<bigint, ExpectedSnapshot>
}

/** What the commands expect: the worlds with their snapshots, and dumped states. */
export class ExpectedWorlds {
  worlds: readonly [WatchedWorld, ...WatchedWorld[]]
  /** The world of the next commands, and a world that must not change. */
  actor: WatchedWorld
  still: WatchedWorld
  dumps: readonly Dump[] = []
  /** Number of created worlds. */
  created = 0
  /** Requests of the current command with their outcomes, for the report of a failure. */
  log: string[] = []

  private constructor(first: WatchedWorld) {
    this.worlds = [first]
    this.actor = first
    this.still = first
  }

  static async of(node: Node): Promise<ExpectedWorlds> {
    return new ExpectedWorlds(await WatchedWorld.watch('default', node))
  }

  /** Returns the result or the NodeError; any other error fails the run. */
  async call(world: WatchedWorld, method: string, params: readonly unknown[]): Promise<unknown> {
    const outcome: unknown = await world.call(method, params).catch((error: unknown) => error)
    const shown = outcome instanceof Error ? outcome.message : JSON.stringify(outcome ?? null)
    const request = `${world.name}: ${method} ${JSON.stringify(params)}`
    this.log.push([request, shown].map((text) => text.slice(0, 200)).join(' -> '))
    if (outcome instanceof Error && (!(outcome instanceof NodeError) || outcome.kind === 'internal'))
      throw outcome
    return outcome
  }

  /** Checks that no world but one has changed. */
  checkOthers(actor: WatchedWorld | undefined): void {
    for (const world of this.worlds) {
      if (world !== actor) expectNone(`${world.name}, where nothing happened`, world.strayCells())
    }
  }
}
