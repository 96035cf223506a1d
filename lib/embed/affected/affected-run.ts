/** A test run that leaves out files which no change affects: decides whether it does, and which files run. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import * as z from 'zod'
import { realHost } from '../../base/host.ts'
import { readSwitch } from '../../config/option-values.ts'
import { findPackage } from '../../config/package.ts'
import { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import { contractHash, contractId } from '../../insight/artifacts/contract-hash.ts'
import type { OptionsInput } from '../../modules/options.ts'
import { hashNow, localModules, UNFOLLOWED } from './local-modules.ts'
import { FAILED, readRecord, type TestRecord } from './test-record.ts'

type Environment = Record<string, string | undefined>

/** Whether a run leaves out files. The variable decides, even where CI is set. Without it the option decides, except in CI. */
export const asksForAffected = ({ affected }: Pick<OptionsInput, 'affected'>, env: Environment): boolean =>
  readSwitch(env['DEV_NODE_AFFECTED']) ?? (readSwitch(affected) === true && !env['CI'])

const affectedRun = z.strictObject({
  root: z.string(),
  settings: z.string(),
  /** Reasons to leave out no file, whatever changes. */
  doubts: z.array(z.string()),
  /** Whether the runner loads only files that will run. */
  isPlanned: z.boolean(),
  /** Whether each process has its own nodes, the whole program has one chain, or each worker has a world of one node. */
  chains: z.enum(['process', 'program', 'worlds']),
  artifacts: z.array(z.string()),
})

export type AffectedRun = z.infer<typeof affectedRun>

/** Environment variable that holds the run, so that workers inherit it. */
const RUN = 'DEV_NODE_AFFECTED_RUN'

/** The run of this process or of its parent; undefined if it leaves out nothing. */
export const currentRun = (env: Environment): AffectedRun | undefined =>
  env[RUN] === undefined ? undefined : affectedRun.parse(JSON.parse(env[RUN]))

export type AskedRun = Pick<AffectedRun, 'root' | 'isPlanned' | 'chains'> &
  Pick<OptionsInput, 'affected' | 'artifacts'>

/**
 * Begins a run in the process that starts the workers, if the user wants it. A run of only some tests of its files leaves out no
 * file and records none.
 */
export function beginRun(
  { affected, artifacts, ...run }: AskedRun,
  env: Environment,
): AffectedRun | undefined {
  if (!asksForAffected({ affected }, env) || process.argv.some((word) => SOME_TESTS.test(word)))
    return undefined
  const { files, isLoaded } = configFiles(run.root)
  const { hashes, doubts } = localModules(files, run.root)
  const versions = [process.version, findPackage().version]
  const variables = Object.entries(env).filter(([name]) => SETTING.test(name))
  // Files that the user names are not settings.
  const words = process.argv.slice(2).filter((word) => !existsSync(word))
  const settings = JSON.stringify([versions, variables.toSorted(), words, hashes])
  const begun = {
    ...run,
    settings: createHash('sha256').update(settings).digest('base64url'),
    // A configuration may read the time and files. What it loads is known only if Node has loaded it.
    doubts: isLoaded
      ? []
      : doubts.filter((doubt) => doubt.includes(UNFOLLOWED)).map((doubt) => `of settings: ${doubt}`),
    artifacts: [artifacts ?? []].flat(),
  }
  env[RUN] = JSON.stringify(begun)
  return begun
}

const SOME_TESTS = /^(?:-g|-f|-t|--(?:grep|fgrep|testNamePattern|test-name-pattern)(?:=.*)?)$/

/** Environment variables that are settings. The others change with each run. */
const SETTING = /^(?:HARDHAT_|DEV_NODE_(?!(?:URLS?|STARTED_WITH|FIXTURES|AFFECTED|AFFECTED_RUN)$))/
const CONFIG =
  /^(?:(?:hardhat|vitest|vite|jest|babel)\.(?:config|workspace)\..*|\.mocharc.*|\.babelrc.*|\.swcrc|tsconfig.*\.json|foundry\.toml|remappings\.txt|package\.json|\.env.*)$/
const LOCK = /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/

/** The files with settings, what Node has loaded for them if they are CommonJS, and the lock file, which may be in a parent folder. */
function configFiles(root: string): { readonly files: readonly string[]; readonly isLoaded: boolean } {
  const configs = filesIn(root, CONFIG)
  const { cache } = createRequire(join(root, 'package.json'))
  const files = new Set<string>()
  const add = (path: string): void => {
    if (files.has(path) || isInstalled(path)) return
    files.add(path)
    for (const { filename } of cache[path]?.children ?? []) if (filename.startsWith(root)) add(filename)
  }
  configs.forEach(add)
  const isLoaded = configs.some((path) => cache[path] !== undefined)
  for (let at = root; ; at = dirname(at)) {
    const [lock] = filesIn(at, LOCK)
    if (lock !== undefined || at === dirname(at))
      return { files: [...files, ...(lock ? [lock] : [])], isLoaded }
  }
}

