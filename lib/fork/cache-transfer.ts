/** Carries the facts about a block out of the cache into a file, and from files into the cache. */

import { readFile } from 'node:fs/promises'
import { NodeError } from '../base/errors.ts'
import { realHost } from '../base/host.ts'
import { replaceFile } from '../base/replace-file.ts'
import { reasonOf } from '../base/system-errors.ts'
import { packFork, unpackFork, type KnownFork } from './cache-file.ts'
import { findFork, forkFolder, type WantedFork } from './cached-forks.ts'
import { FactStore, factsPath, readFacts } from './fact-store.ts'

/** Writes the facts about a block to a file. Returns the number of facts, and the fault of a cache that lost some. @throws NodeError 'remoteFailed' */
export async function exportFork(cacheFolder: string, wanted: WantedFork, path: string) {
  const { folder, block } = await findFork(cacheFolder, wanted, 'name one with --chain-id and --block')
  const { facts, fault } = await readFacts(factsPath(folder))
  const file = await packFork({ block, facts })
  await replaceFile({ path }, file).catch(failAt(path))
  return { block, count: facts.size, bytes: file.length, fault }
}

/**
 * Adds the facts of files to the cache. Nothing is written unless all files are whole. Returns for each file how many facts it has, how
 * many were added, and how many have another value in the cache, which stays; and the fault of a cache that has lost some.
 * @throws NodeError 'remoteFailed'
 */
export async function importForks(cacheFolder: string, paths: readonly string[]) {
  const forks: KnownFork[] = []
  for (const path of paths) forks.push(await readFile(path).then(unpackFork).catch(failAt(path)))
  const imported: Awaited<ReturnType<typeof importFork>>[] = []
  for (const fork of forks) imported.push(await importFork(cacheFolder, fork))
  return imported
}

async function importFork(cacheFolder: string, { block, facts }: KnownFork) {
  const failures: unknown[] = []
  const faults: string[] = []
  const store = await FactStore.open(forkFolder(cacheFolder, block), {
    host: realHost,
    onFault: (_, fault) => faults.push(fault),
    onFailure: (error) => failures.push(error),
  })
  const merged = store.merge(facts)
  await store.close()
  const [failure] = failures
  if (failure !== undefined) failAt(cacheFolder)(failure)
  return { block, count: facts.size, ...merged, fault: faults[0] }
}

/** Fails with an error that names a path. */
const failAt = (path: string) => (cause: unknown) => {
  throw new NodeError('remoteFailed', `cache: cannot use ${path}: ${reasonOf(cause)}`, { cause })
}
