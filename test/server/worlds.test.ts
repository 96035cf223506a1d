/** Worlds over real sockets. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import type { ManualHost } from '../support/node.ts'
import { ask, exchange, rpc, withServer } from '../support/server.ts'
import type { Ask } from '../support/server.ts'
import { connectSocket, upgradeRequest, withSockets } from '../support/socket.ts'

/** The result of a method at a path. */
async function resultAt(
  server: RunningServer,
  path: string,
  method: string,
  params: readonly unknown[] = [],
) {
  const { text } = await ask(server, { path, body: rpc(method, params) })
  const { result, error } = JSON.parse(text)
  if (error !== undefined) throw new Error(error.message)
  return result
}

/** Heights of the chains at the paths. */
const heights = (server: RunningServer, paths: readonly string[]) =>
  Promise.all(paths.map((path) => resultAt(server, path, 'eth_blockNumber')))

describe('a path', () => {
  test('names the world, with and without an API key before it', () =>
    withServer({}, async (server) => {
      await resultAt(server, '/w/a', 'evm_mine')
      await resultAt(server, '/key/w/a', 'evm_mine')
      await resultAt(server, '/w/w/b?dialect=ethereum', 'evm_mine')
      const paths = ['/', '/key', '/w', '/w/a', '/other/w/a', '/w/b', '/w/c']
      expect(await heights(server, paths)).toEqual(['0x0', '0x0', '0x0', '0x2', '0x2', '0x1', '0x0'])
      expect((await resultAt(server, '/w/a', 'dev_worlds')).map(({ id }: any) => id)).toEqual(['a', 'b', 'c'])
    }))

  test('may end with a slash', () =>
    withServer({}, async (server) => {
      await resultAt(server, '/w/a/', 'evm_mine')
      await resultAt(server, '/key/w/a/', 'evm_mine')
      expect(await heights(server, ['/', '/key/', '/w/a', '/w/a/'])).toEqual(['0x0', '0x0', '0x2', '0x2'])
      const answer = await exchange(server, upgradeRequest('/key/w/a/'), /\r\n\r\n/)
      expect(answer).toMatch(/^HTTP\/1\.1 101 /)
    }))

  test.each<[number, string, Ask]>([
    [400, 'no such path: expected the id of a world', { path: '/w/' }],
    [400, 'no such path: expected the id of a world', { path: '/w/a%20b' }],
    [400, 'no such path: expected the id of a world', { path: `/w/${'x'.repeat(101)}` }],
    [404, 'no such path: /w/a//', { path: '/w/a//' }],
    [404, 'no such path: /key/v/a', { path: '/key/v/a' }],
    [404, 'no such path: /a/key/w/a', { path: '/a/key/w/a' }],
    [405, 'JSON-RPC requests must use POST', { method: 'PUT', path: '/w/a' }],
    [404, 'no such page: /w/a', { method: 'GET', path: '/w/a' }],
  ])('is refused with %d and "%s": %j', (status, message, what) =>
    withServer({}, async (server) => {
      const reply = await ask(
        server,
        what.method === undefined ? { ...what, body: rpc('eth_chainId') } : what,
      )
      expect(reply.status).toBe(status)
      expect(JSON.parse(reply.text)).toMatchObject({ error: { code: -32600 } })
      expect(JSON.parse(reply.text).error.message).toMatch(message)
      expect(await resultAt(server, '/', 'dev_worlds')).toEqual([])
    }),
  )

  test('of a world needs the API key, and creates no world without it', () =>
    withServer({ apiKeys: ['one'] }, async (server) => {
      const statuses = ['/w/a', '/two/w/a', '/one/w/a'].map(
        async (path) => (await ask(server, { path, body: rpc('eth_chainId') })).status,
      )
      expect(await Promise.all(statuses)).toEqual([401, 401, 200])
      expect(await resultAt(server, '/one', 'dev_worlds')).toHaveLength(1)
    }))

  test('of a world above the limit is refused with 409, which clients do not retry', () =>
    withServer({ worldLimit: 1 }, async (server) => {
      await resultAt(server, '/w/a', 'evm_mine')
      const reply = await ask(server, { path: '/w/b', body: rpc('eth_chainId') })
      expect([reply.status, JSON.parse(reply.text).error.message]).toEqual([
        409,
        'there are 1 worlds, the maximum (--world-limit): delete one first',
      ])
      expect(await exchange(server, upgradeRequest('/w/b'))).toMatch(/^HTTP\/1.1 409 /)
    }))
})

