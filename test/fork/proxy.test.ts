import { describe, expect, test } from '@jest/globals'
import { proxyFor } from '../../lib/fork/proxy.ts'
import { RemoteClient } from '../../lib/fork/remote-client.ts'
import { UnansweredError } from '../../lib/fork/remote-error.ts'
import { withProxy } from '../support/connect-proxy.ts'
import { errorOf } from '../support/faulty-fork.ts'
import { HELD_MS, QuickHost } from '../support/quick-host.ts'
import { withServer } from '../support/server.ts'

const chosen = (url: string, env: Readonly<Record<string, string>>) => proxyFor(new URL(url), env)?.href

const PROXY = 'http://proxy.test:3128/'

describe('the variables', () => {
  test.each([
    ['HTTPS_PROXY is for https', 'https://node.test', { HTTPS_PROXY: PROXY }, PROXY],
    ['HTTPS_PROXY is not for http', 'http://node.test', { HTTPS_PROXY: PROXY }, undefined],
    ['HTTP_PROXY is for http', 'http://node.test', { HTTP_PROXY: PROXY }, PROXY],
    ['HTTP_PROXY is not for https', 'https://node.test', { HTTP_PROXY: PROXY }, undefined],
    ['the lower case wins', 'https://node.test', { https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, PROXY],
    ['an empty one is none', 'https://node.test', { https_proxy: ' ', HTTPS_PROXY: PROXY }, PROXY],
    ['the scheme may be left out', 'https://node.test', { HTTPS_PROXY: 'proxy.test:3128' }, PROXY],
    ['ALL_PROXY has no effect', 'https://node.test', { ALL_PROXY: 'socks5://proxy.test' }, undefined],
    [
      'a proxy may have https',
      'https://node.test',
      { HTTPS_PROXY: 'https://proxy.test' },
      'https://proxy.test/',
    ],
  ])('%s', (_case, url, env, proxy) => {
    expect(chosen(url, env as Record<string, string>)).toBe(proxy)
  })

  test.each([
    'http://localhost:8545',
    'http://node.localhost',
    'http://127.0.0.1:8545',
    'http://127.8.9.1',
    'http://[::1]:8545',
  ])('%s has no proxy', (url) => {
    expect(chosen(url, { HTTP_PROXY: PROXY })).toBeUndefined()
  })

  test.each([
    ['*', true],
    ['node.test', true],
    ['NODE.test', true],
    ['.node.test', true],
    ['*.test', true],
    ['test', true],
    ['a.test, node.test', true],
    ['a.test node.test', true],
    ['node.test:443', true],
    ['node.test:80', false],
    ['ode.test', false],
    ['de.test', false],
    ['a.node.test', false],
    ['10.0.0.0/8', false],
    [',', false],
    ['', false],
  ])('NO_PROXY=%s excludes https://node.test: %p', (list, isExcluded) => {
    expect(chosen('https://node.test', { HTTPS_PROXY: PROXY, NO_PROXY: list })).toBe(
      isExcluded ? undefined : PROXY,
    )
  })

  test.each([
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/16', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.3:8545', 'https://10.1.2.3:8545', true],
    ['fd00::/8', 'https://[fd00::1]', true],
    ['[fd00::1]:443', 'https://[fd00::1]', true],
    ['fd00::2', 'https://[fd00::1]', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.0.0.0/x', 'https://10.1.2.3', false],
  ])('NO_PROXY=%s excludes %s: %p', (list, url, isExcluded) => {
    expect(chosen(url, { HTTPS_PROXY: PROXY, no_proxy: list })).toBe(isExcluded ? undefined : PROXY)
  })

  test.each([
    ['socks5://me:secret@proxy.test/path', 'socks5://proxy.test'],
    ['http://', 'http://...'],
    ['me:secret@', 'http://...'],
  ])('%s is refused without its secrets', (value, shown) => {
    const choose = () => chosen('https://node.test', { HTTPS_PROXY: value })
    expect(choose).toThrow(`HTTPS_PROXY: expected the URL of a proxy with http:// or https://, got ${shown}`)
  })
})

/** Runs a test with a client of http://remote.test. */
async function withClient(proxy: string, run: (client: RemoteClient, host: QuickHost) => Promise<void>) {
  const host = Object.assign(new QuickHost(), { env: { HTTP_PROXY: proxy } })
  const settings = {
    url: 'http://me:key@remote.test/path-key',
    headers: [],
    timeoutMs: HELD_MS,
    retries: 0,
    rate: 0,
  }
  const client = new RemoteClient(settings, host)
  await run(client, host).finally(() => client.close())
}

describe('a remote over HTTP', () => {
  test('is asked through the proxy, with the credentials of both', () =>
    withServer({}, ({ port }) =>
      withProxy(port, 'connect', ({ host, visits }) =>
        withClient(`http://user:p%40ss@${host}`, async (client) => {
          expect(await client.request('web3_sha3', ['0x'])).toMatch(/^0x/)
          expect(visits).toMatchObject([
            {
              method: 'POST',
              target: 'http://remote.test/path-key',
              headers: {
                host: 'remote.test',
                'proxy-authorization': `Basic ${btoa('user:p@ss')}`,
                authorization: `Basic ${btoa('me:key')}`,
              },
            },
          ])
        }),
      ),
    ))

  test('whose proxy wants credentials fails with an error that says so', () =>
    withProxy(1, 407, ({ host }) =>
      withClient(`http://user:p4ssw0rd@${host}`, async (client) => {
        const error = await errorOf(client.request('eth_chainId', []))
        expect(error).toBeInstanceOf(UnansweredError)
        expect(error.message).toBe(
          `the remote http://remote.test cannot be reached for eth_chainId: the proxy http://${host} answered with HTTP 407: it expects a name and a password in its URL`,
        )
      }),
    ))

  test('whose proxy is away fails with an error that names the proxy', async () => {
    let away = ''
    await withProxy(1, 'connect', async ({ host }) => void (away = host))
    await withClient(`http://user:p4ssw0rd@${away}`, async (client) => {
      expect((await errorOf(client.request('eth_chainId', []))).message).toBe(
        `the remote http://remote.test cannot be reached for eth_chainId: the proxy http://${away} refused the connection`,
      )
    })
  })

  test('with a variable that is no URL fails at the first request', () =>
    withClient('socks5://user:p4ssw0rd@proxy.test', async (client) => {
      const error = await errorOf(client.request('eth_chainId', []))
      expect(error).toMatchObject({ kind: 'invalidOption' })
      expect(error.message).not.toContain('p4ssw0rd')
    }))
})
