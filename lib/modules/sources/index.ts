/**
 * Sources of contracts that a fork has from its remote: asked of servers, compiled by a solc of the machine, and kept in the cache of forks.
 *
 * @example createNode({ forkUrl, sources: ['sourcify'] }) explains failures in contracts of the remote with their lines.
 */

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError, refuseOption } from '../../base/errors.ts'
import type { Host } from '../../base/host.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { cacheFolderOf } from '../../fork/cache-folder.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import { SourceFault } from './found-source.ts'
import { sourceOptions, sourceOrigins } from './options.ts'
import type { RemoteSources } from './remote-sources.ts'

type SourceScope = Scope<typeof sourceOptions>

interface SourcePart {
  /** Absent without the option; then nothing of it is loaded. */
  readonly remoteSources: RemoteSources | undefined
}

export const sources = {
  name: 'sources',
  options: sourceOptions,
  start: async (scope) => {
    const { folders } = sourceOrigins(scope.options.sources)
    await scope.contractCatalog.alsoRead(folders, '--sources')
    return { remoteSources: await createRemoteSources(scope) }
  },
  sourceFinder: ({ remoteSources }) => remoteSources,
  // A URL may hold a key.
  facts: ({ options }) => ({
    sources: options.sources.map((place) => place.replace(/=.*$/s, '')).join(', ') || undefined,
  }),
  release: async ({ remoteSources }) => remoteSources?.close(),
} as const satisfies Module<SourceScope, SourcePart>

/** @throws NodeError 'invalidOption' */
export async function createRemoteSources({
  options,
  host,
  contractCatalog: catalog,
}: Pick<SourceScope, 'options' | 'host' | 'contractCatalog'>): Promise<RemoteSources | undefined> {
  if (options.sources.length === 0) return undefined
  const servers = options.forkCacheOnly === true ? [] : sourceOrigins(options.sources).servers
  const { Compilers } = await import('./compiler.ts')
  const { RemoteSources } = await import('./remote-sources.ts')
  const { SourceStore } = await import('./source-store.ts')
  const { etherscanKey, solc } = options
  for (const place of solc)
    await access(place).catch((error: unknown) =>
      refuseOption('DN-READ', `--solc: cannot read ${place}: ${reasonOf(error)}`),
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
  const { httpTransport } = await import('../../fork/http-transport.ts')
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
