/** Measures the rows of the table on every node, in rounds. */

import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { connect } from './client.ts'
import { startNode } from './nodes/node.ts'
import type { BenchNode } from './nodes/node.ts'
import { nodeProgram, nodeVersion } from './nodes/program.ts'
import type { NodeResult, Outcome, Results, RowResult } from './results.ts'
import { Session } from './session.ts'
import type { Extent, NodeSession } from './session.ts'
import { median, rounded } from './statistics.ts'
import type { Row } from './workloads/row.ts'

/** Milliseconds of a row after which later rounds leave it out for a node: a single operation took that long. */
const SLOW_MS = 10_000

/** Processes at the same time of a row that measures memory. */
const MEMORY_PROCESSES = 2

const COMPLETE: Extent = { scale: 1, limitMs: 1000 }

const QUICK: Extent = { scale: 0.1, limitMs: 1000 }

/** Which rows are measured on which nodes, and how often. */
export interface Plan {
  readonly rows: readonly Row[]
  readonly nodes: readonly BenchNode[]
  readonly rounds: number
  readonly quick: boolean
}

/** Measures a plan. Rows that fail on a node are part of the results. */
export async function measureTable({ rows, nodes, rounds, quick }: Plan): Promise<Results> {
  const startedAt = performance.now()
  const present = nodes.filter((node) => node.missing() === undefined)
  const table = new Table(rows, quick ? QUICK : COMPLETE)
  for (let round = 0; round < rounds; round++) {
    const order = [...present.slice(round % present.length), ...present.slice(0, round % present.length)]
    await table.roundInOneProcess(order, round)
    await table.roundWithTraces(order, round)
  }
  await table.onceEach(present)
  return {
    machine: machine(),
    nodeVersion: nodeVersion(),
    bareNodeMs: median(Array.from({ length: 5 }, bareNodeMs)),
    minutes: (performance.now() - startedAt) / 60_000,
    rounds,
    nodes: nodes.map((node): NodeResult => {
      const { id, title, settings } = node
      return { id, title, settings, version: table.versions.get(id), missing: node.missing() }
    }),
    rows: table.results(),
  }
}

/** Processor, cores and platform of this machine, for the document. */
export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${process.platform} ${process.arch}`

/** Milliseconds of a Node.js process that does nothing. */
function bareNodeMs(): number {
  const startedAt = performance.now()
  execFileSync(nodeProgram(), ['-e', '0'])
  return performance.now() - startedAt
}

/** The measurements so far. */
class Table {
  readonly #rows: readonly Row[]
  readonly #extent: Extent
  /** What the nodes call themselves, by id. */
  readonly versions = new Map<string, string>()
  readonly #outcomes = new Map<string, Outcome[]>()
  readonly #slow = new Set<string>()

  constructor(rows: readonly Row[], extent: Extent) {
    this.#rows = rows
    this.#extent = extent
  }

  results(): readonly RowResult[] {
    return this.#rows.map(({ name }) => {
      const entries = [...this.#outcomes].filter(([key]) => key.startsWith(`${name}\n`))
      return {
        name,
        outcomes: Object.fromEntries(entries.map(([key, outcomes]) => [key.split('\n')[1]!, outcomes])),
      }
    })
  }

  /** All nodes run, and each row goes from node to node, so that noise of the machine hits all of them. */
  async roundInOneProcess(nodes: readonly BenchNode[], round: number): Promise<void> {
    const rows = this.#rows.filter((row) => row.process === undefined)
    if (rows.length === 0) return
    const sessions: NodeSession[] = []
    try {
      for (const node of nodes) {
        const session = await this.#open(node).catch(messageOf)
        if (typeof session !== 'string') sessions.push(session)
        else for (const row of rows) this.#record(row, node, { round, outcome: { failed: session } })
      }
      for (const row of rows) for (const session of sessions) await this.#measure(row, session, round)
    } finally {
      for (const session of sessions) await close(session)
    }
  }

  /** Rows with traces, each in a fresh process. */
  async roundWithTraces(nodes: readonly BenchNode[], round: number): Promise<void> {
    for (const row of this.#rows.filter(({ process }) => process === 'step traces')) {
      for (const node of nodes) await this.#measureAlone(row, node, round)
    }
  }

  /** Rows that are measured once, each in a fresh process. */
  async onceEach(nodes: readonly BenchNode[]): Promise<void> {
    for (const row of this.#rows.filter(({ process }) => process === 'fresh')) {
      const waiting = [...nodes]
      const worker = async () => {
        for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
          await this.#measureAlone(row, node, 0)
        }
      }
      await Promise.all(Array.from({ length: row.isMemory === true ? MEMORY_PROCESSES : 1 }, worker))
    }
  }

  async #open(node: BenchNode, stepTraces = false): Promise<NodeSession> {
    const running = await startNode(node, { stepTraces })
    const session = new Session(running, this.#extent, connect(running.url))
    if (!this.versions.has(node.id)) {
      this.versions.set(node.id, (await session.call('web3_clientVersion')) as string)
    }
    return session
  }

  async #measureAlone(row: Row, node: BenchNode, round: number): Promise<void> {
    if (this.#slow.has(keyOf(row, node))) return
    const session = await this.#open(node, row.process === 'step traces').catch(messageOf)
    if (typeof session === 'string') {
      this.#record(row, node, { round, outcome: { failed: session } })
      return
    }
    try {
      await this.#measure(row, session, round)
    } finally {
      await close(session)
    }
  }

  async #measure(row: Row, session: NodeSession, round: number): Promise<void> {
    const { node } = session.running
    const key = keyOf(row, node)
    if (this.#slow.has(key)) return
    const startedAt = performance.now()
    const outcome = await row.measure(session).catch((error: unknown) => ({ failed: messageOf(error) }))
    if (performance.now() - startedAt > SLOW_MS) this.#slow.add(key)
    this.#record(row, node, { round, outcome })
  }

  #record(row: Row, node: BenchNode, { round, outcome }: { round: number; outcome: Outcome }): void {
    const outcomes = this.#outcomes.get(keyOf(row, node)) ?? []
    outcomes[round] = outcome
    this.#outcomes.set(keyOf(row, node), outcomes)
    process.stderr.write(`round ${round + 1}: ${row.name}: ${node.title}: ${inWords(outcome)}\n`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const keyOf = (row: Row, node: BenchNode): string => `${row.name}\n${node.id}`

async function close(session: NodeSession): Promise<void> {
  session.disconnect()
  await session.running.stop()
}

function inWords(outcome: Outcome): string {
  if ('failed' in outcome) return `failed: ${outcome.failed.split('\n')[0]}`
  const { cpuMs, wallMs, megabytes } = outcome
  if (megabytes !== undefined) return `${rounded(megabytes)} MB`
  return `${rounded(cpuMs ?? NaN)} ms of processor, ${rounded(wallMs ?? NaN)} ms`
}
