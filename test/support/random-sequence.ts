/** Runs random steps on several worlds. The law is in law.ts; params are in write-params.ts. */

import { NodeError } from '../../lib/base/errors.ts'
import { toQuantity } from '../../lib/base/hex.ts'
import type { Method } from '../../lib/rpc/method.ts'
import { fingerprint } from './fingerprint.ts'
import { elapse } from './node.ts'
import type { ManualHost } from './node.ts'
import type { Draw } from './random-draws.ts'
import {
  INVALID_VALUES,
  RESERVING,
  RESETS,
  SILENT_WRITES,
  TREE,
  WAITING,
  WORK,
  WRITES,
  nameOf,
} from './step-methods.ts'
import { WatchedWorld, differences, expectNone, expectSame } from './watched-world.ts'
import type { ExpectedSnapshot, Observation } from './watched-world.ts'
import { paramsFor } from './write-params.ts'

/** A dumped state. */
interface Dump {
  readonly state: string
  readonly observation: Observation
  readonly snapshots: ReadonlyMap<bigint, ExpectedSnapshot>
}

/** A completed step, for the report of a failure. */
type Done = readonly [world: string, method: string, params: readonly unknown[], outcome: unknown]

/** Average number of consecutive steps in one world. */
const BURST = 20

const MAX_WORLDS = 4
const MAX_DUMPS = 4

/** Runs random steps on the default world and on others, and checks the law after each. */
export class RandomSequence {
  readonly #host: ManualHost
  readonly #draw: Draw
  readonly #writes: readonly Method[]
  #worlds: readonly [WatchedWorld, ...WatchedWorld[]]
  /** The world of the steps, and a world that must not change. */
  #actor: WatchedWorld
  #still: WatchedWorld
  #dumps: readonly Dump[] = []
  #made = 0
  readonly #done: Done[] = []

  constructor(first: WatchedWorld, parts: { host: ManualHost; draw: Draw; isSilent: boolean }) {
    this.#host = parts.host
    this.#draw = parts.draw
    this.#writes = parts.isSilent ? SILENT_WRITES : WRITES
    this.#worlds = [first]
    this.#actor = first
    this.#still = first
  }

  /** The last steps, oldest first. */
  lastSteps(): string {
    return this.#done
      .slice(-25)
      .map((step) => JSON.stringify(step).slice(0, 400))
      .join('\n')
  }

  async step(): Promise<void> {
    if (this.#draw(BURST) === 0) await this.#goElsewhere()
    const chance = this.#draw(1000)
    if (chance < 10) return this.#letTimePass()
    if (chance < 20) return this.#makeWorld()
    if (chance < 26) return this.#deleteWorld()
    const actor = this.#actor
    if (chance < 36) return this.#dump(actor)
    const name = this.#writing(chance)
    await this.#write(actor, name)
    actor.touch({ isUnseen: RESERVING.includes(nameOf(name)) })
    this.#checkOthers(actor)
  }

  /** Draws the name of a writing method; transactions and snapshots are the most frequent. */
  #writing(chance: number): string {
    if (chance < 300) return this.#any(['eth_sendTransaction', 'eth_sendRawTransaction'])
    if (chance < 350) return 'evm_snapshot'
    if (chance < 420) return 'evm_revert'
    const { name, aliases } = this.#any(chance < 480 ? WORK : this.#writes)
    return this.#any([name, ...aliases])
  }

