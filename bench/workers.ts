/** Compares eight workers in worlds of one node with eight workers on eight processes of Anvil. They run worker.ts. */

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { anvilDefault } from './nodes/anvil.ts'
import { devNode33 } from './nodes/dev-node.ts'
import { startNode } from './nodes/node.ts'
import type { RunningNode } from './nodes/node.ts'
import { median } from './statistics.ts'
import type { Order, Report, Task } from './worker.ts'

const WORKERS = 8
const TRANSACTIONS = 2000

/** Rounds of each kind, which alternate. */
const ROUNDS = 3

/** Chains for the workers, and the processes they run in. */
interface Chains {
  readonly urls: readonly string[]
  readonly processes: readonly RunningNode[]
}

/** Figures of a round. */
interface Round {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly megabytes: number
  /** Receipts asked for in vain. */
  readonly polls: number
}

/** Prints the medians of the completed rounds. */
export async function compareWorkers(): Promise<void> {
  console.log(`${WORKERS} workers at once, ${TRANSACTIONS} transactions each with snapshots and reverts`)
  const kinds = [
    { name: 'worlds of one node', open: oneNode, rounds: [] as Round[], failures: [] as unknown[] },
  ]
  if (anvilDefault.missing() === undefined)
    kinds.push({ name: `${WORKERS} processes of Anvil`, open: eightAnvils, rounds: [], failures: [] })
  for (let index = 0; index < ROUNDS; index++) {
    for (const { open, rounds, failures } of kinds) {
      await round(await open()).then(
        (measured) => rounds.push(measured),
        (error: unknown) => failures.push(error),
      )
    }
  }
  for (const { name, rounds, failures } of kinds) {
    const middle = (member: keyof Round) => Number(median(rounds.map((each) => each[member])).toFixed(1))
    console.table({
      [name]: {
        'wall, s': middle('wallSeconds'),
        'CPU, s': middle('cpuSeconds'),
        'memory, MB': middle('megabytes'),
        'receipts asked for in vain': middle('polls'),
        'rounds that failed': failures.length,
      },
    })
    for (const failure of failures) console.log(String(failure))
  }
}

async function round({ urls, processes }: Chains): Promise<Round> {
  const workers = urls.map((url, index) =>
    startWorker({ url, number: index + 1, transactions: TRANSACTIONS }),
  )
  const cpuMs = () => processes.reduce((sum, { use }) => sum + use().cpuMs, 0)
  try {
    await Promise.all(workers.map(({ report }) => report()))
    const before = cpuMs()
    const startedAt = performance.now()
    const reports = await orderAll(workers)
    const wallSeconds = (performance.now() - startedAt) / 1000
    const cpuSeconds = (cpuMs() - before) / 1000
    const bytes = processes.reduce((sum, { use }) => sum + use().memory, 0)
    await orderAll(workers)
    const polls = reports.reduce((sum, report) => sum + (report.polls ?? 0), 0)
    return { wallSeconds, cpuSeconds, megabytes: bytes / 2 ** 20, polls }
  } finally {
    for (const { child } of workers) child.kill()
    for (const { stop } of processes) await stop()
  }
}

interface Worker {
  readonly child: ChildProcess
  /** Waits for the next report. */
  readonly report: () => Promise<Report>
}

function startWorker(task: Task): Worker {
  const child = fork(new URL('worker.js', import.meta.url))
  const report = async () => {
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Report | number]
    if (typeof message !== 'object') throw new Error('a worker ended')
    if (message.error !== undefined) throw new Error(message.error)
    return message
  }
  child.send(task)
  return { child, report }
}

function orderAll(workers: readonly Worker[]): Promise<readonly Report[]> {
  const order: Order = { go: true }
  return Promise.all(
    workers.map(({ child, report }) => {
      child.send(order)
      return report()
    }),
  )
}

/** One node with a world for each worker. */
async function oneNode(): Promise<Chains> {
  const running = await startNode(devNode33)
  const urls = Array.from({ length: WORKERS }, (_, index) => `${running.url}/w/worker-${index + 1}`)
  return { urls, processes: [running] }
}

async function eightAnvils(): Promise<Chains> {
  const processes = await Promise.all(Array.from({ length: WORKERS }, () => startNode(anvilDefault)))
  return { urls: processes.map(({ url }) => url), processes }
}
