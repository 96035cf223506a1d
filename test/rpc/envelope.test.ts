/** JSON-RPC 2.0 to the letter, over HTTP. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { ownParams } from '../../lib/rpc/envelope.ts'
import { HOSTILE } from '../support/hostile.ts'
import { ask, withServer } from '../support/server.ts'

const CHAIN_ID = '"method":"eth_chainId","params":[]'
const asked = (id: string) => `{"jsonrpc":"2.0","id":${id},${CHAIN_ID}}`
const answered = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":"0x21"}`
const notification = `{"jsonrpc":"2.0",${CHAIN_ID}}`
const refused = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`

/** Runs a test with a node. `send` posts a body, and returns the response body if there is one. */
const withNode = (
  options: OptionsInput,
  run: (send: (body: string) => Promise<string | undefined>) => Promise<void>,
) =>
  withServer(options, (server) =>
    run(async (body) => {
      const { status, text } = await ask(server, { body })
      expect(status).toBe(text === '' ? 204 : 200)
      return text === '' ? undefined : text
    }),
  )

test.each(['1', '0', '1.5', '9007199254740991', '""', '"1"', '"a \\"quoted\\" id"', '"\\ud800"', 'null'])(
  'echoes the id %s unchanged',
  (id) => withNode({}, async (send) => expect(await send(asked(id))).toBe(answered(id))),
)

test.each([
  ['true', 'true'],
  ['a list', '[1]'],
  ['an object', '{"a":1}'],
  ['infinite', '1e999'],
  ['rounded by JSON', '12345678901234567890'],
])('refuses an id that is %s', (_, id) =>
  withNode({}, async (send) =>
    expect(await send(asked(id))).toBe(
      refused('null', -32600, 'invalid request: id must be a string, a number of at most 53 bits, or null'),
    ),
  ),
)

const withMember = (member: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_chainId', ...member })

test.each([
  ['no jsonrpc', `{"id":7,${CHAIN_ID}}`, '7', 'jsonrpc must be "2.0"'],
  ['another jsonrpc', `{"jsonrpc":"1.0","id":"x",${CHAIN_ID}}`, '"x"', 'jsonrpc must be "2.0"'],
  ['jsonrpc as a number', withMember({ jsonrpc: 2 }), '7', 'jsonrpc must be "2.0"'],
  ['no method', '{"jsonrpc":"2.0","id":7}', '7', 'method must be a string'],
  ['a method that is null', withMember({ method: null }), '7', 'method must be a string'],
  ['a method that is a list', withMember({ method: ['eth_chainId'] }), '7', 'method must be a string'],
  ['params as text', withMember({ params: 'x' }), '7', 'params must be an array or an object'],
  ['params as a number', withMember({ params: 0 }), '7', 'params must be an array or an object'],
  ['a text', '"eth_chainId"', 'null', 'expected an object'],
  ['a number', '1', 'null', 'expected an object'],
  ['null', 'null', 'null', 'expected an object'],
  ['an empty batch', '[]', 'null', 'empty batch'],
  ['members of a prototype', '{"__proto__":{"jsonrpc":"2.0"},"id":3}', '3', 'jsonrpc must be "2.0"'],
])('refuses %s', (_, body, id, reason) =>
  withNode({}, async (send) =>
    expect(await send(body)).toBe(refused(id, -32600, `invalid request: ${reason}`)),
  ),
)

test.each([
  ['nothing', ''],
  ['a cut-off request', asked('1').slice(0, -1)],
  ['two requests in a row', asked('1') + asked('2')],
  ['a trailing comma', `[${asked('1')},]`],
  ['single quotes', "{'jsonrpc':'2.0'}"],
  ['a byte order mark', `\ufeff${asked('1')}`],
  ['a bare NaN', '{"jsonrpc":"2.0","id":NaN}'],
  ['a zero byte', '\u0000'],
  ['lists that are never closed', '['.repeat(10_000)],
])('cannot parse %s', (_, body) =>
  withNode({}, async (send) => {
    const { id, error } = JSON.parse((await send(body))!)
    expect(id).toBeNull()
    expect(error).toEqual({ code: -32700, message: expect.stringMatching(/^JSON parse error: /) })
  }),
)

const ABSENT = ['eth_nothing', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'eth_chainid']
const ALTERED = [' eth_chainId', 'eth_chainId\n', 'db_putString', 'eth_getCompilers', 'shh_version', '']

test.each([...ABSENT, ...ALTERED])('refuses the unknown method %j', (method) =>
  withNode({}, async (send) => {
    const message = `the method ${method || '""'} does not exist/is not available`
    expect(await send(withMember({ id: 'a', method }))).toBe(refused('"a"', -32601, message))
  }),
)

test('shortens the name of an unknown method', () =>
  withNode({}, async (send) => {
    const method = `eth_${'x'.repeat(100_000)}`
    const answer = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method }))
    expect(answer!.length).toBeLessThan(300)
  }))

test('takes params by position, by name, and no params', () =>
  withNode({}, async (send) => {
    const [address, block] = ['0x7986b3df570230288501eea3d890bd66948c9b79', 'latest']
    for (const params of [[address, block], { block, address }, { address }])
      expect(await send(withMember({ method: 'eth_getBalance', params }))).toContain(
        '0xc9f2c9cd04674edea40000000',
      )
    for (const member of [{}, { params: {} }]) expect(await send(withMember(member))).toBe(answered('7'))
  }))