  async #write(actor: WatchedWorld, name: string): Promise<void> {
    const method = nameOf(name)
    if (method === 'node_loadState') return this.#load(actor, name)
    const choices = Array.from({ length: 6 }, () => this.#draw(1000))
    const params = await paramsFor(method, { node: actor.node, base: 1n, choices })
    if (this.#draw(12) === 0 && !WAITING.includes(method)) return this.#writeInvalid(actor, name, params)
    if (method === 'evm_snapshot') return this.#snapshot(actor, name, params)
    if (method === 'evm_revert') return this.#revert(actor, name, params)
    const outcome = await this.#call(actor, name, params)
    if (method === 'node_dropSnapshot') return drop(actor, params, outcome)
    if (!RESETS.includes(method)) return
    expectNone('reset', await actor.changesSince(actor.beginning))
    await actor.expectSnapshots([])
  }

  /** Calls with one wrong or additional param, and checks that a rejected call changes nothing. */
  async #writeInvalid(actor: WatchedWorld, name: string, params: readonly unknown[]): Promise<void> {
    const wrong = [...params]
    wrong[this.#draw(params.length + 1)] = this.#any(INVALID_VALUES)
    actor.node.miner.makeReserved()
    const before = fingerprint(actor.node.instance)
    const outcome = await this.#call(actor, name, wrong)
    if (outcome instanceof NodeError) {
      if (outcome.kind !== 'invalidParams') return
      const after = fingerprint(actor.node.instance)
      const changed = Object.keys(after).filter((cell) => after[cell] !== before[cell])
      return expectNone('refused params', changed)
    }
    // The call succeeded: a reset drops the snapshots, whose expectation is unknown now.
    if (!TREE.includes(nameOf(name))) return
    await this.#call(actor, 'evm_reset', [])
    await actor.expectSnapshots([])
  }

  async #snapshot(actor: WatchedWorld, name: string, params: readonly unknown[]): Promise<void> {
    // Observes before the snapshot. With reserved blocks it observes after it, because observing would materialize them.
    const before = actor.isUnseen ? undefined : await actor.look()
    const id = await this.#call(actor, name, params)
    const observation = before ?? (await actor.look())
    if (id instanceof NodeError) return
    const [options] = params as [{ name?: string }?]
    await actor.expectSnapshots([
      ...actor.snapshots,
      [BigInt(id as string), { name: options?.name, observation }],
    ])
  }

  async #revert(actor: WatchedWorld, name: string, params: readonly unknown[]): Promise<void> {
    const [ref, options] = params as [string, { keep: boolean }?]
    const found = actor.idOf(ref)
    const kept = actor.isUnseen ? undefined : await actor.look(['kept'])
    const cells = actor.isUnseen ? {} : actor.cells('kept')
    expectSame('answer of the revert', await this.#call(actor, name, params), found !== undefined)
    const changed = kept === undefined ? [] : await actor.changesSince(kept, ['kept'])
    expectNone('what a revert keeps', [...changed, ...differences(cells, actor.cells('kept'))])
    if (found === undefined) return
    expectNone('revert', await actor.changesSince(actor.snapshots.get(found)!.observation))
    const isKept = ([id]: readonly [bigint, ExpectedSnapshot]) => options?.keep === true || id <= found
    await actor.expectSnapshots([...actor.snapshots].filter(isKept))
  }