/** Project files that only packages have loaded, such as scripts of hardhat-deploy. No source file names them. */
export function loadedByPackages(root: string): readonly string[] {
  const settings = filesIn(root, CONFIG)
  return (
    Object.entries(createRequire(join(root, 'package.json')).cache)
      .flatMap(([path, loader]) => (isInstalled(path) ? (loader?.children ?? []) : []))
      // Modules that a program creates have no file.
      .flatMap(({ id }) => (id.startsWith(root) && !isInstalled(id) && !settings.includes(id) ? [id] : []))
  )
}

const isInstalled = (path: string): boolean => path.includes(`${sep}node_modules${sep}`)

const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))

/** Which files run, and a sentence that says why. */
export interface Plan {
  readonly runs: readonly string[]
  readonly sentence: string
}

/** Why a file runs, in words; empty if it does not run. */
interface Reasons {
  readonly changed?: readonly string[]
  readonly doubts?: readonly string[]
  readonly other?: 'new' | 'failed' | 'for other settings'
}

/** Plans a run: a file runs if its record is missing, differs or has doubts. */
export async function planRun(files: readonly string[], run: AffectedRun): Promise<Plan> {
  const records = new Map(files.map((file) => [file, readRecord(file, run.root)]))
  const reasonsOf = await comparison(
    [...records.values()].flatMap((record) => record ?? []),
    run,
  )
  const running = new Map<string, Reasons>()
  let [left, since] = [0, Infinity]
  for (const [file, record] of records) {
    const reasons: Reasons = record === undefined ? { other: 'new' } : reasonsOf(record)
    if (Object.keys(reasons).length > 0) running.set(file, reasons)
    else if (record?.hasTests === true) {
      left++
      since = Math.min(since, record.at)
    }
  }
  const why = whyText([...running.values()])
  const rest = left === 0 ? '' : `; ${left} ${left === 1 ? 'is' : 'are'} unaffected since ${timeText(since)}`
  const count =
    running.size === 0 ? 'no file has to run' : `${running.size} of ${running.size + left} files run`
  const sentence = `${count}${why === '' ? '' : `: ${why}`}${rest}`
  const hasFailed = (file: string): boolean => running.get(file)?.other === 'failed'
  const runs = [...running.keys()].toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)))
  return { runs, sentence }
}

/** Compares records with what their files would depend on now. */
async function comparison(records: readonly TestRecord[], run: AffectedRun) {
  const contracts = await contractsNow(
    new Set(records.flatMap((record) => Object.keys(record.contracts))),
    run,
  )
  const names = new Set(records.flatMap(({ modules }) => Object.keys(modules)))
  const modulesNow = new Map([...names].map((name) => [name, hashNow(name, run.root)]))
  return ({ settings, doubts, modules, contracts: executed }: TestRecord): Reasons => {
    if (doubts.includes(FAILED)) return { other: 'failed' }
    if (doubts.length > 0 || run.doubts.length > 0) return { doubts: [...doubts, ...run.doubts] }
    if (settings !== run.settings) return { other: 'for other settings' }
    const changed = [
      ...Object.entries(executed).flatMap(([id, hash]) =>
        contracts.get(id) === hash ? [] : [id.slice(id.lastIndexOf(':') + 1)],
      ),
      ...Object.entries(modules).flatMap(([name, hash]) => (modulesNow.get(name) === hash ? [] : [name])),
    ]
    return changed.length === 0 ? {} : { changed: changed.map((path) => basename(path)) }
  }
}

async function contractsNow(
  ids: Set<string>,
  { artifacts }: AffectedRun,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  if (ids.size === 0) return hashes
  const catalog = new ContractCatalog(artifacts, realHost.elapsed)
  await catalog.refresh()
  // Of several contracts with one name the newest counts.
  for (const contract of catalog.contracts)
    if (ids.delete(contractId(contract))) hashes.set(contractId(contract), contractHash(contract))
  return hashes
}

/** Maximum number of changed files and doubts in the sentence. */
const MAX_NAMES = 3

/** Such as `Token.sol changed, 2 failed, 1 new, 1 each time (skipped tests)`. */
function whyText(running: readonly Reasons[]): string {
  const changed = mostFrequent(running.flatMap((reasons) => reasons.changed ?? []))
  const doubts = mostFrequent(running.flatMap((reasons) => reasons.doubts ?? []))
  const each = running.filter((reasons) => reasons.doubts !== undefined).length
  const counts = new Map<string, number>()
  for (const { other } of running) if (other !== undefined) counts.set(other, (counts.get(other) ?? 0) + 1)
  return [
    ...(changed === '' ? [] : [`${changed} changed`]),
    ...[...counts].map(([other, count]) => `${count} ${other}`),
    ...(each === 0 ? [] : [`${each} each time (${doubts})`]),
  ].join(', ')
}

/** The most frequent names, and the number of the others. */
function mostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const sorted = [...counts]
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([name]) => name)
  const more = sorted.length - MAX_NAMES
  return [sorted.slice(0, MAX_NAMES).join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

/** The time of day, with the date if it is not today. */
function timeText(at: number): string {
  const [date, now] = [new Date(at), new Date(realHost.now())]
  const time = date.toTimeString().slice(0, 5)
  return date.toDateString() === now.toDateString() ? time : `${date.toISOString().slice(0, 10)} ${time}`
}
