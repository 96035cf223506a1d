/** Wires what names contracts of others: sources of the contracts of remotes with their cache, and lists of signatures. */

import { join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import type { Host } from '../base/host.ts'
import type { Options } from '../config/options.ts'
import { sourceOrigins } from '../config/source-options.ts'
import { findPackage } from '../config/package.ts'
import { KnownSignatures } from '../insight/artifacts/known-signatures.ts'
import { defaultCacheFolder } from '../fork/cache-folder.ts'
import type { ContractCatalog } from '../insight/artifacts/catalog.ts'
import type { RemoteSources } from '../insight/sources/remote-sources.ts'

/** The folders among the places of sources. */
export const sourceFolders = ({ sources }: Options): readonly string[] =>
  sourceOrigins(sources).flatMap((place) => (place.kind === 'folder' ? [place.path] : []))

/** The sources of contracts of remotes; absent without the option, and then nothing of it is loaded. */
export async function createRemoteSources(
  options: Options,
  host: Host,
  catalog: ContractCatalog,
): Promise<RemoteSources | undefined> {
  const places = sourceOrigins(options.sources)
  if (places.length === 0) return undefined
  const { Compilers } = await import('../insight/sources/compiler.ts')
  const { RemoteSources } = await import('../insight/sources/remote-sources.ts')
  const { SourceStore } = await import('../insight/sources/source-store.ts')
  const { etherscanKey, solc } = options
  const store = new SourceStore(cacheFolderOf(options), host)
  const sources = new RemoteSources({
    places,
    etherscanKey,
    catalog,
    compilers: new Compilers(solc),
    store,
    host,
  })
  sources.failed.on((sentence) => catalog.failed.emit(new NodeError('remoteFailed', sentence)))
  return sources
}

/** The signatures of common standards, and those of the option. @throws NodeError 'invalidOption' */
export async function createSignatures(
  { selectors }: Options,
  { failed }: ContractCatalog,
): Promise<KnownSignatures> {
  const given = new KnownSignatures(
    [join(findPackage().folder, 'fixtures', 'signatures.txt'), ...selectors],
    (error) => failed.emit(error),
  )
  if (selectors.length > 0) await given.check()
  return given
}

/** The folder of sources in the cache of forks; undefined if the options turn the cache off. */
function cacheFolderOf({ forkCache, noForkCache }: Options): string | undefined {
  if (forkCache === false || noForkCache === true) return undefined
  return join(forkCache ?? defaultCacheFolder({}), 'sources')
}
