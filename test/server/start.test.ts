/** A server's life: pages, the port, and the end. */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { findPackage } from '../../lib/config/package.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import { openRpcDocument } from '../../lib/rpc/openrpc.ts'
import { startServer, startWithOptions } from '../../lib/server/start.ts'
import { freePort } from '../support/free-port.ts'
import { ELSEWHERE, ask, exchange, openSocket, rpc, withServer } from '../support/server.ts'

describe('/health', () => {
  test('returns that the node is ready, and its head', () =>
    withServer({}, async (server) => {
      await ask(server, { body: rpc('evm_mine') })
      const { status, text } = await ask(server, { method: 'GET', path: '/health' })
      expect(status).toBe(200)
      expect(JSON.parse(text)).toMatchObject({
        status: 'ok',
        network: 'network-33',
        chainId: 33,
        blockNumber: 1,
        memory: { rss: expect.any(Number), heapUsed: expect.any(Number) },
      })
    }))

  test('responds to HEAD without a body', () =>
    withServer({}, async (server) => {
      const { status, text, headers } = await ask(server, { method: 'HEAD', path: '/health' })
      expect([status, text]).toEqual([200, ''])
      expect(headers['content-type']).toContain('application/json')
    }))

  test('is refused to a page without access', () =>
    withServer({}, async (server) => {
      const headers = { host: 'rebound.example' }
      expect((await ask(server, { method: 'GET', path: '/health', headers })).status).toBe(403)
    }))
})

describe('/openrpc.json', () => {
  test('is the description of the registry', () =>
    withServer({}, async (server) => {
      const { status, text } = await ask(server, { method: 'GET', path: '/openrpc.json' })
      expect(status).toBe(200)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openRpcDocument(allMethods))))
    }))

  test('is compressed when asked', () =>
    withServer({}, async (server) => {
      const asked = {
        method: 'GET',
        path: '/openrpc.json',
        headers: { 'accept-encoding': 'gzip' },
        localAddress: ELSEWHERE,
      }
      const { headers } = await ask(server, asked)
      expect(headers).toMatchObject({ 'content-encoding': 'gzip' })
    }))

  test('names every method and alias, its params, its result and an example', () =>
    withServer({}, async (server) => {
      const { text } = await ask(server, { method: 'GET', path: '/openrpc.json' })
      const { openrpc, info, methods } = JSON.parse(text)
      expect(openrpc).toMatch(/^1\.\d+\.\d+$/)
      expect(info).toEqual({ title: expect.any(String), version: findPackage().version })
      expect(methods.map(({ name }: { name: string }) => name).toSorted()).toEqual(allMethods.names)
      for (const { params, result, examples } of methods) {
        for (const param of params) {
          expect(param).toMatchObject({ name: expect.any(String), schema: expect.any(Object) })
        }
        expect(result.schema).toEqual(expect.any(Object))
        expect(examples).toHaveLength(1)
      }
    }))
})

describe('a port', () => {
  test('in use is an error that names it', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    await expect(startWithOptions(resolveOptions({ values: { port } }))).rejects.toMatchObject({
      kind: 'addressInUse',
      message: expect.stringMatching(`^port ${port} of 127.0.0.1 is already in use: choose another`),
    })
    await new Promise((resolve) => other.close(resolve))
  })

  test('in use leaves neither a state file nor a claim', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-node-'))
    const { port, close } = await startWithOptions(resolveOptions({ values: { port: 0 } }))
    const values = { dumpState: join(folder, 'chain.state'), port }
    await expect(startWithOptions(resolveOptions({ values }))).rejects.toMatchObject({ kind: 'addressInUse' })
    expect(await readdir(folder)).toEqual([])
    await close()
    await rm(folder, { recursive: true })
  })

  test('on an address of another machine is an error', async () => {
    const options = resolveOptions({ values: { port: 0, host: '192.0.2.1' } })
    await expect(startWithOptions(options)).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringMatching(/^cannot listen on 192\.0\.2\.1:0: /),
    })
  })

  test('on every interface is one for every address of the machine', async () => {
    const server = await startWithOptions(resolveOptions({ values: { port: 0, host: 'all' } }))
    expect(server).toMatchObject({
      url: `http://127.0.0.1:${server.port}`,
      explorer: `http://127.0.0.1:${server.port}/`,
    })
    // Elsewhere 127.0.0.1 is the only loopback address of IPv4.
    const hosts = ['127.0.0.1', process.platform === 'linux' ? '127.0.0.2' : '[::1]']
    const replies = await Promise.all(hosts.map((host) => fetch(`http://${host}:${server.port}/health`)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    await server.close()
  })

  test('is free again after the end', async () => {
    const first = await startWithOptions(resolveOptions({ values: { port: Number(await freePort()) } }))
    await first.close()
    const second = await startWithOptions(resolveOptions({ values: { port: first.port } }))
    expect(second.url).toBe(`http://127.0.0.1:${first.port}`)
    await second.close()
  })
})

describe('the end', () => {
  test('closes open, idle and active connections', async () => {
    const server = await startWithOptions(resolveOptions({ values: { port: 0 } }))
    const idle = await openSocket(server)
    const busy = await openSocket(server)
    const closed = [idle, busy].map((socket) => {
      socket.on('error', () => undefined)
      return new Promise((resolve) => socket.on('close', resolve))
    })
    busy.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{')
    const startedAt = performance.now()
    await server.close()
    await Promise.all(closed)
    // Node itself would close the connections after a minute.
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  test('closes the server during a request', async () => {
    const server = await startWithOptions(resolveOptions({ values: { port: 0 } }))
    const mining = exchange(
      server,
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${rpc('hardhat_mine', ['0x200']).length}\r\n\r\n${rpc('hardhat_mine', ['0x200'])}`,
    )
    await ask(server, { body: rpc('net_version') })
    await server.close()
    expect(await mining).toMatch(/^(|HTTP\/1\.1 200[^]*true\})$/)
  })

  test('can be requested twice', async () => {
    const server = await startWithOptions(resolveOptions({ values: { port: 0 } }))
    await server.close()
    await server.close()
    await expect(ask(server, { body: rpc('eth_chainId') })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

test('a started server has its URL, network and accounts', () =>
  withServer({ accounts: 2 }, async (server) => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect(server.network.name).toBe('network-33')
    expect(server.version).toBe(findPackage().version)
    expect(server.accounts).toEqual([
      {
        address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
        privateKey: '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4',
        balance: 10n ** 30n,
      },
      expect.objectContaining({ address: '0x7986b3df570230288501eea3d890bd66948c9b79' }),
    ])
  }))

test.each([
  ['with their keys', true, 10],
  ['not at all where the node holds no keys', false, 0],
])('the funded accounts are listed %s', async (_case, holdsKeys, count) => {
  const server = await startWithOptions(resolveOptions({ values: { port: 0, holdsKeys } }))
  await server.close()
  expect(server.accounts).toHaveLength(count)
})

test('an invalid option of a program is named as in the API', async () => {
  const server = await startServer({ port: 0, chainId: 77 })
  expect(server.network.chainId).toBe(77n)
  await server.close()
  await expect(startServer({ port: -1 })).rejects.toMatchObject({ kind: 'invalidOption' })
})
