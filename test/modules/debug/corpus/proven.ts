/** Values that the twins of sources prove, by the transactions of the plain sources. */

import { rm } from 'node:fs/promises'
import { standardJson, writeProject } from '../../../support/artifact-projects.ts'
import { runSources, traced } from './chain.ts'
import type { Run } from './chain.ts'
import { inputOf } from './compiler.ts'
import type { Pipeline } from './compiler.ts'
import { reportReader } from './expected.ts'
import type { Report, TracedCall } from './expected.ts'
import type { CorpusSource } from './source.ts'
import type { SolcInput } from '../../../support/solc.ts'

/** Compiles an input with a version. */
export type Compile = (input: SolcInput, version: string) => any

/** A transaction of the plain sources, and the values of its marks in order. */
export interface ProvenTransaction {
  readonly hash: string
  readonly reports: readonly Report[]
}

/** What the transactions of sources prove, and the node on which the plain ones ran. */
export interface Proof {
  readonly run: Run
  readonly transactions: readonly ProvenTransaction[]
  readonly close: () => Promise<void>
}

/** Runs sources and their twins; the node of the plain sources knows their artifacts. */
export async function prove(
  sources: readonly CorpusSource[],
  { version, settings }: Pipeline,
  compile: Compile,
): Promise<Proof> {
  const contentOf = ({ path, content }: CorpusSource) => [path, content] as const
  const input = inputOf(sources.map(contentOf), version, settings)
  const output = await compile(input, version)
  const folder = await writeProject(standardJson({ input, output }))
  const run = await runSources(sources, output.contracts, { artifacts: [folder] })
  const twins = await twinsOf(sources, { version, settings }, compile)
  const transactions = await Promise.all(
    run.hashes.map(async (hash, at) => {
      const { call, reports } = twins[at]!
      const [plain, twin] = [await traced(run, hash), call].map(outcomeOf)
      if (plain !== twin) throw new Error(`transaction ${at}: ${plain}, but its twin ${twin}`)
      return { hash, reports }
    }),
  )
  checkReached(sources, transactions)
  return { run, transactions, close: () => rm(folder, { recursive: true }) }
}

function checkReached(sources: readonly CorpusSource[], transactions: readonly ProvenTransaction[]): void {
  const reached = new Set(transactions.flatMap(({ reports }) => reports.map(({ mark }) => mark)))
  const missed = sources.flatMap(({ marks }) => marks).filter(({ id }) => !reached.has(id))
  if (missed.length > 0) throw new Error(`not reached: ${missed.map(({ id }) => id).join()}`)
}

/** The code that a transaction creates differs. */
const outcomeOf = ({ type, error = 'success', output }: TracedCall): string =>
  type === 'CREATE' ? error : `${error} ${output}`

type Twins = ReturnType<typeof runTwins>

/** By version and sources: the IR pipeline has values of its own where a modifier runs its function twice. */
const known = new Map<string, Twins>()

function twinsOf(
  sources: readonly CorpusSource[],
  { version, settings }: Pick<Pipeline, 'version' | 'settings'>,
  compile: Compile,
): Twins {
  const viaIR = 'viaIR' in settings
  const key = [version, viaIR, ...sources.map(({ path }) => path)].join()
  const twins = known.get(key) ?? runTwins(sources, { version, settings: viaIR ? { viaIR } : {} }, compile)
  known.set(key, twins)
  return twins
}

async function runTwins(
  sources: readonly CorpusSource[],
  { version, settings }: Pick<Pipeline, 'version' | 'settings'>,
  compile: Compile,
) {
  const input = inputOf(
    sources.map(({ path, twin }) => [path, twin] as const),
    version,
    settings,
  )
  const { contracts, sources: units } = await compile(input, version)
  const run = await runSources(sources, contracts)
  const reportsOf = reportReader(sources.map(({ path }) => units[path].ast))
  const calls = await Promise.all(run.hashes.map((hash) => traced(run, hash)))
  return calls.map((call) => ({ call, reports: reportsOf(call) }))
}
