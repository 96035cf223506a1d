/** Runs `dev-node cache`: carries forks from the cache into files and back. */

import { refuseOption } from '../base/errors.ts'
import { asHash, type Hash } from '../base/hex.ts'
import { resolveOptions } from '../modules/resolve-options.ts'
import { readWhole } from '../config/values.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { exportFork, importForks } from '../fork/cache-transfer.ts'
import { describeBlock } from '../fork/cached-forks.ts'
import { COMMAND_FLAGS, readFlag, readText, refuseExtra, refuseUnknown } from './command-flags.ts'
import type { CommandLine } from './command-flags.ts'
import type { CommandResult, Io } from './io.ts'

/** Runs the command. @throws NodeError 'remoteFailed', 'invalidOption' naming the word or the flag */
export async function runCacheCommand(
  { words: [action, ...files], flags }: CommandLine,
  { env }: Pick<Io, 'env'>,
): Promise<CommandResult> {
  if (action !== 'export' && action !== 'import')
    return refuseOption('DN-MISSING', `cache: expected export or import, got ${action ?? 'nothing'}`)
  const [path] = files
  if (path === undefined) return refuseOption('DN-MISSING', `cache ${action}: expected a file behind it`)
  if (action === 'export') refuseExtra(files[1])
  const own = COMMAND_FLAGS.cache.filter(({ flag }) => action === 'export' || flag === 'fork-cache')
  refuseUnknown(flags, `cache ${action}`, own)
  const chainId = readFlag(flags, 'chain-id', 'a whole number', readWhole)
  const block = readFlag(flags, 'block', 'the number or the hash of a block', readBlock)
  const folder = folderOf(readText(flags, 'fork-cache'), env)
  const text =
    action === 'export' ? exportText(folder, { chainId, ...block }, path) : importText(folder, files)
  return { text: await text, code: 0 }
}

function readBlock(text: string): Partial<{ blockNumber: bigint; blockHash: Hash }> | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { blockHash: asHash(text.toLowerCase()) }
  const blockNumber = readWhole(text)
  return blockNumber === undefined ? undefined : { blockNumber }
}

function folderOf(folder: string | undefined, env: Io['env']): string {
  const flags = folder === undefined ? {} : { 'fork-cache': folder }
  const { DEV_NODE_FORK_CACHE } = env
  const { forkCache } = withCacheFolder(resolveOptions({ flags, env: { DEV_NODE_FORK_CACHE } }), env)
  return typeof forkCache === 'string'
    ? forkCache
    : refuseOption('DN-MISSING', 'cache: name a folder with --fork-cache')
}

async function exportText(...[folder, wanted, path]: Parameters<typeof exportFork>): Promise<string> {
  const { block, count, bytes, fault } = await exportFork(folder, wanted, path)
  const text = `${path}: ${count} facts of ${describeBlock(block)}, ${Math.ceil(bytes / 1000)} kB\n`
  return text + faultLine(fault)
}

const faultLine = (fault: string | undefined): string =>
  fault === undefined ? '' : `not all facts of the cache could be read: ${fault}\n`

async function importText(folder: string, files: readonly string[]): Promise<string> {
  const imported = await importForks(folder, files)
  const texts = imported.map(({ block, count, added, differing, fault }, index) => {
    const conflict = differing === 0 ? '' : `; ${differing} have another value in the cache, which stays`
    return `${files[index]}: ${count} facts of ${describeBlock(block)}, ${added} of them new${conflict}\n${faultLine(fault)}`
  })
  return texts.join('')
}