test('responds to each element of a batch in order', () =>
  withNode({}, async (send) => {
    const batch = [
      asked('3'),
      '1',
      asked('"a"'),
      '{"jsonrpc":"2.0","id":9}',
      asked('null'),
      `[${asked('4')}]`,
    ]
    const invalid = (id: string, reason: string) => refused(id, -32600, `invalid request: ${reason}`)
    const [noObject, noMethod] = [
      invalid('null', 'expected an object'),
      invalid('9', 'method must be a string'),
    ]
    const answers = [answered('3'), noObject, answered('"a"'), noMethod, answered('null'), noObject]
    expect(await send(`[${batch.join(',')}]`)).toBe(`[${answers.join(',')}]`)
  }))

const noSuchParam = 'params.adress: unexpected, eth_getBalance has no such param'

test.each([
  ['null for no params, as geth does', withMember({ params: null }), answered('7')],
  [
    'a param by an unknown name',
    withMember({ method: 'eth_getBalance', params: { adress: '0x' } }),
    refused('7', -32602, noSuchParam),
  ],
  ['a batch of one', `[${asked('1')}]`, `[${answered('1')}]`],
  ['a repeated id', `[${asked('1')},${asked('1')}]`, `[${answered('1')},${answered('1')}]`],
])('answers %s', (_, body, answer) => withNode({}, async (send) => expect(await send(body)).toBe(answer)))

test('sends no response to a notification', () =>
  withNode({}, async (send) => {
    expect(await send(notification)).toBeUndefined()
    expect(await send(`[${notification},${notification}]`)).toBeUndefined()
    expect(await send('{"jsonrpc":"2.0","method":"eth_nothing"}')).toBeUndefined()
    expect(await send(`[${notification},${asked('5')},${notification}]`)).toBe(`[${answered('5')}]`)
  }))

test('runs the method of a notification', () =>
  withNode({}, async (send) => {
    await send('{"jsonrpc":"2.0","method":"evm_mine"}')
    const answer = await send('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}')
    expect(answer).toBe('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  }))

test('counts the elements of a batch before it runs any', () =>
  withNode({ batchLimit: 2 }, async (send) => {
    const mine = '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}'
    expect(await send(`[${mine},${mine},${mine}]`)).toBe(
      refused('null', -32600, 'invalid request: batch of 3 exceeds the limit of 2'),
    )
    expect(await send(`[${asked('1')},{"jsonrpc":"2.0","id":2,"method":"eth_blockNumber"}]`)).toBe(
      `[${answered('1')},{"jsonrpc":"2.0","id":2,"result":"0x0"}]`,
    )
  }))

test('refuses a response beyond the byte limit, with the id', () =>
  withNode({ answerLimit: 40 }, async (send) => {
    const exactly = answered('1')
    expect(exactly.length).toBe(40)
    expect(await send(asked('1'))).toBe(exactly)
    expect(await send(asked('12'))).toBe(refused('12', -32012, 'response exceeds the limit of 40 bytes'))
    // Three bytes each in UTF-8, one character each for JavaScript.
    expect(await send(asked('"\u20ac"'))).toBe(
      refused('"\u20ac"', -32012, 'response exceeds the limit of 40 bytes'),
    )
  }))

test('stops a batch whose response grows beyond the limit', () =>
  withNode({ answerLimit: 200 }, async (send) => {
    const mine = '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}'
    const answer = await send(`[${Array.from({ length: 20 }, () => mine).join(',')}]`)
    expect(answer).toBe(refused('null', -32012, 'response exceeds the limit of 200 bytes'))
    const height = await send('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}')
    expect(height).toBe('{"jsonrpc":"2.0","id":1,"result":"0x6"}')
  }))

test.each(HOSTILE)('survives %s in any member of the envelope', (_, json) =>
  withNode({}, async (send) => {
    const bodies = [
      json,
      `[${json}]`,
      `{"jsonrpc":${json},"id":1,${CHAIN_ID}}`,
      asked(json),
      `{"jsonrpc":"2.0","id":1,"method":${json}}`,
      `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${json}}`,
    ]
    for (const body of bodies) {
      const answer = [JSON.parse((await send(body))!)].flat()
      for (const { jsonrpc, error } of answer) {
        expect(jsonrpc).toBe('2.0')
        if (error !== undefined) expect([-32600, -32601, -32602]).toContain(error.code)
      }
    }
    expect(await send(asked('1'))).toBe(answered('1'))
  }),
)

describe('params of the same process', () => {
  const value = fc.anything({ withNullPrototype: true, withDate: true, withSparseArray: true, maxDepth: 6 })

  test('are the copies that JSON makes', () => {
    fc.assert(
      fc.property(fc.oneof(value, fc.jsonValue()), (params) => {
        fc.pre(params !== undefined)
        expect(ownParams('eth_call', params)).toStrictEqual(JSON.parse(JSON.stringify(params)))
      }),
    )
  })

  test('keep nothing of the objects that were given', () => {
    const given = [{ data: '0x00', accessList: [{ address: '0x01', storageKeys: ['0x02'] }] }]
    const own = ownParams('eth_call', given)
    given[0]!.accessList[0]!.storageKeys[0] = '0x03'
    expect(own).toEqual([{ data: '0x00', accessList: [{ address: '0x01', storageKeys: ['0x02'] }] }])
  })
})
