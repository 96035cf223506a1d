/** The connections to servers of sources: through the proxy of the environment, and none if only caches are read. */

import { expect, test } from '@jest/globals'
import { asAddress, asHash } from '../../lib/base/hex.ts'
import { realHost } from '../../lib/base/host.ts'
import { resolveOptions } from '../../lib/config/resolve-options.ts'
import { ContractCatalog } from '../../lib/insight/artifacts/catalog.ts'
import { createRemoteSources } from '../../lib/node/source-wiring.ts'
import { withProxy } from '../support/connect-proxy.ts'

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
    const values = { sources: ['sourcify=https://remote.test'], forkCacheOnly }
    // Without a cache on the disk: that of the user must not answer.
    const options = { ...resolveOptions({ values }), noForkCache: true }
    const catalog = new ContractCatalog(undefined, realHost.elapsed)
    const env = { HTTPS_PROXY: `http://${host}` }
    const sources = await createRemoteSources(options, { ...realHost, env }, catalog)
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
  expect(told).toEqual(['--sources: sourcify: cannot read sources: answered with HTTP 502'])
})

test('no server is asked with --fork-cache-only', async () => {
  expect(await lookUp(true)).toEqual({ targets: [], told: [] })
})
