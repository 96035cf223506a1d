/** JSON-RPC over real sockets: statuses, connections and bodies. Access control is in access.test.ts. */

import { Agent } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from '@jest/globals'
import { ELSEWHERE, ask, exchange, openSocket, rpc, withServer } from '../support/server.ts'
import type { Ask } from '../support/server.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'

const body = rpc('eth_chainId')
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x21"}'

/** The bytes of a POST. */
const posted = (text: string, headers = '') =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`

describe('a status', () => {
  test.each<[number, string, Ask]>([
    [200, 'an answer', { body }],
    [200, 'a wrong param', { body: rpc('eth_getBalance', ['0x']) }],
    [200, 'an unknown method', { body: rpc('eth_nothing') }],
    [200, 'an unknown block', { body: rpc('eth_getBalance', [`0x${'11'.repeat(20)}`, '0xff']) }],
    [200, 'what is not JSON', { body: '{' }],
    [200, 'no body', { body: '' }],
    [200, 'an invalid request', { body: '1' }],
    [200, 'an empty batch', { body: '[]' }],
    [204, 'a notification', { body: '{"jsonrpc":"2.0","method":"eth_chainId"}' }],
    [
      200,
      'a content type with a charset',
      { body, headers: { 'content-type': 'application/json; charset=utf-8' } },
    ],
    [200, 'a content type in capitals', { body, headers: { 'content-type': 'Application/JSON' } }],
    [200, 'the content type of JSON-RPC', { body, headers: { 'content-type': 'application/json-rpc' } }],
    [415, 'text', { body, headers: { 'content-type': 'text/plain' } }],
    [415, 'a form', { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    [415, 'a type that only begins so', { body, headers: { 'content-type': 'application/jsonx' } }],
    [415, 'gzip', { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }],
    [405, 'GET', { method: 'GET' }],
    [405, 'HEAD', { method: 'HEAD' }],
    [405, 'PUT', { method: 'PUT', body }],
    [405, 'DELETE', { method: 'DELETE' }],
    [405, 'PUT of a page', { method: 'PUT', path: '/health', body }],
    [404, 'a page there is not', { method: 'GET', path: '/nothing' }],
    [404, 'a page by a name of Object', { method: 'GET', path: '/constructor' }],
    [400, 'a path that is no URL', { method: 'GET', path: '//' }],
  ])('%d for %s', (status, _, what) =>
    withServer({}, async (server) => {
      const reply = await ask(server, what)
      expect(reply.status).toBe(status)
      if (status === 405) expect(reply.headers.allow).toBe('POST, OPTIONS')
      if (status >= 400 && what.method !== 'HEAD') {
        expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
      }
    }),
  )

  test('of a request without a content type is 200', () =>
    withServer({}, async (server) => {
      const bytes = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      expect(await exchange(server, bytes, /result/)).toMatch(/^HTTP\/1\.1 200 OK/)
    }))
})

/** A batch with a long response. */
const LONG = `[${Array(100)
  .fill(rpc('eth_getBlockByNumber', ['latest']))
  .join()}]`

test('errors are those of the network, without a dialect', async () => {
  const revert = { body: rpc('eth_call', [{ data: '0x60006000fd' }]) }
  const codes = [
    { network: 'network-33', code: -32015 },
    { network: 'ethereum', code: 3 },
  ] as const
  for (const { network, code } of codes)
    await withServer({ network }, async (server) => {
      const { text } = await ask(server, revert)
      expect(JSON.parse(text)).toMatchObject({ error: { code } })
    })
})

describe('a response', () => {
  test('is JSON with its length', () =>
    withServer({}, async (server) => {
      const { headers, text } = await ask(server, { body })
      expect(text).toBe(ANSWER)
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(text.length),
      })
    }))

  test.each([
    ['gzip', 'gzip'],
    ['gzip among others', 'deflate, gzip, br'],
    ['gzip with a weight', 'gzip;q=0.5'],
  ])('is compressed for another machine with Accept-Encoding %s', (_, encoding) =>
    withServer({}, async (server) => {
      const plain = await ask(server, { body: LONG })
      const { headers, bytes } = await ask(server, {
        body: LONG,
        headers: { 'accept-encoding': encoding },
        localAddress: ELSEWHERE,
      })
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(bytes.length) })
      expect(gunzipSync(bytes).toString()).toBe(plain.text)
      expect(bytes.length).toBeLessThan(plain.bytes.length)
    }),
  )

  test.each([
    ['nothing', {}],
    ['identity', { 'accept-encoding': 'identity' }],
    ['anything but gzip', { 'accept-encoding': 'br, gzip;q=0' }],
    ['anything but gzip, with blanks', { 'accept-encoding': 'gzip ; q=0.0 , br' }],
  ])('is not compressed for Accept-Encoding %s', (_, headers) =>
    withServer({}, async (server) => {
      const reply = await ask(server, { body: LONG, headers, localAddress: ELSEWHERE })
      expect(reply.headers['content-encoding']).toBeUndefined()
      expect(JSON.parse(reply.text)).toHaveLength(100)
    }),
  )

  test('is not compressed for the same machine', () =>
    withServer({}, async (server) => {
      const { headers, text } = await ask(server, { body: LONG, headers: { 'accept-encoding': 'gzip' } })
      expect(headers['content-encoding']).toBeUndefined()
      expect(JSON.parse(text)).toHaveLength(100)
    }))

  test('is not compressed when it is short', () =>
    withServer({}, async (server) => {
      const block = rpc('eth_getBlockByNumber', ['latest'])
      const { headers, text } = await ask(server, {
        body: block,
        headers: { 'accept-encoding': 'gzip' },
        localAddress: ELSEWHERE,
      })
      expect(headers['content-encoding']).toBeUndefined()
      expect(JSON.parse(text).result.number).toBe('0x0')
    }))
})

describe('the id of a request that is refused', () => {
  const [key, form] = [['right'], { 'content-type': 'text/plain' }]
  test.each<[string, number, OptionsInput, Ask, unknown]>([
    ['without the key', 401, { apiKeys: key }, { body: rpc('eth_chainId', [], 'seven') }, 'seven'],
    ['without the key, of a batch', 401, { apiKeys: key }, { body: `[${rpc('eth_chainId')}]` }, null],
    ['without the key, of no JSON', 401, { apiKeys: key }, { body: '{"id":' }, null],
    ['without the key, of nothing', 401, { apiKeys: key }, { body: '' }, null],
    ['by its content type', 415, {}, { body: rpc('eth_chainId', [], 7), headers: form }, 7],
    ['by its path', 404, {}, { body: rpc('eth_chainId', [], 7), path: '/a/b/c' }, 7],
    ['by its dialect', 400, {}, { body: rpc('eth_chainId', [], 7), path: '/?dialect=x' }, 7],
    // The id is unknown: the body of a refused caller is not read, and one that is too long is not kept.
    ['by its host', 403, {}, { body: rpc('eth_chainId', [], 7), headers: { host: 'rebound.example' } }, null],
    ['by its length', 413, { bodyLimit: 1000 }, { body: rpc('eth_chainId', [], 7).padEnd(1001) }, null],
  ])('%s: %d', (_, status, options, what, id) =>
    withServer(options, async (server) => {
      const reply = await ask(server, what)
      expect([reply.status, JSON.parse(reply.text).id]).toEqual([status, id])
    }),
  )
})

describe('a body', () => {
  test('may be as long as the limit, and no longer', () =>
    withServer({ bodyLimit: 1000 }, async (server) => {
      const padded = (length: number) => body.padEnd(length)
      expect((await ask(server, { body: padded(1000) })).status).toBe(200)
      const { status, text } = await ask(server, { body: padded(1001) })
      expect(status).toBe(413)
      expect(JSON.parse(text).error.message).toBe('request exceeds the limit of 1000 bytes')
    }))

  test('that was too long leaves the connection usable', () =>
    withServer({ bodyLimit: 1000 }, async (server) => {
      const answers = await exchange(server, posted(' '.repeat(500_000)) + posted(body), /result/)
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    }))

  test('may come in pieces that split letters', () =>
    withServer({}, async (server) => {
      const bytes = Buffer.from(posted('{"jsonrpc":"2.0","id":"ü€😀","method":"eth_chainId"}'))
      const socket = await openSocket(server)
      const answer = new Promise<string>((resolve) => {
        socket.on('data', (chunk: Buffer) => resolve(chunk.toString()))
      })
      socket.setNoDelay(true)
      for (const byte of bytes) socket.write(Uint8Array.of(byte))
      expect(await answer).toContain('"id":"ü€😀","result":"0x21"')
      socket.destroy()
    }))

  test('may come in chunks', () =>
    withServer({}, async (server) => {
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
      const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
      const bytes = head + chunk(body.slice(0, 5)) + chunk(body.slice(5)) + chunk('')
      expect(await exchange(server, bytes, /result/)).toContain(ANSWER)
    }))

  test('of invalid UTF-8 is refused', () =>
    withServer({}, async (server) => {
      const { text } = await ask(server, { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) })
      expect(JSON.parse(text).error.code).toBe(-32700)
    }))

  test('that never ends does not block others', () =>
    withServer({}, async (server) => {
      const socket = await openSocket(server)
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"')
      expect((await ask(server, { body })).text).toBe(ANSWER)
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.destroy()
      await closed
      expect((await ask(server, { body })).text).toBe(ANSWER)
    }))

  test('that is broken off is not run', () =>
    withServer({}, async (server) => {
      const mine = rpc('evm_mine')
      const socket = await openSocket(server)
      // All of the request but the last of the announced bytes.
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.resume().end(posted(`${mine} `).slice(0, -1))
      await closed
      const { text } = await ask(server, { body: rpc('eth_blockNumber') })
      expect(JSON.parse(text).result).toBe('0x0')
    }))
})

describe('a connection', () => {
  test.each([
    ['a wrong key', { path: '/wrong', body }],
    ['a wrong type', { path: '/right', body, headers: { 'content-type': 'text/plain' } }],
    ['a wrong host', { path: '/right', body, headers: { host: 'rebound.example' } }],
  ])('stays usable after %s', (_, wrong) =>
    withServer({ apiKeys: ['right'] }, async (server) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      expect((await ask(server, { ...wrong, agent })).status).toBeGreaterThanOrEqual(400)
      expect((await ask(server, { path: '/right', body, agent })).text).toBe(ANSWER)
      agent.destroy()
    }),
  )

  test('responds to pipelined requests in their order', () =>
    withServer({}, async (server) => {
      const requests = [
        rpc('evm_mine', [], 1),
        rpc('eth_blockNumber', [], 2),
        rpc('evm_mine', [], 3),
        rpc('eth_blockNumber', [], 4),
      ]
      const answers = await exchange(server, requests.map((text) => posted(text)).join(''), /"id":4.*\}/)
      expect(answers.match(/\{"jsonrpc".*\}/g)).toEqual([
        '{"jsonrpc":"2.0","id":1,"result":null}',
        '{"jsonrpc":"2.0","id":2,"result":"0x1"}',
        '{"jsonrpc":"2.0","id":3,"result":null}',
        '{"jsonrpc":"2.0","id":4,"result":"0x2"}',
      ])
    }))

  test('of a client that closes its half is answered, also when the answer takes a moment', () =>
    withServer({}, async (server) => {
      for (const method of ['eth_blockNumber', 'dev_dumpState']) {
        const socket = await openSocket(server)
        socket.end(posted(rpc(method)))
        expect(await text(socket)).toMatch(/"result":/)
      }
    }))

  test('with invalid HTTP is closed, and the server continues', () =>
    withServer({}, async (server) => {
      expect(await exchange(server, '\u0000\u0001\u0002\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
      expect((await ask(server, { body })).text).toBe(ANSWER)
    }))

  test.each([
    '//',
    '///x',
    '//[',
    '//:99999999',
    'http://[',
    'http://a:b:c/',
    '/%',
    '/%ff',
    '/..%2f..',
    '/?dialect=%',
  ])('to the path %s is answered, and the server continues', (path) =>
    withServer({}, async (server) => {
      for (const method of ['GET', 'POST']) {
        const bytes = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
        expect(await exchange(server, bytes)).toMatch(/^HTTP\/1\.1 \d\d\d /)
      }
      expect((await ask(server, { body })).text).toBe(ANSWER)
    }),
  )
})
