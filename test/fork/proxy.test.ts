import { describe, expect, test } from '@jest/globals'
import { proxyFor } from '../../lib/fork/proxy.ts'

const chosen = (url: string, env: Readonly<Record<string, string>>) => proxyFor(new URL(url), env)?.href

const PROXY = 'http://proxy.test:3128/'

describe('the variables', () => {
  test.each([
    ['HTTPS_PROXY is for https', 'https://node.test', { HTTPS_PROXY: PROXY }, PROXY],
    ['HTTP_PROXY has no effect', 'https://node.test', { HTTP_PROXY: PROXY }, undefined],
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
    'https://localhost:8545',
    'https://node.localhost',
    'https://127.0.0.1:8545',
    'https://[::1]:8545',
  ])('%s has no proxy', (url) => {
    expect(chosen(url, { HTTPS_PROXY: PROXY })).toBeUndefined()
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
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.3:8545', 'https://10.1.2.3:8545', true],
    ['[fd00::1]:443', 'https://[fd00::1]', true],
    ['fd00::1', 'https://[fd00::1]', true],
    ['fd00::2', 'https://[fd00::1]', false],
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
