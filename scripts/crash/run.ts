/** Kills the built command under load at random moments, and checks what the next start has and says. */

import { deepStrictEqual, match, ok } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { startDevNode } from '../../test/support/packed-command.ts'
import type { RunningNode } from '../../test/support/packed-command.ts'
import { drawsFrom } from '../../test/support/random-draws.ts'
import type { Draw } from '../../test/support/random-draws.ts'
import { Ledger } from './ledger.ts'
import { Load, TRANSFER } from './load.ts'
import { drawMoment } from './moments.ts'
import { Room, lateClock } from './room.ts'

/** What to run. */
interface Crash {
  readonly moments: number
  readonly seed: number
  /** Path of the command. */
  readonly command: string
}

/** What a killed node left. */
interface Remains {
  readonly pid: number
  readonly unfinished: readonly string[]
}

/** Kills the command at so many moments. Returns what happened, in sentences. @throws if something was lost or not said */
export async function crash(asked: Crash): Promise<readonly string[]> {
  const room = new Room()
  try {
    return await new CrashTest(asked, room).run()
  } finally {
    room.close()
  }
}

class CrashTest {
  readonly #asked: Crash
  readonly #room: Room
  readonly #draw: Draw
  readonly #state: string
  readonly #args: readonly string[]
  readonly #ledger = new Ledger()
  readonly #counts = new Map<string, number>()
  /** What the next start has to speak of. */
  #remains: Remains | undefined
  #unfinished = 0
  #broken = 0
  #diskFaults = 0

  constructor(asked: Crash, room: Room) {
    this.#asked = asked
    this.#room = room
    this.#draw = drawsFrom(asked.seed)
    this.#state = room.path('chain.state')
    const files = ['--state', this.#state, '--keystore', room.path('keys'), '--keystore-scrypt', 'light']
    this.#args = [...files, '--state-interval', '0.02']
  }

  async run(): Promise<readonly string[]> {
    for (let index = 0; index < this.#asked.moments; index++) {
      await this.#moment(index)
      if (this.#draw(8) === 0) await this.#checkBroken()
    }
    const last = await this.#restart()
    deepStrictEqual(await last.stop(), 0)
    const { saves, accounts } = this.#ledger
    return [
      ...[...this.#counts].map(([name, count]) => `${name}: ${count}`),
      `${this.#unfinished} unfinished files named and removed, ${this.#broken} broken files refused, ${this.#diskFaults} clear errors of the disk, ${saves} saves and ${accounts} accounts answered: nothing lost`,
    ]
  }

  /** Starts the next node, and kills it at a moment. */
  async #moment(index: number): Promise<void> {
    const [room, draw] = [this.#room, this.#draw]
    const node = await this.#restart()
    const load = new Load(node.url, this.#ledger)
    const loading = load.run()
    const { name, happen } = drawMoment(index, draw, room.isMounted)
    try {
      await happen({ room, node, load, draw, command: this.#asked.command, args: this.#args })
    } finally {
      load.end()
      process.kill(node.ready.pid, 'SIGKILL')
      await node.exited
      await loading
    }
    deepStrictEqual(load.surprises, [], name)
    this.#remains = { pid: node.ready.pid, unfinished: await room.unfinished() }
    room.free()
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    this.#unfinished += this.#remains.unfinished.length
    this.#diskFaults += load.diskFaults.length
  }

  /** Starts the next node, and checks what it has and what it says of the killed one. */
  async #restart(): Promise<RunningNode> {
    const env = {
      NODE_OPTIONS: `--import "${lateClock(this.#room.clockFlag)}"`,
      // A save during a check has the transaction in the pool: the next block would have two.
      DEV_NODE_CROSS_CHECK: 'false',
    }
    const node = await startDevNode(this.#args, env, undefined, this.#asked.command)
    try {
      await this.#ledger.check(node.url, TRANSFER.from)
      this.#checkPrinted(node.stderr())
    } catch (error) {
      process.kill(node.ready.pid, 'SIGKILL')
      throw error
    }
    return node
  }

  /** The start speaks of the killed node. */
  #checkPrinted(printed: string): void {
    if (this.#remains === undefined) return
    const { pid, unfinished } = this.#remains
    for (const said of [
      `process id ${pid}, which used the state file`,
      `process id ${pid}, which used the keystore folder`,
      ...unfinished.map((name) => `removed ${this.#room.path(name)}`),
    ])
      ok(printed.includes(said), `not said at the start: ${said}\n${printed}`)
  }

  /** A broken state file is refused by name, and stays as it is. */
  async #checkBroken(): Promise<void> {
    const whole = readFileSync(this.#state)
    const broken = this.#damaged(whole)
    if (broken.equals(whole)) return
    writeFileSync(this.#state, broken)
    const child = spawn(this.#asked.command, ['start', '--port', '0', ...this.#args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed = text(child.stderr)
    const ended = once(child, 'exit')
    // The header of the compressed file has bits that no reader looks at: with those changed, the node starts.
    const [code] = await Promise.race([ended, once(child.stdout, 'data').then(() => [undefined])])
    if (code === undefined) child.kill('SIGKILL')
    await ended
    if (code !== undefined) {
      match(await printed, new RegExp(`cannot load ${this.#state}: .*the file was not changed`))
      ok(readFileSync(this.#state).equals(broken), 'a broken file was changed')
      this.#broken++
    }
    writeFileSync(this.#state, whole)
    // That start has said what it found of the killed node.
    this.#remains = undefined
  }

  /** The content with a changed byte, or cut. */
  #damaged(whole: Buffer): Buffer {
    const draw = this.#draw
    const changed = Buffer.from(whole)
    const at = draw(changed.length)
    if (draw(2) === 0) return changed.subarray(0, at)
    changed[at] = changed[at]! ^ (1 + draw(255))
    return changed
  }
}
