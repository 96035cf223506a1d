/** Runs `dev-node cache`: lists the forks in the cache, and carries them into files and back. */

import { refuseOption } from '../base/errors.ts'
import { realHost } from '../base/host.ts'
import { resolveOptions } from '../config/resolve-options.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { exportFork, importForks } from '../fork/cache-transfer.ts'
import { describeBlock, listForks } from '../fork/cached-forks.ts'
import type { CacheCommand } from './command-flags.ts'
import type { CommandResult, Io } from './io.ts'

/** Runs the command. @throws NodeError 'remoteFailed', 'invalidOption' */
export async function runCacheCommand(command: CacheCommand, env: Io['env']): Promise<CommandResult> {
  const folder = folderOf(command, env)
  switch (command.action) {
    case 'list':
      return { text: await listText(folder), code: 0 }
    case 'export':
      return { text: await exportText(folder, command), code: 0 }
    case 'import':
      return { text: await importText(folder, command), code: 0 }
  }
}

function folderOf({ folder }: CacheCommand, env: Io['env']): string {
  const flags = folder === undefined ? {} : { 'fork-cache': folder }
  const { DEV_NODE_FORK_CACHE } = env
  const { forkCache } = withCacheFolder(resolveOptions({ flags, env: { DEV_NODE_FORK_CACHE } }), env)
  return typeof forkCache === 'string' ? forkCache : refuseOption('cache: name a folder with --fork-cache')
}

async function listText(folder: string): Promise<string> {
  const forks = (await listForks(folder)).toSorted((one, other) => other.lastUsedMs - one.lastUsedMs)
  const lines = forks.map(({ block, bytes, lastUsedMs }) => {
    const days = Math.max(0, Math.floor((realHost.now() - lastUsedMs) / MS_PER_DAY))
    return `${describeBlock(block)}: ${sizeText(bytes)}, last used ${days === 0 ? 'today' : `${days} days ago`}\n`
  })
  return lines.length === 0 ? `${folder} has no forks\n` : lines.join('')
}

async function exportText(folder: string, { files, chainId, block }: CacheCommand): Promise<string> {
  const [path = ''] = files
  const exported = await exportFork(folder, { chainId, ...block }, path)
  const text = `${path}: ${exported.count} facts of ${describeBlock(exported.block)}, ${sizeText(exported.bytes)}\n`
  return exported.fault === undefined
    ? text
    : `${text}not all facts of the cache could be read: ${exported.fault}\n`
}

async function importText(folder: string, { files }: CacheCommand): Promise<string> {
  const imported = await importForks(folder, files)
  const texts = imported.map(({ block, count, added, differing }, index) => {
    const lines = differing.slice(0, MAX_LISTED).map((key) => `\n  ${key.slice(0, MAX_KEY)}`)
    const conflict = `; ${differing.length} have another value in the cache, which stays:${lines.join('')}`
    const text = `${files[index]}: ${count} facts of ${describeBlock(block)}, ${added} of them new`
    return differing.length === 0 ? `${text}\n` : `${text}${conflict}\n`
  })
  return texts.join('')
}

/** Contradictions that are printed, and characters of each. */
const MAX_LISTED = 5
const MAX_KEY = 240

const MS_PER_DAY = 86_400_000

const sizeText = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`
