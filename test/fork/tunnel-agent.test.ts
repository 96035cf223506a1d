import { describe, expect, test } from '@jest/globals'
import { RemoteClient } from '../../lib/fork/remote-client.ts'
import { UnansweredError } from '../../lib/fork/remote-error.ts'
import { withProxy, withTls } from '../support/connect-proxy.ts'
import type { TestProxy } from '../support/connect-proxy.ts'
import { errorOf } from './support/faulty-fork.ts'
import { HELD_MS, QuickHost } from './support/quick-host.ts'
import { withServer } from '../support/server.ts'

const URL_KEY = 'k3y-of-the-provider'

/** Runs a test with a client of remote.test, whose proxy is on this machine. */
async function withClient(
  host: string,
  run: (client: RemoteClient, clock: QuickHost) => Promise<void>,
  { scheme = 'https', proxyScheme = 'http' } = {},
) {
  const env = { HTTPS_PROXY: `${proxyScheme}://user:p4ssw0rd@${host}` }
  const clock = Object.assign(new QuickHost(), { env })
  const url = `${scheme}://remote.test/${URL_KEY}`
  const client = new RemoteClient(
    { url, headers: [], timeoutMs: HELD_MS, retries: 0, rate: 0, batch: 100 },
    clock,
  )
  await run(client, clock).finally(() => client.close())
}

const tunnel = { method: 'CONNECT', target: 'remote.test:443' }

const withRemote = (run: (proxy: TestProxy) => Promise<void>) =>
  withServer({ network: 'ethereum' }, ({ port }) =>
    withTls(port, (tlsPort) => withProxy(tlsPort, 'connect', run)),
  )

describe('a remote over HTTPS', () => {
  test('has its certificate checked behind the tunnel', () =>
    withRemote(({ host, visits }) =>
      withClient(host, async (client) => {
        expect((await errorOf(client.request('eth_chainId', []))).message).toBe(
          'the remote https://remote.test could not be reached for eth_chainId: DEPTH_ZERO_SELF_SIGNED_CERT',
        )
        expect(visits).toMatchObject([tunnel])
      }),
    ))

  test.each([
    [407, 'answered with HTTP 407: it expects a name and a password in its URL', false],
    [403, 'answered with HTTP 403', false],
    [502, 'answered with HTTP 502', true],
  ])('whose proxy answers %i fails with an error that names the proxy', (status, problem, isTransient) =>
    withProxy(1, status, ({ host }) =>
      withClient(host, async (client) => {
        const error = await errorOf(client.request('eth_chainId', []))
        expect(error).toBeInstanceOf(UnansweredError)
        expect(error.isTransient).toBe(isTransient)
        expect(error.message).toBe(
          `the remote https://remote.test cannot be reached for eth_chainId: the proxy http://${host} ${problem}`,
        )
      }),
    ),
  )

  test('whose proxy closes the connection fails with an error that names the proxy', () =>
    withProxy(1, 'connect', ({ host }) =>
      withClient(host, async (client) => {
        expect((await errorOf(client.request('eth_chainId', []))).message).toBe(
          `the remote https://remote.test cannot be reached for eth_chainId: the proxy http://${host} failed: ECONNRESET`,
        )
      }),
    ))

  test('whose proxy does not answer fails in time, and its client can be closed', () =>
    withProxy(1, 'silence', ({ host, visits }) =>
      withClient(host, async (client, clock) => {
        const failed = errorOf(client.request('eth_chainId', []))
        while (visits.length === 0) await new Promise((resolve) => setImmediate(resolve))
        clock.expire()
        expect((await failed).message).toBe(
          `the remote https://remote.test cannot be reached for eth_chainId: the proxy http://${host} did not answer within 1000 s`,
        )
        const closed = errorOf(client.request('eth_chainId', []))
        while (visits.length === 1) await new Promise((resolve) => setImmediate(resolve))
        client.close()
        expect((await closed).message).toMatch(/was closed before/)
        while (clock.held > 0) await new Promise((resolve) => setImmediate(resolve))
      }),
    ))

  test('whose proxy is away fails with an error that names the proxy', async () => {
    let away = ''
    await withProxy(1, 'connect', async ({ host }) => void (away = host))
    await withClient(away, async (client) => {
      expect((await errorOf(client.request('eth_chainId', []))).message).toBe(
        `the remote https://remote.test cannot be reached for eth_chainId: the proxy http://${away} refused the connection`,
      )
    })
  })

  test('with a variable that is no URL of a proxy fails at the first request', () =>
    withClient(
      'proxy.test',
      async (client) => {
        const error = await errorOf(client.request('eth_chainId', []))
        expect(error).toMatchObject({ kind: 'invalidOption' })
        expect(error.message).not.toContain('p4ssw0rd')
      },
      { proxyScheme: 'socks5' },
    ))
})

test('a remote over HTTP is asked without the proxy', () =>
  withProxy(1, 'connect', ({ host, visits }) =>
    withClient(
      host,
      async (client) => {
        expect((await errorOf(client.request('eth_chainId', []))).message).toMatch(/could not be reached/)
        expect(visits).toEqual([])
      },
      { scheme: 'http' },
    ),
  ))
