/** Mines many blocks with snapshots and reverts in between, and measures memory and latency on the way. */

import { setImmediate } from 'node:timers/promises'
import { memoryWithoutGarbage } from './heap.ts'
import type { Memory } from './heap.ts'
import type { Ask, MixedLoad } from './mixed-load.ts'

/** What to do. */
export interface ChainSoak {
  readonly blocks: number
  /** Number of snapshots that are taken and reverted to. */
  readonly reverts: number
  /** Number of measurements. */
  readonly stops: number
  /** Number of transactions whose latencies are compared: the first ones after a tenth of the run, and the last ones. */
  readonly window: number
}

/** A measurement. */
export interface Stop {
  readonly blocks: number
  readonly memory: Memory
  /** Number of states in memory. */
  readonly states: number
  /** Of the last window. */
  readonly latency: Latency
}

/** Milliseconds of a transaction. */
export interface Latency {
  readonly median: number
  /** Processor time, with collection of garbage; it depends less on what else the machine does. */
  readonly processor: number
}

/** The measurements of a run, and the latencies of the first and the last window. */
export interface ChainResult {
  readonly stops: readonly Stop[]
  readonly first: Latency
  readonly last: Latency
}

/** Runs it. `onStop` gets each measurement at once. */
export async function soakChain(
  ask: Ask,
  load: MixedLoad,
  { blocks, reverts, stops, window }: ChainSoak,
  onStop: (stop: Stop) => void = () => undefined,
): Promise<ChainResult> {
  const made: Stop[] = []
  const windows: Latency[] = []
  const revertEvery = Math.max(1, Math.floor(blocks / reverts))
  for (let start = 0; start < blocks; start += window) {
    windows.push(await sendWindow(ask, load, { start, window, revertEvery }))
    const done = start + window
    if (Math.floor((done * stops) / blocks) === Math.floor((start * stops) / blocks)) continue
    const { states } = await ask('dev_memory')
    const stop = {
      blocks: done,
      memory: await memoryWithoutGarbage(),
      states,
      latency: windows.at(-1)!,
    }
    made.push(stop)
    onStop(stop)
  }
  return { stops: made, first: windows[warmWindow(windows.length)]!, last: windows.at(-1)! }
}

/** The first windows warm up: code is compiled. */
const warmWindow = (count: number): number => Math.min(3, Math.floor(count / 4))

async function sendWindow(
  ask: Ask,
  load: MixedLoad,
  {
    start,
    window,
    revertEvery,
  }: { readonly start: number; readonly window: number; readonly revertEvery: number },
): Promise<Latency> {
  const latencies: number[] = []
  const { user, system } = process.cpuUsage()
  let sent = 0
  const send = async (): Promise<void> => {
    const begun = performance.now()
    await load.send()
    latencies.push(performance.now() - begun)
    // Timers of the node, and the collection of weak references, need turns of the event loop.
    if (sent++ % 20 === 0) await setImmediate()
  }
  for (let number = start; number < start + window; number++) {
    await send()
    if (number % revertEvery !== 0) continue
    const id = await ask('evm_snapshot')
    for (let count = 0; count < 1 + (number % 3); count++) await send()
    if ((await ask('evm_revert', id)) !== true) throw new Error(`snapshot ${id} is unknown`)
  }
  const used = process.cpuUsage({ user, system })
  latencies.sort((left, right) => left - right)
  return { median: latencies[latencies.length >> 1]!, processor: (used.user + used.system) / 1000 / sent }
}
