/** Wires what names contracts of others: sources of the contracts of remotes with their cache, and lists of signatures. */

import { join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import type { Host } from '../base/host.ts'
import type { Options } from '../config/options.ts'
import { sourceOrigins } from '../config/source-options.ts'
import { findPackage } from '../config/package.ts'
import { KnownSignatures } from '../insight/artifacts/known-signatures.ts'
import { defaultCacheFolder } from '../fork/cache-folder.ts'
import { proxyFor } from '../fork/proxy.ts'
import type { ContractCatalog } from '../insight/artifacts/catalog.ts'
import type { SourceAgents, RemoteSources } from '../insight/sources/remote-sources.ts'

/** The folders among the places of sources. */
export const sourceFolders = ({ sources }: Options): readonly string[] =>
  sourceOrigins(sources).flatMap((place) => (place.kind === 'folder' ? [place.path] : []))

/** The sources of contracts of remotes; absent without the option, and then nothing of it is loaded. */
export async function createRemoteSources(
  options: Options,
  host: Host,
  catalog: ContractCatalog,
): Promise<RemoteSources | undefined> {
  if (options.sources.length === 0) return undefined
  const places = sourceOrigins(options.sources)
  const asked = options.forkCacheOnly === true ? places.filter(({ kind }) => kind === 'folder') : places
  const { Compilers } = await import('../insight/sources/compiler.ts')
  const { RemoteSources } = await import('../insight/sources/remote-sources.ts')
  const { SourceStore } = await import('../insight/sources/source-store.ts')
  const { etherscanKey, solc } = options
  const store = new SourceStore(cacheFolderOf(options), host)
  const sources = new RemoteSources({
    places: asked,
    etherscanKey,
    agentFor: tunnels(host),
    catalog,
    compilers: new Compilers(solc),
    store,
    host,
  })
  sources.failed.on((sentence) => catalog.failed.emit(new NodeError('remoteFailed', sentence)))
  return sources
}

/** Makes connections to https servers through the proxy of the environment, if there is one. */
const tunnels =
  (host: Host): SourceAgents =>
  async (url) => {
    const proxy = url.protocol === 'https:' ? proxyFor(url, host.env ?? {}) : undefined
    if (proxy === undefined) return undefined
    const { TunnelAgent } = await import('../fork/tunnel-agent.ts')
    return new TunnelAgent({ proxy, url, timeoutMs: TUNNEL_TIMEOUT_MS, host }, {})
  }

/** Milliseconds that a proxy has for a tunnel. */
const TUNNEL_TIMEOUT_MS = 10_000

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
