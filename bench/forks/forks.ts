/** Measures nodes that fork the same remote, with an empty cache and with the cache of the run before. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from '../client.ts'
import { anvilDefault } from '../nodes/anvil.ts'
import { devNodeEthereum } from '../nodes/dev-node.ts'
import { startNode } from '../nodes/node.ts'
import type { BenchNode } from '../nodes/node.ts'
import { rounded } from '../statistics.ts'
import { loadChain } from './chain.ts'
import type { LoadedChain } from './chain.ts'
import { startProxy } from './counting-proxy.ts'
import type { CountingProxy, Traffic } from './counting-proxy.ts'
import { FORKING_NODES } from './nodes.ts'
import type { ForkingNode } from './nodes.ts'
import { STEPS, checkHeight } from './steps.ts'
import type { Step, Target } from './steps.ts'

/** What a step cost in one round. */
export interface StepCost extends Traffic {
  readonly wallMs: number
}

/** The costs of a step, one per round, or why there are none. */
export type StepCosts = readonly (StepCost | { readonly failed: string })[]

/** A column of a table. */
export interface ForkColumn {
  readonly title: string
  readonly version: string
  /** By name of the step. */
  readonly costs: ReadonlyMap<string, StepCosts>
}

/** The results of a run. */
export interface ForkResults {
  readonly rounds: number
  readonly cold: readonly ForkColumn[]
  readonly warm: readonly ForkColumn[]
}

/** Milliseconds that the proxy adds to each answer of the remote. */
export const LATENCY_MS = 20

/** Name of the first row. */
export const START = 'start to eth_blockNumber'

/** Title of the column of the node that has the same contents without a fork. */
export const WITHOUT_FORK = 'dev-node without a fork'

/** Measures all nodes in rounds. */
export async function measureForks(rounds: number): Promise<ForkResults> {
  const remote = await startNode(anvilDefault)
  const connection = connect(remote.url)
  try {
    const chain = await loadChain(connection.call)
    const run = new ForkRun(remote.url, chain)
    for (let round = 0; round < rounds; round++) {
      for (const subject of FORKING_NODES) await run.forked(subject)
      await run.withoutFork()
    }
    return { rounds, cold: [...run.cold.values()], warm: [...run.warm.values()] }
  } finally {
    connection.disconnect()
    await remote.stop()
  }
}

/** A column that is being filled. */
interface GrowingColumn extends ForkColumn {
  readonly costs: Map<string, StepCosts>
}

class ForkRun {
  readonly cold = new Map<string, GrowingColumn>()
  readonly warm = new Map<string, GrowingColumn>()
  readonly #remoteUrl: string
  readonly #chain: LoadedChain

  constructor(remoteUrl: string, chain: LoadedChain) {
    this.#remoteUrl = remoteUrl
    this.#chain = chain
  }

  /** One process with an empty cache, and one with the cache that it wrote. */
  async forked({ node, forking }: ForkingNode): Promise<void> {
    const cache = mkdtempSync(join(tmpdir(), 'dev-node-bench-fork-'))
    try {
      for (const columns of [this.cold, this.warm]) {
        const proxy = await startProxy(this.#remoteUrl, LATENCY_MS)
        const source = { url: proxy.url, blockNumber: this.#chain.height, cache }
        try {
          await this.#measure(forking(source), { columns, title: node.title, proxy })
        } finally {
          await proxy.close()
        }
      }
    } finally {
      rmSync(cache, { recursive: true, force: true })
    }
  }

  /** The same steps on a node that has the contents of the remote as its own. */
  async withoutFork(): Promise<void> {
    const running = await startNode(devNodeEthereum)
    const { call, disconnect } = connect(running.url)
    try {
      const chain = await loadChain(call)
      const version = (await call('web3_clientVersion')) as string
      const column = columnOf(this.warm, WITHOUT_FORK, version)
      add(column, START, { wallMs: running.start.wallMs, messages: 0, requests: 0 })
      await measureSteps(STEPS, column, { url: running.url, call, chain })
    } finally {
      disconnect()
      await running.stop()
    }
  }

  async #measure(
    node: BenchNode,
    { columns, title, proxy }: { columns: Map<string, GrowingColumn>; title: string; proxy: CountingProxy },
  ): Promise<void> {
    const running = await startNode(node)
    const { call, disconnect } = connect(running.url)
    const target = { url: running.url, call, chain: this.#chain }
    try {
      const startedAt = performance.now()
      await checkHeight(target)
      const wallMs = running.start.wallMs + performance.now() - startedAt
      const start = { wallMs, ...proxy.traffic() }
      const column = columnOf(columns, title, (await call('web3_clientVersion')) as string)
      add(column, START, start)
      await measureSteps(STEPS, column, target, proxy)
    } finally {
      disconnect()
      await running.stop()
    }
  }
}

function columnOf(columns: Map<string, GrowingColumn>, title: string, version: string): GrowingColumn {
  const column = columns.get(title) ?? { title, version, costs: new Map<string, StepCosts>() }
  columns.set(title, column)
  return column
}

function add({ title, costs }: GrowingColumn, step: string, cost: StepCosts[number]): void {
  costs.set(step, [...(costs.get(step) ?? []), cost])
  const words =
    'failed' in cost
      ? cost.failed
      : `${rounded(cost.wallMs)} ms, ${cost.messages} HTTP requests, ${cost.requests} JSON-RPC requests`
  process.stderr.write(`${title}: ${step}: ${words}\n`)
}

async function measureSteps(
  steps: readonly Step[],
  column: GrowingColumn,
  target: Target,
  proxy?: CountingProxy,
): Promise<void> {
  for (const { name, run } of steps) {
    const before = proxy?.traffic()
    const startedAt = performance.now()
    try {
      await run(target)
      const wallMs = performance.now() - startedAt
      const after = proxy?.traffic()
      const messages = (after?.messages ?? 0) - (before?.messages ?? 0)
      const requests = (after?.requests ?? 0) - (before?.requests ?? 0)
      add(column, name, { wallMs, messages, requests })
    } catch (error) {
      add(column, name, { failed: error instanceof Error ? error.message : String(error) })
    }
  }
}
