/** Envelopes, batches and HTTP statuses of the reference node (node-rpc 2). Expected answers are recorded. */

import { describe, expect, test } from '@jest/globals'
import { faithfulNode } from '../../support/faithful.ts'
import { ask, withServer } from '../../support/server.ts'

const CHAIN_ID = '"method":"eth_chainId","params":[]'
const asked = (id: string) => `{"jsonrpc":"2.0","id":${id},${CHAIN_ID}}`
const answered = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":"0x21"}`
const refused = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`
const batch = (...items: readonly string[]) => `[${items.join(',')}]`

const notification = `{"jsonrpc":"2.0",${CHAIN_ID}}`
const INVALID = refused('"null"', -32600, 'invalid request')
const UNEXPECTED = '{"error":{"code":-32099,"message":"Unexpected error"}}'
const TOO_LONG =
  '{"error":{"code":-32600,"message":"Cannot dispatch batch requests. 50 is the max number of supported batch requests"}}'

describe('the response to', () => {
  test.each([
    ['a request of another version', `{"jsonrpc":"1.0","id":7,${CHAIN_ID}}`, answered('7')],
    ['an id that is an object', asked('{}'), UNEXPECTED],
    ['params that are a text', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}', UNEXPECTED],
    ['an empty body', '', UNEXPECTED],
    ['broken JSON', '{', refused('"null"', -32700, 'JSON parse error')],
    ['no object', '1', INVALID],
    ['a byte order mark before a request', `\uFEFF${asked('1')}`, answered('1')],
    ['a notification', notification, undefined],
    [
      'a notification that fails',
      '{"jsonrpc":"2.0","method":"eth_foo"}',
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"method not found"}}',
    ],
    ['an empty batch', '[]', '[]'],
    ['a batch of a notification', batch(notification), '[null]'],
    ['a batch in a batch', batch(batch(asked('1')), asked('2')), batch(batch(answered('1')), answered('2'))],
    ['a batch of no object', '[1]', batch(INVALID)],
    [
      'a batch of 50',
      batch(...Array.from({ length: 50 }, () => asked('1'))),
      batch(...Array.from({ length: 50 }, () => answered('1'))),
    ],
    ['a batch of 51', batch(...Array.from({ length: 51 }, () => asked('1'))), TOO_LONG],
  ])('%s', async (_, body, expected) => {
    const { post } = await faithfulNode()
    expect(await post(body)).toBe(expected)
  })
})

describe('a method', () => {
  test.each([
    ['of other nodes', 'hardhat_mine', [], 'method not found'],
    ['with a name only', 'stop', [], 'the method stop does not exist/is not available'],
    ['that pushes, without a socket', 'eth_subscribe', ['newHeads'], 'method not found'],
  ])('%s does not exist', async (_, method, params, message) => {
    const { ask: askNode } = await faithfulNode()
    expect(await askNode(method, ...params)).toEqual({ code: -32601, message })
  })

  test('with a missing or an extra param is refused without its name', async () => {
    const { ask: askNode } = await faithfulNode()
    const error = { code: -32602, message: 'method parameters invalid' }
    expect(await askNode('eth_getBlockByNumber', 'latest')).toEqual(error)
    expect(await askNode('eth_chainId', '0x1')).toEqual(error)
  })

  test('of this node alone stays, with its help', async () => {
    const { ask: askNode } = await faithfulNode()
    expect(await askNode('dev_worlds')).toEqual([])
    expect(await askNode('dev_worlds', 1)).toMatchObject({ message: expect.stringContaining('params[0]') })
  })
})

describe('over HTTP', () => {
  test.each([
    ['an invalid param', '{"id":"a\\"1","method":"eth_getBalance","params":["0x12"]}', 400],
    ['an invalid request', '1', 400],
    ['broken JSON', '{', 400],
    ['an unknown block', '{"id":1,"method":"eth_getUncleCountByBlockNumber","params":["0xff"]}', 400],
    ['an unknown method', '{"id":1,"method":"eth_foo"}', 200],
    ['a batch with an error', '[1]', 200],
    ['a notification', notification, 200],
  ])('%s has its status', (_, body, status) =>
    withServer({ faithful: true }, async (server) =>
      expect((await ask(server, { body })).status).toBe(status),
    ),
  )

  const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x12","latest"]}'
  const FAITHFUL = refused('1', -32602, 'Invalid address: null, empty or invalid hex value.')

  test.each(['/', '/w/one'])('%s ignores a dialect, and answers helpfully with ?faithful=false', (path) =>
    withServer({ faithful: true }, async (server) => {
      const reply = async (query: string) => {
        const { status, text } = await ask(server, { path: `${path}${query}`, body: REQUEST })
        return [status, text]
      }
      expect(await reply('')).toEqual([400, FAITHFUL])
      expect(await reply('?dialect=hardhat')).toEqual([400, FAITHFUL])
      const [status, text] = await reply('?faithful=false')
      expect([status, text]).toEqual([200, expect.stringContaining('params[0] (address)')])
    }),
  )
})
