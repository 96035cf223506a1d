/** Wires what names contracts of others: sources of the contracts of remotes with their cache, and lists of signatures. */

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError, refuseOption } from '../base/errors.ts'
import type { Host } from '../base/host.ts'
import { reasonOf } from '../base/system-errors.ts'
import type { Options } from '../config/options.ts'
import { sourceOrigins } from '../config/source-options.ts'
import { findPackage } from '../config/package.ts'
import { KnownSignatures } from '../insight/artifacts/known-signatures.ts'
import { cacheFolderOf } from '../fork/cache-folder.ts'
import type { ContractCatalog } from '../insight/artifacts/catalog.ts'
import { SourceFault } from '../insight/sources/found-source.ts'
import type { RemoteSources } from '../insight/sources/remote-sources.ts'

/** The sources of contracts of remotes; absent without the option, and then nothing of it is loaded. */
export async function createRemoteSources(
  options: Options,
  host: Host,
  catalog: ContractCatalog,
): Promise<RemoteSources | undefined> {
  if (options.sources.length === 0) return undefined
  const servers = options.forkCacheOnly === true ? [] : sourceOrigins(options.sources).servers
  const { Compilers } = await import('../insight/sources/compiler.ts')
  const { RemoteSources } = await import('../insight/sources/remote-sources.ts')
  const { SourceStore } = await import('../insight/sources/source-store.ts')
  const { etherscanKey, solc } = options
  for (const place of solc)
    await access(place).catch((error: unknown) =>
      refuseOption(`--solc: cannot read ${place}: ${reasonOf(error)}`),
    )
  const cacheFolder = cacheFolderOf(options)
  const store = new SourceStore(cacheFolder && join(cacheFolder, 'sources'), host)
  const sources = new RemoteSources({
    servers,
    etherscanKey,
    getJson: (url, signal) => getJson(url, signal, host),
    catalog,
    compilers: new Compilers(solc),
    store,
    host,
  })
  sources.failed.on((sentence) => catalog.failed.emit(new NodeError('remoteFailed', sentence)))
  return sources
}

/** Gets JSON from a server that has sources. A status of 400 or 404 says why there is no contract. @throws SourceFault */
async function getJson(url: URL, signal: AbortSignal, host: Host): Promise<unknown> {
  const { httpTransport } = await import('../fork/http-transport.ts')
  signal.throwIfAborted()
  const transport = httpTransport({ url, headers: {}, timeoutMs: TIMEOUT_MS, host })
  const close = (): void => transport.close()
  signal.addEventListener('abort', close)
  const reply = await transport.get().finally(close)
  signal.removeEventListener('abort', close)
  const isExplained = reply.kind === 'status' && [400, 404].includes(reply.status)
  if (reply.kind === 'json' || (isExplained && reply.json !== undefined)) return reply.json
  const { describe, retryAfterMs } = reply.kind === 'status' ? reply.fault : reply
  throw new SourceFault(`it ${describe('the question')}`, retryAfterMs)
}

/** Milliseconds that a server has for an answer. */
const TIMEOUT_MS = 10_000

/** The signatures of common standards, and those of the option. @throws NodeError 'invalidOption' */
export const createSignatures = (
  { selectors }: Options,
  catalog: ContractCatalog,
): Promise<KnownSignatures> =>
  KnownSignatures.in(join(findPackage().folder, 'fixtures', 'signatures.txt'), selectors, (error) =>
    catalog.failed.emit(error),
  )
