/** One WebSocket connection: responses, notifications and their order, limits, and the end. */

import { once } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { rpc } from '../support/server.ts'
import { connectSocket, frame, openDeafSocket, withSockets } from '../support/socket.ts'
import type { OpenSockets, SocketClient } from '../support/socket.ts'

/** The received messages as short texts: responses by id, notifications by their content. */
const inWords = ({ heard }: SocketClient) =>
  heard.map((message) => {
    if (Array.isArray(message)) return message.map(({ id }) => id).join('+')
    const { id, params } = message
    return id === undefined ? `block ${Number(params.result.number)}` : String(id)
  })

describe('requests', () => {
  test('are handled as over HTTP: single requests, batches and notifications', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      client.send(rpc('eth_chainId', [], 'one'))
      client.send(`[${rpc('evm_mine', [], 'two')},${rpc('eth_blockNumber', [], 'three')}]`)
      client.send('{"jsonrpc":"2.0","method":"evm_mine"}')
      client.send('{')
      client.send(rpc('eth_nothing', [], 'four'))
      client.send(rpc('eth_blockNumber', [], 'five'))
      await client.first(({ id }) => id === 'five')
      expect(client.heard).toEqual([
        { jsonrpc: '2.0', id: 'one', result: '0x21' },
        [
          { jsonrpc: '2.0', id: 'two', result: null },
          { jsonrpc: '2.0', id: 'three', result: '0x1' },
        ],
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
        expect.objectContaining({ id: 'four', error: expect.objectContaining({ code: -32601 }) }),
        { jsonrpc: '2.0', id: 'five', result: '0x2' },
      ])
    }))

  test('may be binary', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      client.socket.send(Buffer.from(rpc('eth_chainId', [], 'ü')))
      expect(await client.first(() => true)).toEqual({ jsonrpc: '2.0', id: 'ü', result: '0x21' })
    }))

  test('have their responses in order, also many at once', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      const ids = Array.from({ length: 2000 }, (_, id) => id)
      for (const id of ids) client.send(rpc(id % 100 === 0 ? 'evm_mine' : 'eth_blockNumber', [], id))
      await client.first(({ id }) => id === 1999)
      expect(client.heard.map(({ id }) => id)).toEqual(ids)
    }))

  test('beyond the queue limit stay in the socket, and are handled later', () =>
    withSockets({ bodyLimit: 300 }, async (server) => {
      const client = await connectSocket(server)
      for (let id = 0; id < 500; id++) client.send(rpc('eth_blockNumber', [], id).padEnd(300))
      await client.first(({ id }) => id === 499)
      expect(client.heard).toHaveLength(500)
    }))
})

describe('order', () => {
  test('notifications begin after the response with the id; those of a request come before its response', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      client.send(rpc('eth_subscribe', ['newHeads'], 'subscribed'))
      client.send(rpc('evm_mine', [], 'mined'))
      client.send(rpc('hardhat_mine', ['0x3'], 'mined more'))
      await client.first(({ id }) => id === 'mined more')
      expect(inWords(client)).toEqual([
        'subscribed',
        'block 1',
        'mined',
        'block 2',
        'block 3',
        'block 4',
        'mined more',
      ])
    }))

  test('notifications of a subscription in a batch begin after the response to the batch, without gaps', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      client.send(`[${rpc('eth_subscribe', ['newHeads'], 'subscribed')},${rpc('evm_mine', [], 'mined')}]`)
      client.send(rpc('eth_chainId', [], 'asked'))
      await client.first(({ id }) => id === 'asked')
      expect(inWords(client)).toEqual(['subscribed+mined', 'block 1', 'asked'])
    }))

  test('the first of many blocks is notified, and a request is handled, before the last block is mined', () =>
    withSockets({}, async (server) => {
      const [client, other] = [await connectSocket(server), await connectSocket(server)]
      const id = await client.call('eth_subscribe', ['newHeads'])
      const mining = other.call('hardhat_mine', ['0xc00'])
      await client.told(id, 256)
      expect(Number(await client.call('eth_blockNumber'))).toBeLessThan(3_072)
      await mining
      const heads = await client.told(id, 3_072)
      expect(heads.map(({ number }) => Number(number))).toEqual(
        Array.from({ length: 3_072 }, (_, n) => n + 1),
      )
    }))
})

/** A client that subscribed to blocks and reads nothing, and a function that mines until the server drops it. */
async function withDeafClient({ port, node, sockets }: OpenSockets) {
  const deaf = await openDeafSocket({ port })
  deaf.write(frame(rpc('eth_subscribe', ['newHeads'])))
  const other = await connectSocket({ port })
  while (node.subscriptions.size === 0) await other.call('eth_chainId')
  const mineUntilDropped = async () => {
    while (node.subscriptions.size > 0) await other.call('hardhat_mine', ['0x64'])
  }
  const gone = async () => {
    while (sockets.size > 1) await other.call('eth_chainId')
  }
  return { deaf, mineUntilDropped, gone }
}

