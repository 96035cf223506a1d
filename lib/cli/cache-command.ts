/** Runs `dev-node cache`: lists and removes the forks in the disk cache. */

import { NodeError } from '../base/errors.ts'
import { timeText } from '../base/host.ts'
import { reasonOf } from '../base/system-errors.ts'
import { defaultCacheFolder } from '../fork/cache-folder.ts'
import { listForks, removeFork } from '../fork/cached-forks.ts'
import type { CachedFork } from '../fork/cached-forks.ts'
import { factsPath, readFacts } from '../fork/fact-store.ts'
import { MAX_CACHE_BYTES, forgetRemotes } from '../fork/fork-cache.ts'
import type { CacheCommand } from './command-flags.ts'
import { toJson } from './json-line.ts'

/** The output of a command, and its exit code. */
export interface CommandResult {
  readonly text: string
  readonly code: number
}

/** Exit code if a fork was to be removed that is in use. */
const IN_USE = 1

/** Runs the command. @throws NodeError 'invalidOption' if the folder cannot be read or changed */
export async function runCacheCommand(
  command: CacheCommand,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  const folder = command.folder ?? (env['DEV_NODE_FORK_CACHE'] || defaultCacheFolder(env))
  try {
    if (command.action === 'path')
      return { text: command.isJson ? `${toJson({ folder })}\n` : `${folder}\n`, code: 0 }
    const all = await listForks(folder)
    const forks = all.filter((fork) => isMeant(fork, command))
    return command.action === 'list'
      ? await list(folder, forks, command)
      : await clear(folder, forks, command)
  } catch (cause) {
    throw new NodeError('invalidOption', `the fork cache ${folder}: ${reasonOf(cause)}`, { cause })
  }
}

function isMeant(fork: CachedFork, { chainId, block }: CacheCommand): boolean {
  if (chainId !== undefined && chainId !== fork.chainId) return false
  return block === undefined || block === fork.blockNumber || block === fork.blockHash
}

/** A fork and the number of its facts. */
interface CountedFork extends CachedFork {
  readonly facts: number
}

async function list(
  folder: string,
  forks: readonly CachedFork[],
  { isJson }: CacheCommand,
): Promise<CommandResult> {
  const counted: CountedFork[] = []
  for (const fork of forks) {
    const { facts } = await readFacts(factsPath(fork.folder))
    counted.push({ ...fork, facts: facts.size })
  }
  if (isJson) return { text: `${toJson({ folder, forks: counted.map(toRecord) })}\n`, code: 0 }
  return {
    text: counted.length === 0 ? `no forks in ${folder}\n` : `${table(counted)}\n${folder}\n`,
    code: 0,
  }
}

const toRecord = (fork: CountedFork): object => ({
  ...toName(fork),
  facts: fork.facts,
  lastUsed: timeText(fork.lastUsedMs),
})

const HEADINGS = ['chain', 'block', 'hash', 'facts', 'size', 'last used']

/** The forks as lines with a heading and a sum. */
function table(forks: readonly CountedFork[]): string {
  const rows = [HEADINGS, ...forks.map(rowOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const bytes = forks.reduce((sum, fork) => sum + fork.bytes, 0)
  const number = `${forks.length} ${forks.length === 1 ? 'fork' : 'forks'}`
  const sum = `${number}, ${sizeText(bytes)}; at ${sizeText(MAX_CACHE_BYTES)} the oldest are removed`
  return [...lines.map((line) => line.trimEnd()), sum].join('\n')
}

function rowOf({ chainId, blockNumber, blockHash, facts, ...fork }: CountedFork): readonly string[] {
  const lastUsed = `${timeText(fork.lastUsedMs).slice(0, 16).replace('T', ' ')} UTC`
  const use = fork.users.length === 0 ? lastUsed : `in use by ${processes(fork.users)}`
  return [String(chainId), String(blockNumber), blockHash, String(facts), sizeText(fork.bytes), use]
}

const processes = (ids: readonly number[]): string =>
  ids.length === 1 ? `process ${ids.join()}` : `processes ${ids.join(', ')}`

/** A number of bytes in the largest unit of which there is one. */
function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const power = Math.min(3, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${['B', 'KB', 'MB', 'GB'][power] ?? ''}`
}

async function clear(
  folder: string,
  forks: readonly CachedFork[],
  { chainId, block, isJson }: CacheCommand,
): Promise<CommandResult> {
  const skipped = forks.filter(({ users }) => users.length > 0)
  const removed = forks.filter(({ users }) => users.length === 0)
  for (const fork of removed) await removeFork(fork)
  if (chainId === undefined && block === undefined && skipped.length === 0) await forgetRemotes(folder)
  const code = skipped.length === 0 ? 0 : IN_USE
  if (isJson)
    return {
      text: `${toJson({ folder, removed: removed.map(toName), skipped: skipped.map(toName) })}\n`,
      code,
    }
  const lines = [
    ...removed.map((fork) => `removed ${nameOf(fork)}: ${sizeText(fork.bytes)}`),
    ...skipped.map((fork) => `skipped ${nameOf(fork)}: in use by ${processes(fork.users)}`),
  ]
  return { text: `${lines.length === 0 ? `no forks to remove in ${folder}` : lines.join('\n')}\n`, code }
}

const nameOf = ({ chainId, blockNumber }: CachedFork): string => `block ${blockNumber} of chain ${chainId}`

function toName({ chainId, blockNumber, blockHash, bytes, users }: CachedFork): object {
  return { chainId, blockNumber, blockHash, bytes, users }
}
