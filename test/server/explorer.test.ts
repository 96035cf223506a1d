/** The explorer as a browser asks for it: the page of a chain, its files, and who may call from it. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import type { Reply } from '../support/server.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** The answer to a browser that opens a path. */
async function opened(path: string, options: OptionsInput = {}, method = 'GET'): Promise<Reply> {
  let reply: Reply | undefined
  await withServer(options, async (server) => {
    reply = await ask(server, { method, path, headers: HTML })
  })
  return reply!
}

describe('the page', () => {
  test.each(['/', '/w/one', '/w/one/', '/key', '/key/w/one', '/?dialect=hardhat'])(
    'is at %s',
    async (path) => {
      const { status, headers, text } = await opened(path)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toContain('<div id="page">')
    },
  )

  test.each<[number, string, OptionsInput]>([
    [401, '/', { apiKeys: ['key'] }],
    [401, '/other', { apiKeys: ['key'] }],
    [400, '/w/a%20b', {}],
    [404, '/a/b/c', {}],
    [405, '/', { explorer: false }],
    [404, '/explorer/nothing.js', {}],
    [404, '/explorer/%2e%2e%2fpackage.json', {}],
    [404, '/explorer/..%2findex.html', {}],
  ])('is refused with %d at %s with %j', async (status, path, options) => {
    const reply = await opened(path, options)
    expect(reply.status).toBe(status)
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: -32600 } })
  })

  test.each([
    [false, 'full'],
    [true, 'read-only'],
  ])('with explorerReadOnly %s says that it is %s', async (explorerReadOnly, mode) => {
    const { text } = await opened('/w/one', { explorerReadOnly })
    expect(/<meta name="explorer-mode" content="([^"]+)"/.exec(text)?.[1]).toBe(mode)
  })

  test('may run only its own script, and is checked again at each visit', async () => {
    const { headers } = await opened('/')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-cache')
  })

  test('names small files that are kept for a year', () =>
    withServer({}, async (server) => {
      const { text } = await ask(server, { method: 'GET', headers: HTML })
      const files = [...text.matchAll(/"(\/explorer\/[^"]+)"/g)].map(([, path]) => path!)
      // The style sheet, the script, and the parts that it imports.
      expect(files.length).toBeGreaterThanOrEqual(2)
      let size = 0
      for (const path of files) {
        const plain = await ask(server, { method: 'GET', path })
        expect(plain.status).toBe(200)
        expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
        const packed = await ask(server, { method: 'GET', path, headers: { 'accept-encoding': 'gzip' } })
        expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
        size += packed.bytes.length
      }
      // The rows of the first page wait for these files alone.
      expect(size).toBeLessThan(40 * 1024)
    }))

  test('is not compressed for a client that refuses that', () =>
    withServer({}, async (server) => {
      const headers = { ...HTML, 'accept-encoding': 'gzip;q=0, identity' }
      const reply = await ask(server, { method: 'GET', headers })
      expect(reply.headers['content-encoding']).toBeUndefined()
      expect(reply.text).toContain('<div id="page">')
    }))

  test('is small, with the scripts that are loaded later', () =>
    withServer({}, async (server) => {
      const names = readdirSync(join(import.meta.dirname, '../../dist/explorer'))
      const sizes = new Map<string, number>()
      for (const name of names.filter((one) => one !== 'index.html')) {
        const headers = { 'accept-encoding': 'gzip' }
        const { status, bytes } = await ask(server, { method: 'GET', path: `/explorer/${name}`, headers })
        expect(status).toBe(200)
        sizes.set(name.replace(/-[^-]*$/, ''), bytes.length)
      }
      expect([...sizes.keys()]).toEqual(
        expect.arrayContaining(['explorer', 'pages', 'flame-chart', 'solidity-tokens']),
      )
      expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(250 * 1024)
    }))

  test('has no body for HEAD', async () => {
    const { status, bytes } = await opened('/', {}, 'HEAD')
    expect([status, bytes.length]).toEqual([200, 0])
  })
})

describe('a page of the node itself', () => {
  test.each<[number, string, string, OptionsInput]>([
    [200, 'http://node.example:4444', 'node.example:4444', { allowedHosts: ['node.example'] }],
    [200, 'http://192.168.1.7:4444', '192.168.1.7:4444', { host: '0.0.0.0' }],
    // Another port of the same machine can be a page of somebody else.
    [403, 'http://node.example:8080', 'node.example:4444', { allowedHosts: ['node.example'] }],
    // DNS rebinding leads any name here.
    [403, 'http://rebound.example:4444', 'rebound.example:4444', { allowedHosts: ['*'] }],
    [403, 'http://rebound.example:4444', 'rebound.example:4444', {}],
  ])('gets %d from %s at %s with %j', async (status, origin, host, options) => {
    await withServer(options, async (server) => {
      const reply = await ask(server, { body: rpc('eth_chainId'), headers: { host, origin } })
      expect(reply.status).toBe(status)
    })
  })
})