describe('a long response', () => {
  /** Logs a topic eight hundred times: PUSH2 800, then JUMPDEST, LOG1, and one less until none is left. */
  const LOOP = '0x6103205b600760006000a16001900380600357' + '00'

  test('comes in pieces as one message, and notifications follow it', () =>
    withSockets({}, async (server) => {
      const [client, other] = [await connectSocket(server), await connectSocket(server)]
      const [from] = await client.call('eth_accounts')
      const hash = await client.call('eth_sendTransaction', [{ from, data: LOOP, gas: '0x600000' }])
      const id = await client.call('eth_subscribe', ['newHeads'])
      client.send(rpc('debug_traceTransaction', [hash], 'traced'))
      client.send(rpc('eth_chainId', [], 'asked'))
      const mining = Array.from({ length: 20 }, () => other.call('evm_mine'))
      const { result } = await client.first((message) => message.id === 'traced')
      expect(result.structLogs.length).toBeGreaterThan(6000)
      await client.first((message) => message.id === 'asked')
      await Promise.all(mining)
      const heads = await client.told(id, 20)
      expect(heads.map(({ number }) => Number(number))).toEqual(mining.map((_, index) => index + 2))
    }))

  test('ends with the connection', () =>
    withSockets({}, async (server) => {
      const [client, other] = [await connectSocket(server), await connectSocket(server)]
      const [from] = await client.call('eth_accounts')
      const hash = await client.call('eth_sendTransaction', [{ from, data: LOOP, gas: '0x600000' }])
      client.send(rpc('debug_traceTransaction', [hash]))
      client.socket.terminate()
      while (server.sockets.size > 1) await other.call('eth_chainId')
      expect(await other.call('eth_chainId')).toBe('0x21')
    }))
})

describe('a client that does not read', () => {
  test('is dropped above the buffer limit, with the reason in the close frame', () =>
    withSockets({ wsBufferLimit: 100_000 }, async (server) => {
      const { deaf, mineUntilDropped, gone } = await withDeafClient(server)
      await mineUntilDropped()
      let received = ''
      deaf.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
      deaf.resume()
      await once(deaf, 'close')
      const reason = 'more than 100000 bytes were not read (--ws-buffer-limit)'
      // A close frame: its code, 1013, is two bytes of the payload.
      const length = String.fromCharCode(reason.length + 2)
      expect(received.endsWith(`\u0088${length}\u0003\u00f5${reason}`)).toBe(true)
      await gone()
    }))

  test('is terminated when it does not read the close frame', () =>
    withSockets({ wsBufferLimit: 100_000 }, async (server) => {
      const { deaf, mineUntilDropped, gone } = await withDeafClient(server)
      await mineUntilDropped()
      await gone()
      deaf.destroy()
    }))

  test('has no further requests handled, and is not dropped for them', () =>
    withSockets({ wsBufferLimit: 1000 }, async (server) => {
      const client = await connectSocket(server)
      client.socket.pause()
      for (let id = 0; id < 5000; id++) client.send(rpc('eth_getBlockByNumber', ['latest'], id))
      client.socket.resume()
      await client.first(({ id }) => id === 4999)
      expect(client.heard).toHaveLength(5000)
    }))
})

describe('a message', () => {
  test('may be as long as the limit, and no longer', () =>
    withSockets({ bodyLimit: 1000 }, async (server) => {
      const client = await connectSocket(server)
      client.send(rpc('eth_chainId').padEnd(1000))
      expect(await client.first(() => true)).toMatchObject({ result: '0x21' })
      client.send(rpc('eth_chainId').padEnd(1001))
      expect(await client.closed).toMatchObject({ code: 1009 })
    }))

  test('of invalid UTF-8 ends the connection', () =>
    withSockets({}, async (server) => {
      const socket = await openDeafSocket(server)
      const ended = once(socket, 'close')
      socket.resume().write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]))
      await ended
    }))

  test('without a mask ends the connection', () =>
    withSockets({}, async (server) => {
      const socket = await openDeafSocket(server)
      const ended = once(socket, 'close')
      socket.resume().write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]))
      await ended
    }))
})

describe('a closed socket', () => {
  test.each<[string, (client: SocketClient) => void]>([
    ['with a close frame', ({ socket }) => socket.close()],
    ['without', ({ socket }) => socket.terminate()],
  ])('%s frees its subscriptions', (_, end) =>
    withSockets({}, async (server) => {
      const [client, other] = [await connectSocket(server), await connectSocket(server)]
      for (const kind of ['newHeads', 'logs', 'newPendingTransactions', 'chainReverted']) {
        await client.call('eth_subscribe', [kind])
      }
      expect(server.node.subscriptions.size).toBe(4)
      end(client)
      while (server.sockets.size > 1) await other.call('eth_chainId')
      expect(server.node.subscriptions.size).toBe(0)
    }),
  )

  test('does not subscribe with a request that was pending', () =>
    withSockets({}, async (server) => {
      const { node, sockets } = server
      const client = await connectSocket(server)
      // The held lock keeps the request waiting until the socket is closed.
      let leave: () => void = () => undefined
      const held = node.instance.lock.run('write', () => new Promise<void>((resolve) => (leave = resolve)))
      client.send(rpc('eth_subscribe', ['newHeads']))
      client.socket.close()
      const other = await connectSocket(server)
      while (sockets.size > 1) {
        other.socket.ping()
        await once(other.socket, 'pong')
      }
      leave()
      await held
      await node.instance.lock.run('write', () => undefined)
      expect(node.subscriptions.size).toBe(0)
    }))
})