describe('a world', () => {
  test('is created again by the next call after it was deleted', () =>
    withServer({}, async (server) => {
      await resultAt(server, '/w/a', 'evm_mine')
      expect(await resultAt(server, '/', 'dev_deleteWorld', ['a'])).toBe(true)
      expect(await heights(server, ['/w/a'])).toEqual(['0x0'])
    }))

  test('can delete itself', () =>
    withServer({}, async (server) => {
      expect(await resultAt(server, '/w/a', 'dev_deleteWorld', ['a'])).toBe(true)
      expect(await resultAt(server, '/', 'dev_worlds')).toEqual([])
    }))

  test('is named in the request log, unlike the default chain', async () => {
    const entries: RequestLogEntry[] = []
    await withServer(
      {},
      async (server) => {
        await heights(server, ['/'])
        await heights(server, ['/w/a'])
      },
      { onRequest: (entry) => entries.push(entry) },
    )
    expect(entries.map(({ method, world }) => [method, world])).toEqual([
      ['eth_blockNumber', undefined],
      ['eth_blockNumber', 'a'],
    ])
  })

  test('is counted by the health page', () =>
    withServer({}, async (server) => {
      await heights(server, ['/w/a', '/w/b'])
      const { text } = await ask(server, { method: 'GET', path: '/health' })
      expect(JSON.parse(text)).toMatchObject({ status: 'ok', worlds: 2 })
    }))
})

describe('a world of another network', () => {
  /** The answers to two methods in which the dialects differ. */
  const probes = async (server: RunningServer, path: string) => [
    await resultAt(server, path, 'evm_increaseTime', [7]),
    await resultAt(server, path, 'hardhat_setNonce', [`0x${'11'.repeat(20)}`, '0x1']),
  ]
  const create = ['dev_createWorld', [{ id: 'a', network: 'ethereum' }]] as const

  test('answers in the dialect of its network, unless the URL names another', () =>
    withServer({}, async (server) => {
      await resultAt(server, '/', ...create)
      expect(await probes(server, '/')).toEqual(['0x7', true])
      expect(await probes(server, '/w/a')).toEqual([7, null])
      expect(await probes(server, '/w/a?dialect=hardhat')).toEqual(['14', true])
      expect(await probes(server, '/w/fresh')).toEqual(['0xe', true])
    }))

  test('answers in the dialect of the option', () =>
    withServer({ dialect: 'hardhat' }, async (server) => {
      await resultAt(server, '/', ...create)
      expect(await probes(server, '/w/a')).toEqual(['7', true])
    }))

  test('is not created by a request in an unknown dialect', () =>
    withServer({}, async (server) => {
      const { status } = await ask(server, { path: '/w/a?dialect=geth', body: rpc('eth_chainId') })
      expect([status, await resultAt(server, '/', 'dev_worlds')]).toEqual([400, []])
    }))

  test('sends notifications and answers of its network to its sockets', () =>
    withSockets({}, async (server) => {
      const { node } = server
      node.worlds.create('a', { services: await node.openWorld({ network: { network: 'ethereum' } }) })
      const client = await connectSocket(server, { path: '/w/a' })
      expect(await client.call('evm_increaseTime', [7])).toBe(7)
      const heads = await client.call('eth_subscribe', ['newHeads'])
      const sent = await client.call('eth_subscribe', ['newPendingTransactions', true])
      const [from, to] = await client.call('eth_accounts')
      await client.call('eth_sendTransaction', [{ from, to, value: '0x1' }])
      const [[head], [transaction]] = await Promise.all([client.told(heads, 1), client.told(sent, 1)])
      expect(head).toHaveProperty('baseFeePerGas')
      expect(transaction).toMatchObject({ type: '0x2', chainId: '0x7a69' })
    }))

  test('has the names of its preset, and one of the same preset those of the default chain', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'named-'))
    const network = join(folder, 'acme.json')
    const preset = { extends: 'network-33', name: 'acme', names: { module: 'acme' } }
    writeFileSync(network, JSON.stringify(preset))
    await withServer({ network }, async (server) => {
      await resultAt(server, '/', 'dev_createWorld', [{ id: 'a', network: 'network-31' }])
      await resultAt(server, '/', 'dev_createWorld', [{ id: 'b', chainId: 5 }])
      const version = await resultAt(server, '/', 'acme_protocolVersion')
      expect(await resultAt(server, '/w/a', 'node_protocolVersion')).toBe(version)
      await expect(resultAt(server, '/w/a', 'acme_protocolVersion')).rejects.toThrow('does not exist')
      expect(await resultAt(server, '/w/b', 'acme_protocolVersion')).toBe(version)
      expect(await resultAt(server, '/', 'dev_worlds')).toMatchObject([
        { network: 'network-31', chainId: '0x1f' },
        { network: 'acme', chainId: '0x5' },
      ])
    })
    rmSync(folder, { recursive: true })
  })
})