  async #dump(actor: WatchedWorld): Promise<void> {
    const observation = await actor.look(['chain', 'constant'])
    const withSnapshots = this.#draw(2) === 0
    const state = await this.#call(actor, 'node_dumpState', [{ snapshots: withSnapshots }])
    const dump = { state: String(state), observation, snapshots: withSnapshots ? actor.snapshots : new Map() }
    this.#dumps = [...this.#dumps, dump].slice(-MAX_DUMPS)
  }

  /** Loads an earlier dump of any world, or a new one. */
  async #load(actor: WatchedWorld, name: string): Promise<void> {
    if (this.#dumps.length === 0 || this.#draw(3) === 0) await this.#dump(actor)
    const { state, observation, snapshots } = this.#any(this.#dumps)
    expectSame('answer of the load', await this.#call(actor, name, [state]), true)
    expectNone('load', await actor.changesSince(observation, ['chain', 'constant']))
    // Snapshots of the file replace the existing ones; without any, the existing ones stay.
    const written = [...snapshots].map(([id, snapshot]) => [id, asWritten(snapshot)] as const)
    await actor.expectSnapshots(written.length > 0 ? written : actor.snapshots)
  }

  async #letTimePass(): Promise<void> {
    const ms = this.#draw(3000)
    this.#done.push(['all', 'time', [ms], undefined])
    await elapse(this.#worlds[0].node, this.#host, ms)
    for (const { node } of this.#worlds) await node.instance.lock.run('write', () => undefined)
    for (const world of this.#worlds) world.touch()
  }

  /** Creates a world from the default chain's head or snapshot. `enter` holds it, so that it does not end while idle. */
  async #makeWorld(): Promise<void> {
    if (this.#worlds.length >= MAX_WORLDS) return
    const id = `world-of-law-${++this.#made}`
    const known = [...this.#worlds[0].snapshots.keys()]
    const from = known.length > 0 && this.#draw(2) === 0 ? toQuantity(this.#any(known)) : undefined
    await this.#call(this.#any(this.#worlds), 'node_createWorld', [
      { id, ...(from === undefined ? {} : { from }) },
    ])
    const { chain } = this.#worlds[0].node.worlds.enter(id)
    const world = await WatchedWorld.watch(id, chain, this.#draw)
    this.#worlds = [...this.#worlds, world]
    this.#checkOthers(world)
  }

  async #deleteWorld(): Promise<void> {
    if (this.#worlds.length === 1) return
    const gone = this.#any(this.#worlds.slice(1))
    const outcome = await this.#call(this.#worlds[0], 'node_deleteWorld', [gone.name])
    expectSame('answer of node_deleteWorld', outcome, true)
    const [first, ...others] = this.#worlds
    this.#worlds = [first, ...others.filter((world) => world !== gone)]
    if (this.#actor === gone) this.#actor = first
    if (this.#still === gone) this.#still = first
    this.#checkOthers(undefined)
  }

  /** Continues in another world, and observes a third one before and after the steps. */
  async #goElsewhere(): Promise<void> {
    const worlds = this.#worlds
    const listed = (await worlds[0].call('node_worlds', [])) as { id: string; blockHash: string }[]
    const expected = worlds.slice(1).map(({ name, node }) => `${name} ${node.chain.head.block.hash}`)
    expectSame('worlds', listed.map(({ id, blockHash }) => `${id} ${blockHash}`).join(), expected.join())
    await this.#lookAtStill()
    this.#actor = this.#any(worlds)
    this.#still = this.#any(worlds)
    if (this.#still !== this.#actor) await this.#lookAtStill()
  }

  async #lookAtStill(): Promise<void> {
    const { name } = this.#still
    expectNone(`${name}, where nothing happened`, await this.#still.strayAnswers())
  }

  #checkOthers(actor: WatchedWorld | undefined): void {
    for (const world of this.#worlds) {
      if (world !== actor) expectNone(`${world.name}, where nothing happened`, world.strayCells())
    }
  }

  /** Answers the result or the NodeError; any other error fails the run. */
  async #call(actor: WatchedWorld, method: string, params: readonly unknown[]): Promise<unknown> {
    const outcome = await actor.call(method, params).catch((error: unknown) => {
      if (error instanceof NodeError && error.kind !== 'internal') return error
      this.#done.push([actor.name, method, params, String(error)])
      throw error
    })
    this.#done.push([actor.name, method, params, outcome instanceof NodeError ? outcome.message : outcome])
    if (this.#done.length > 100) this.#done.shift()
    return outcome
  }

  #any<T>(from: readonly T[]): T {
    return from[this.#draw(from.length)]!
  }
}

async function drop(actor: WatchedWorld, [ref]: readonly unknown[], outcome: unknown): Promise<void> {
  const found = actor.idOf(ref as string)
  expectSame('answer of the drop', outcome, found !== undefined)
  await actor.expectSnapshots([...actor.snapshots].filter(([id]) => id !== found))
}

/** The part of a snapshot's observation that a dumped state restores. */
function asWritten({ name, observation: { requests, answers } }: ExpectedSnapshot): ExpectedSnapshot {
  const isWritten = requests.map(({ kind }) => kind !== 'running')
  const only = <T>(list: readonly T[]) => list.filter((_, index) => isWritten[index])
  return { name, observation: { requests: only(requests), answers: only(answers), cells: {} } }
}
