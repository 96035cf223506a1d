/** Access control over real sockets: API keys, Host and Origin. */

import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { callerRefusal } from '../../lib/server/admission.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import type { Ask } from '../support/server.ts'

const body = rpc('eth_chainId')
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x21"}'

/** Status of a POST to a server with the options. */
async function statusOf(options: OptionsInput, what: Ask): Promise<number> {
  let status = 0
  await withServer(options, async (server) => {
    const reply = await ask(server, { body, ...what })
    status = reply.status
    if (status === 200) expect(reply.text).toBe(ANSWER)
    else expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
  })
  return status
}

describe('API keys', () => {
  test.each<[string, readonly string[], string, number]>([
    ['any passes', [], '/', 200],
    ['any passes', [], '/whatever', 200],
    ['any passes', [], '/w%20ith-escapes', 200],
    ['a named one passes', ['one', 'two'], '/two', 200],
    ['a named one passes, with a slash', ['one', 'two'], '/two/', 200],
    ['another does not, with a slash', ['one'], '/two/', 401],
    ['a key has one slash at most', [], '/one//', 404],
    ['another does not', ['one', 'two'], '/three', 401],
    ['none does not', ['one'], '/', 401],
    ['part of one does not', ['one'], '/on', 401],
    ['a name of Object does not', ['one'], '/constructor', 401],
    ['a key is one segment', ['one'], '/one/two', 404],
    ['a key is one segment', [], '//', 400],
  ])('%s: %j at %s', async (_, apiKeys, path, status) => {
    expect(await statusOf({ apiKeys: [...apiKeys] }, { path })).toBe(status)
  })
})

describe('the Host header', () => {
  test.each<[string, OptionsInput, number]>([
    ['localhost', {}, 200],
    ['LOCALHOST:1234', {}, 200],
    ['127.0.0.1:4444', {}, 200],
    ['[::1]:4444', {}, 200],
    ['rebound.example', {}, 403],
    ['localhost.rebound.example', {}, 403],
    ['127.0.0.1.rebound.example', {}, 403],
    ['rebound.example:80', {}, 403],
    ['192.168.1.7', {}, 403],
    ['[::1', {}, 403],
    ['localhost@rebound.example', {}, 403],
    ['node.example:4444', { allowedHosts: ['Node.example'] }, 200],
    ['other.example', { allowedHosts: ['node.example'] }, 403],
    ['other.example', { allowedHosts: ['*'] }, 200],
    ['192.168.1.7:4444', { host: '0.0.0.0' }, 200],
    ['rebound.example', { host: '0.0.0.0' }, 403],
    ['192.168.1.7:4444', { host: 'all' }, 200],
    ['rebound.example', { host: 'all' }, 403],
    // A name that a resolver of the network could lead here.
    ['all', { host: 'all' }, 403],
  ])('%s with %j: %d%s', async (host, options, status) => {
    expect(await statusOf(options, { headers: { host } })).toBe(status)
  })

  test('is the name that the node listens on, in any case', () => {
    const options = { cors: [], allowedHosts: [], host: 'MyMachine' }
    for (const host of ['mymachine:4444', 'MyMachine'])
      expect(callerRefusal({ headers: { host } }, options)).toBeUndefined()
  })
})

describe('the Origin header', () => {
  test.each<[string, OptionsInput, number]>([
    ['http://localhost', {}, 200],
    ['http://localhost:3000', {}, 200],
    ['https://127.0.0.1:8080', {}, 200],
    ['http://[::1]:3000', {}, 200],
    ['https://evil.example', {}, 403],
    ['http://localhost.evil.example', {}, 403],
    ['http://localhost@evil.example', {}, 403],
    ['null', {}, 403],
    ['', {}, 403],
    ['https://app.example', { cors: ['https://app.example'] }, 200],
    ['https://app.example:8443', { cors: ['https://app.example'] }, 403],
    ['http://app.example', { cors: ['https://app.example'] }, 403],
    ['https://any.example', { cors: ['*'] }, 200],
    ['chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', {}, 200],
    ['moz-extension://9b7a1c5e-6a3f-4f0e-8c43-0c2ad4a6b1f7', {}, 200],
    ['https://chrome-extension.example', {}, 403],
  ])('%s with %j: %d%s', async (origin, options, status) => {
    expect(await statusOf(options, { headers: { origin } })).toBe(status)
  })

  test('is in Access-Control-Allow-Origin of the response', () =>
    withServer({}, async (server) => {
      const origin = 'http://localhost:3000'
      const { headers } = await ask(server, { body, headers: { origin } })
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
    }))

  test('is not in the response to a page without access', () =>
    withServer({}, async (server) => {
      const { headers } = await ask(server, { body, headers: { origin: 'https://evil.example' } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }))

  test('without access has its request refused before it runs', () =>
    withServer({}, async (server) => {
      await ask(server, { body: rpc('evm_mine'), headers: { origin: 'https://evil.example' } })
      const { text } = await ask(server, { body: rpc('eth_blockNumber') })
      expect(JSON.parse(text).result).toBe('0x0')
    }))
})

describe('a preflight', () => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,authorization,x-trace-id',
    },
  })

  test('allows what a page needs to call', () =>
    withServer({}, async (server) => {
      const { status, headers, text } = await ask(server, preflight('http://localhost:3000'))
      expect([status, text]).toEqual([204, ''])
      expect(headers).toMatchObject({
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-allow-methods': expect.stringContaining('POST'),
        // A page can send any header, such as those of a tracing library.
        'access-control-allow-headers': 'content-type,authorization,x-trace-id',
      })
    }))

  test('of another origin is refused', () =>
    withServer({}, async (server) => {
      const { status, headers } = await ask(server, preflight('https://evil.example'))
      expect(status).toBe(403)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }))
})
