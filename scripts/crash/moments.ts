/** What happens to a node under load before it is killed. */

import { deepStrictEqual, match, ok } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Draw } from '../../test/support/random-draws.ts'
import { request } from '../../test/support/packed-command.ts'
import type { RunningNode } from '../../test/support/packed-command.ts'
import { headOf } from './ledger.ts'
import { TRANSFER } from './load.ts'
import type { Load } from './load.ts'
import type { Room } from './room.ts'

/** A node under load. */
export interface Scene {
  readonly room: Room
  readonly node: RunningNode
  readonly load: Load
  readonly draw: Draw
  readonly command: string
  readonly args: readonly string[]
}

/** Longest time from a start to its moment, in milliseconds. */
const MAX_DELAY_MS = 400

const WAIT_MS = 20_000

/** Waits until the condition holds. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + WAIT_MS
  while (!(await holds())) {
    ok(performance.now() < endsAt, `waited in vain for ${what}`)
    await pause(2)
  }
}

const moreSaves = async ({ load }: Scene): Promise<void> => {
  const { saves } = load
  await until('a save', () => load.saves > saves)
}

/** At any moment. */
const anytime = (scene: Scene): Promise<void> => pause(scene.draw(MAX_DELAY_MS))

/** While a file is being written. */
async function whileWriting({ room, draw }: Scene): Promise<void> {
  await pause(draw(MAX_DELAY_MS))
  const endsAt = performance.now() + WAIT_MS
  while ((await room.unfinished()).length === 0 && performance.now() < endsAt);
}

async function onFullDisk({ room, load, draw }: Scene): Promise<void> {
  await pause(draw(MAX_DELAY_MS))
  const faults = load.diskFaults.length
  await until('an error of the full disk', () => {
    // Again and again: a failed write gives back what it took.
    room.fill()
    return load.diskFaults.length > faults
  })
}

async function afterFullDisk(scene: Scene): Promise<void> {
  await onFullDisk(scene)
  scene.room.free()
  await moreSaves(scene)
}

async function afterReadOnlyDisk(scene: Scene): Promise<void> {
  const { room, load, draw } = scene
  await pause(draw(MAX_DELAY_MS))
  await room.forbidWrites()
  const faults = load.diskFaults.length
  try {
    await until('an error of the read-only disk', () => load.diskFaults.length > faults)
  } finally {
    room.allowWrites()
  }
  await moreSaves(scene)
}

/** A second node on the same files is refused, and names the first. */
async function withSecondNode({ node, command, args, draw }: Scene): Promise<void> {
  await pause(draw(MAX_DELAY_MS))
  const second = spawn(command, ['start', '--port', '0', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const printed = text(second.stderr)
  const [code] = await once(second, 'exit')
  deepStrictEqual(code, 1)
  match(await printed, new RegExp(`is in use by the node with process id ${node.ready.pid}:`))
}

/** Blocks stay in order, and the scheduled writes go on. */
async function withLateClock(scene: Scene): Promise<void> {
  const { room, node, draw } = scene
  await pause(draw(MAX_DELAY_MS))
  room.setClockBack()
  try {
    // The node looks at the flag every 20 milliseconds.
    await pause(60)
    await moreSaves(scene)
    await request(node.url, 'eth_sendTransaction', [TRANSFER])
    await checkTimes(node.url)
  } finally {
    if (draw(2) === 0) room.setClockRight()
  }
}

async function checkTimes(url: string): Promise<void> {
  const { number } = await headOf(url)
  let earlier = 0
  for (let at = Math.max(0, number - 20); at <= number; at++) {
    const block = await request<{ timestamp: string }>(url, 'eth_getBlockByNumber', [
      `0x${at.toString(16)}`,
      false,
    ])
    ok(Number(block.timestamp) >= earlier, `the time of block ${at} is before that of its parent`)
    earlier = Number(block.timestamp)
  }
}

/** Moments by name, with their shares. Those of a disk need one of their own. */
const MOMENTS = [
  { name: 'at any moment', share: 35, needsDisk: false, happen: anytime },
  { name: 'during a write', share: 30, needsDisk: false, happen: whileWriting },
  { name: 'on a full disk', share: 8, needsDisk: true, happen: onFullDisk },
  { name: 'after a full disk', share: 7, needsDisk: true, happen: afterFullDisk },
  { name: 'after a read-only disk', share: 6, needsDisk: true, happen: afterReadOnlyDisk },
  { name: 'with a second node', share: 7, needsDisk: false, happen: withSecondNode },
  { name: 'with the clock set back', share: 7, needsDisk: false, happen: withLateClock },
] as const

/** Draws a moment. The first ones take each in turn, so that a short run has all of them. */
export function drawMoment(index: number, draw: Draw, hasDisk: boolean): (typeof MOMENTS)[number] {
  const possible = MOMENTS.filter(({ needsDisk }) => hasDisk || !needsDisk)
  const inTurn = possible[index]
  if (inTurn !== undefined) return inTurn
  let left = draw(possible.reduce((sum, { share }) => sum + share, 0))
  return possible.find(({ share }) => (left -= share) < 0)!
}
