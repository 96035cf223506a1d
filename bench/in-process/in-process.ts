/** Measures this node and EDR in processes of Hardhat 2, with each program of Node. */

import { connect } from '../client.ts'
import { loadBenchContracts } from '../contracts.ts'
import { anvilTuned } from '../nodes/anvil.ts'
import { devNodeEthereum } from '../nodes/dev-node.ts'
import { startNode } from '../nodes/node.ts'
import type { BenchNode } from '../nodes/node.ts'
import { nodeVersion, useProgram } from '../nodes/program.ts'
import type { Outcome, RowResult } from '../results.ts'
import { Session } from '../session.ts'
import { median } from '../statistics.ts'
import { measureOn, measureOne } from './processes.ts'
import type { Chain } from './processes.ts'
import { FIRST_SECONDS, PROCESSES } from './rows.ts'

/** The rows with one version of Node, by the chain of the process. */
export interface ProviderResult {
  readonly nodeVersion: string
  readonly rounds: number
  readonly rows: readonly RowResult[]
}

/** What is measured. */
export interface ProviderPlan {
  /** Part of the names of the rows. */
  readonly only: string | undefined
  /** Programs of Node. */
  readonly programs: readonly string[]
  readonly rounds: number
  /** Less than 1 for fewer operations than the rows name. */
  readonly scale: number
}

/** Measures the rows alternately on both chains, `rounds` times with each program. */
export async function measureInProcess({
  only = '',
  programs,
  rounds,
  scale,
}: ProviderPlan): Promise<readonly ProviderResult[]> {
  const processes = PROCESSES.map((rows) => rows.filter(({ name }) => name.includes(only)))
  // Here, so that no measured process has to compile.
  loadBenchContracts()
  const results: ProviderResult[] = []
  for (const program of programs) {
    useProgram(program)
    const rows = processes.flat().map(({ name }) => ({
      name,
      outcomes: { 'dev-node': [] as Outcome[], edr: [] as Outcome[] },
    }))
    for (let round = 0; round < rounds; round++) {
      const chains: readonly Chain[] = round % 2 === 0 ? ['dev-node', 'edr'] : ['edr', 'dev-node']
      for (const group of processes.filter(({ length }) => length > 0)) {
        for (const chain of chains) {
          const outcomes = await measureOn(chain, group, scale)
          for (const { name } of group) {
            const outcome = outcomes[name] ?? { failed: 'not measured' }
            rows.find((row) => row.name === name)?.outcomes[chain].push(outcome)
            process.stderr.write(`round ${round + 1}: ${name}: ${chain}: ${JSON.stringify(outcome)}\n`)
          }
        }
      }
    }
    results.push({ nodeVersion: nodeVersion(), rounds, rows })
  }
  return results
}

/** A line of the chart: operations completed by the end of each tenth of a second. */
export interface Line {
  readonly title: string
  readonly progress: readonly number[]
}

/** Sends in the first seconds of processes, alternately; each point is the median of the rounds. */
export async function measureFirstSeconds(program: string, rounds: number): Promise<readonly Line[]> {
  useProgram(program)
  const lines = [
    { title: 'dev-node in process', measure: () => inProcess('dev-node') },
    { title: 'EDR in process', measure: () => inProcess('edr') },
    { title: 'dev-node over HTTP', measure: () => overHttp(devNodeEthereum) },
    { title: 'Anvil, tuned, over HTTP', measure: () => overHttp(anvilTuned) },
  ].map((line) => ({ ...line, rounds: [] as (readonly number[])[] }))
  for (let round = 0; round < rounds; round++) {
    for (const line of lines) line.rounds.push(await line.measure())
  }
  return lines.map(({ title, rounds: [first = [], ...others] }) => ({
    title,
    progress: first.map((count, tenth) => median([count, ...others.map((counts) => counts[tenth] ?? 0)])),
  }))
}

async function inProcess(chain: Chain): Promise<readonly number[]> {
  return (await measureOne(chain, FIRST_SECONDS)).progress ?? []
}

async function overHttp(node: BenchNode): Promise<readonly number[]> {
  const running = await startNode(node)
  const session = new Session(running, { scale: 1, limitMs: Infinity }, connect(running.url))
  try {
    return (await FIRST_SECONDS.measure(session)).progress ?? []
  } finally {
    session.disconnect()
    await running.stop()
  }
}
