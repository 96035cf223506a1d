/** Batches and URLs of a node with --faithful (node-rpc 2). The replay of the recorded sessions tests envelopes and HTTP statuses. */

import { expect, test } from '@jest/globals'
import { faithfulNode } from '../../../support/faithful.ts'
import { ask, withServer } from '../../../support/server.ts'

const CHAIN_ID = '"method":"eth_chainId","params":[]'
const asked = (id: string) => `{"jsonrpc":"2.0","id":${id},${CHAIN_ID}}`
const answered = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":"0x21"}`
const refused = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`
const batch = (...items: readonly string[]) => `[${items.join(',')}]`

const TOO_LONG =
  '{"error":{"code":-32600,"message":"Cannot dispatch batch requests. 50 is the max number of supported batch requests"}}'

test.each([
  ['a batch of a notification', batch(`{"jsonrpc":"2.0",${CHAIN_ID}}`), '[null]'],
  ['a batch in a batch', batch(batch(asked('1')), asked('2')), batch(batch(answered('1')), answered('2'))],
  ['a batch of 50', batch(...Array(50).fill(asked('1'))), batch(...Array(50).fill(answered('1')))],
  ['a batch of 51', batch(...Array(51).fill(asked('1'))), TOO_LONG],
])('the response to %s', async (_, body, expected) => {
  const { post } = await faithfulNode()
  expect(await post(body)).toBe(expected)
})

test('a method of this node alone stays, with its help', async () => {
  const { ask: askNode } = await faithfulNode()
  expect(await askNode('dev_worlds')).toEqual([])
  expect(await askNode('dev_worlds', 1)).toMatchObject({ message: expect.stringContaining('params[0]') })
})

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
