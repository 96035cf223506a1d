/** Runs `dev-node cache`: carries forks from the cache into files and back. */

import { refuseOption } from '../base/errors.ts'
import { resolveOptions } from '../node/resolve-options.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { exportFork, importForks } from '../fork/cache-transfer.ts'
import { describeBlock } from '../fork/cached-forks.ts'
import type { CacheCommand } from './command-flags.ts'
import type { CommandResult, Io } from './io.ts'

/** Runs the command. @throws NodeError 'remoteFailed', 'invalidOption' */
export async function runCacheCommand(command: CacheCommand, env: Io['env']): Promise<CommandResult> {
  const folder = folderOf(command, env)
  const run = command.action === 'export' ? exportText : importText
  return { text: await run(folder, command), code: 0 }
}

function folderOf({ folder }: CacheCommand, env: Io['env']): string {
  const flags = folder === undefined ? {} : { 'fork-cache': folder }
  const { DEV_NODE_FORK_CACHE } = env
  const { forkCache } = withCacheFolder(resolveOptions({ flags, env: { DEV_NODE_FORK_CACHE } }), env)
  return typeof forkCache === 'string' ? forkCache : refuseOption('cache: name a folder with --fork-cache')
}

async function exportText(folder: string, { files, chainId, block: wanted }: CacheCommand): Promise<string> {
  const [path = ''] = files
  const { block, count, bytes, fault } = await exportFork(folder, { chainId, ...wanted }, path)
  const text = `${path}: ${count} facts of ${describeBlock(block)}, ${Math.ceil(bytes / 1000)} kB\n`
  return text + faultLine(fault)
}

const faultLine = (fault: string | undefined): string =>
  fault === undefined ? '' : `not all facts of the cache could be read: ${fault}\n`

async function importText(folder: string, { files }: CacheCommand): Promise<string> {
  const imported = await importForks(folder, files)
  const texts = imported.map(({ block, count, added, differing, fault }, index) => {
    const conflict = differing === 0 ? '' : `; ${differing} have another value in the cache, which stays`
    return `${files[index]}: ${count} facts of ${describeBlock(block)}, ${added} of them new${conflict}\n${faultLine(fault)}`
  })
  return texts.join('')
}
