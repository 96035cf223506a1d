/**
 * Kills the built command under load at random moments, and checks that the next start has what was said to be written and says
 * what it found: `npm run crash -- --moments 200 --seed 7`. Its disk is a mount in memory if the user may make one; else the moments
 * of a full and of a read-only disk are left out.
 */

import { deepStrictEqual, match, ok } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { startDevNode } from '../test/support/packed-command.ts'
import type { RunningNode } from '../test/support/packed-command.ts'
import { drawsFrom } from '../test/support/random-draws.ts'
import type { Draw } from '../test/support/random-draws.ts'
import { Ledger } from './crash/ledger.ts'
import { Load, TRANSFER } from './crash/load.ts'
import { drawMoment } from './crash/moments.ts'
import { Room, lateClock } from './crash/room.ts'

const { values } = parseArgs({
  options: {
    moments: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    command: { type: 'string', default: 'dist/dev-node.cjs' },
  },
})

const command = resolve(values.command)
const room = new Room()
const state = room.path('chain.state')
const files = ['--state', state, '--keystore', room.path('keys'), '--keystore-scrypt', 'light']
const args = [...files, '--state-interval', '0.02']
const ledger = new Ledger()
const env = { NODE_OPTIONS: `--import "${lateClock(room.clockFlag)}"` }

/** What a killed node left. */
interface Remains {
  readonly pid: number
  readonly unfinished: readonly string[]
}

/** Starts the next node, and checks what it has and what it says of the killed one. */
async function restart(remains: Remains | undefined): Promise<RunningNode> {
  const node = await startDevNode(args, env, undefined, command)
  await ledger.check(node.url, TRANSFER.from)
  const printed = node.stderr()
  if (remains === undefined) return node
  ok(printed.includes(`process id ${remains.pid}, which used the state file`), `of the lock: ${printed}`)
  ok(printed.includes(`process id ${remains.pid}, which used the keystore`), `of the lock: ${printed}`)
  for (const name of remains.unfinished)
    ok(printed.includes(`removed ${room.path(name)}`), `of ${name}: ${printed}`)
  return node
}

/** A broken state file is refused by name, and stays as it is. */
async function checkBroken(draw: Draw): Promise<void> {
  const whole = readFileSync(state)
  const broken = Buffer.from(whole)
  const at = draw(broken.length)
  if (draw(2) === 0) broken[at] = broken[at]! ^ (1 + draw(255))
  const content = draw(2) === 0 ? broken.subarray(0, at) : broken
  if (content.equals(whole)) return
  writeFileSync(state, content)
  const child = spawn(command, ['start', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = text(child.stderr)
  // An end of the compressed file may carry a bit that no reader looks at: then the node starts.
  const ended = once(child, 'exit')
  const [code] = await Promise.race([ended, once(child.stdout, 'data').then(() => [undefined])])
  if (code === undefined) child.kill('SIGKILL')
  await ended
  if (code !== undefined) match(await printed, new RegExp(`cannot load ${state}: .*the file was not changed`))
  ok(readFileSync(state).equals(content), 'a broken file was changed')
  writeFileSync(state, whole)
}

async function run(): Promise<void> {
  const draw = drawsFrom(Number(values.seed))
  const counts = new Map<string, number>()
  let remains: Remains | undefined
  let [unfinished, broken, faults] = [0, 0, 0]
  for (let index = 0; index < Number(values.moments); index++) {
    const node = await restart(remains)
    const load = new Load(node.url, ledger)
    const loading = load.run()
    const { name, happen } = drawMoment(index, draw, room.isMounted)
    await happen({ room, node, load, draw, command, args })
    load.end()
    process.kill(node.ready.pid, 'SIGKILL')
    await node.exited
    await loading
    deepStrictEqual(load.surprises, [], name)
    remains = { pid: node.ready.pid, unfinished: await room.unfinished() }
    room.free()
    counts.set(name, (counts.get(name) ?? 0) + 1)
    unfinished += remains.unfinished.length
    faults += load.diskFaults.length
    if (draw(8) === 0) {
      await checkBroken(draw)
      broken++
      // That start has said what it found of the killed node.
      remains = undefined
    }
  }
  const last = await restart(remains)
  deepStrictEqual(await last.stop(), 0)
  for (const [name, count] of counts) console.log(`${name}: ${count}`)
  console.log(
    `${unfinished} unfinished files named and removed, ${broken} broken files refused, ${faults} clear errors of the disk, ${ledger.saves} saves and ${ledger.accounts} accounts answered: nothing lost`,
  )
}

console.log(
  `seed ${values.seed}, ${values.moments} moments${room.isMounted ? '' : ', without a disk of its own'}`,
)
try {
  await run()
} finally {
  room.close()
}
