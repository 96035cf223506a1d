/** The connections to servers of sources: through the proxy of the environment, and none if only caches are read. */

import { expect, test } from '@jest/globals'
import { asAddress, asHash } from '../../../lib/base/hex.ts'
import { realHost } from '../../../lib/base/host.ts'
import { resolveOptions } from '../../../lib/modules/resolve-options.ts'
import { ContractCatalog } from '../../../lib/insight/artifacts/catalog.ts'
import type { RemoteSources } from '../../../lib/modules/sources/remote-sources.ts'
import { createRemoteSources } from '../../../lib/modules/sources/index.ts'
import { withProxy } from '../../support/connect-proxy.ts'
import { withSourceStub } from './source-providers.ts'
import type { StubAnswer } from './source-providers.ts'

const CONTRACT = {
  chainId: 1n,
  codeHash: asHash(`0x${'12'.repeat(32)}`),
  address: asAddress(`0x${'ab'.repeat(20)}`),
  code: Uint8Array.of(0),
}

/** Looks for a contract at https://remote.test behind a proxy that refuses. Returns the tunnels and the faults. */
async function lookUp(forkCacheOnly: boolean) {
  const told: string[] = []
  const targets: string[] = []
  await withProxy(1, 502, async ({ host, visits }) => {
    const values = { sources: ['sourcify=https://remote.test'], forkUrl: 'http://127.0.0.1:1', forkCacheOnly }
    // Without a cache on the disk: that of the user must not answer.
    const options = { ...resolveOptions({ values }), noForkCache: true }
    const catalog = new ContractCatalog(undefined, realHost.elapsed)
    const env = { HTTPS_PROXY: `http://${host}` }
    const sources = await createRemoteSources({
      options,
      host: { ...realHost, env },
      contractCatalog: catalog,
    })
    sources?.failed.on((sentence) => told.push(sentence))
    sources?.want(CONTRACT)
    await sources?.explained(() => undefined, 5000)
    sources?.close()
    targets.push(...visits.map(({ target }) => target))
  })
  return { targets, told }
}

test('a server over https is asked through the proxy', async () => {
  const { targets, told } = await lookUp(false)
  expect(targets).toEqual(['remote.test:443'])
  expect(told).toEqual([
    expect.stringMatching(
      /^--sources: sourcify: cannot read sources: it cannot be reached for the question: the proxy http:\/\/\S+ answered with HTTP 502$/,
    ),
  ])
})

test('no server is asked with --fork-cache-only', async () => {
  expect(await lookUp(true)).toEqual({ targets: [], told: [] })
})

/** Looks for a contract at a stub. Returns what was told. */
async function asked(
  answer: StubAnswer,
  run: (sources: RemoteSources, paths: readonly string[]) => Promise<void>,
): Promise<readonly string[]> {
  const told: string[] = []
  await withSourceStub({ [CONTRACT.address]: answer }, async ({ url, asked: paths }) => {
    const options = { ...resolveOptions({ values: { sources: [`sourcify=${url}`] } }), noForkCache: true }
    const catalog = new ContractCatalog(undefined, realHost.elapsed)
    const sources = (await createRemoteSources({ options, host: realHost, contractCatalog: catalog }))!
    sources.failed.on((sentence) => told.push(sentence))
    for (const digits of ['12', '34', '56', '78'])
      sources.want({ ...CONTRACT, codeHash: asHash(`0x${digits.repeat(32)}`) })
    await run(sources, paths)
  })
  return told
}

test.each([400, 404])('status %i with JSON is an answer', async (status) => {
  const answer: StubAnswer = (response) => response.writeHead(status).end('{"match":null}')
  expect(await asked(answer, (sources) => sources.explained(() => undefined, 5000))).toEqual([])
})

test.each<[string, StubAnswer, RegExp]>([
  ['status 404 without JSON', (response) => response.writeHead(404).end('<p>'), /it answered .*HTTP 404$/],
  ['an answer that breaks off', (response) => response.write('{', () => response.destroy()), /broke off/],
])('%s is a fault', async (_case, answer, expected) => {
  const told = await asked(answer, (sources) => sources.explained(() => undefined, 5000))
  expect(told).toEqual([expect.stringMatching(expected)])
})

test('a close ends the request that runs, and those that wait for it are not sent', async () => {
  const told = await asked(
    () => undefined,
    async (sources, paths) => {
      while (paths.length < 3) await new Promise((resolve) => setImmediate(resolve))
      sources.close()
      await sources.explained(() => undefined, 60_000)
      expect(paths).toHaveLength(3)
    },
  )
  expect(told).toEqual([])
})