/** Lets time pass for the server's timers. */
function pass(host: ManualHost, seconds: number): void {
  for (let leftMs = seconds * 1000; leftMs > 0;) leftMs = host.step(leftMs)
}

describe('a socket', () => {
  test('receives events of its own world only', () =>
    withSockets({}, async (server) => {
      const [default_, world] = await Promise.all([
        connectSocket(server),
        connectSocket(server, { path: '/w/a' }),
      ])
      const heads = [
        await default_.call('eth_subscribe', ['newHeads']),
        await world.call('eth_subscribe', ['newHeads']),
      ]
      await default_.call('evm_mine')
      await world.call('evm_mine')
      await world.call('evm_mine')
      expect((await default_.told(heads[0], 1)).map(({ number }) => number)).toEqual(['0x1'])
      expect((await world.told(heads[1], 2)).map(({ number }) => number)).toEqual(['0x1', '0x2'])
    }))

  test('keeps its world in use until it is closed', () =>
    withSockets({ worldTimeout: 10 }, async (server) => {
      const { node, host } = server
      const client = await connectSocket(server, { path: '/w/a' })
      expect(node.worlds.all).toMatchObject([{ id: 'a', visitors: 1 }])
      pass(host, 100)
      expect(node.worlds.size).toBe(1)
      client.socket.close()
      await client.closed
      while (node.worlds.all[0]!.visitors > 0) await new Promise((resolve) => setImmediate(resolve))
      pass(host, 10)
      expect(node.worlds.size).toBe(0)
    }))

  test('is closed with its world, and others are not', () =>
    withSockets({}, async (server) => {
      const [kept, ended] = await Promise.all(['/w/a', '/w/b'].map((path) => connectSocket(server, { path })))
      await kept!.call('dev_deleteWorld', ['b'])
      expect(await ended!.closed).toEqual({ code: 1001, reason: 'the world was deleted' })
      expect(await kept!.call('eth_blockNumber')).toBe('0x0')
      expect(server.sockets.size).toBe(1)
    }))

  test('whose handshake fails does not hold its world', () =>
    withSockets({ worldTimeout: 10 }, async (server) => {
      await exchange(server, upgradeRequest('/w/a', { 'Sec-WebSocket-Key': '' }))
      while (server.node.worlds.all[0]!.visitors > 0) await new Promise((resolve) => setImmediate(resolve))
      pass(server.host, 10)
      expect(server.node.worlds.size).toBe(0)
    }))
})
