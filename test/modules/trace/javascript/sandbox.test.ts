/** The time of a tracer in JavaScript, on a node with the real clock: it ends, and the node answers the next request. */

import { expect, test } from '@jest/globals'
import { ask, rpc, withServer } from '../../../support/server.ts'

const PLACE = "    in server-side tracer function '"
const tracer = (body: string): string => `{ fault: function () {}, ${body} }`
const RESULT = 'result: function () { return 1 }'

const LOOPS: readonly (readonly [string, string, string])[] = [
  ['in step', tracer(`step: function () { while (true); }, ${RESULT}`), `${PLACE}step'`],
  [
    'that catches',
    tracer('result: function () { while (true) try { while (true); } catch (e) {} }'),
    `${PLACE}result'`,
  ],
  // Between its instructions, QuickJS could be interrupted; in its own functions only a meter ends a loop.
  [
    'of QuickJS',
    tracer('result: function () { [].includes.call({ length: 2 ** 53 - 1 }, 1) }'),
    `${PLACE}result'`,
  ],
  // A turn of such a loop takes milliseconds.
  [
    'of copies',
    tracer('result: function () { var a = new Uint8Array(2e7); while (true) a.copyWithin(0, 1) }'),
    `${PLACE}result'`,
  ],
  ['in setup', tracer(`setup: function () { while (true); }, ${RESULT}`), ''],
]

test.each(LOOPS)('an endless loop %s ends', (_where, code, place) =>
  withServer({ network: 'ethereum', callTimeout: 20_000 }, async (server) => {
    const answered = async (method: string, params: readonly unknown[]): Promise<unknown> =>
      JSON.parse((await ask(server, { body: rpc(method, params) })).text)
    const trace = (timeout: string) =>
      answered('debug_traceCall', [{ data: '0x00' }, 'latest', { tracer: code, timeout }])
    // Without a loop: it compiles QuickJS, which may take as long as the limit on a busy machine.
    const begin = { tracer: tracer(RESULT) }
    expect(await answered('debug_traceCall', [{ data: '0x00' }, 'latest', begin])).toMatchObject({
      result: 1,
    })
    expect(await trace('400ms')).toMatchObject({
      error: { code: -32000, message: `execution timeout${place}` },
    })
    expect(await answered('eth_blockNumber', [])).toMatchObject({ result: '0x0' })
  }),
)

test('--call-timeout limits a longer timeout', () =>
  withServer({ network: 'ethereum', callTimeout: 300 }, async (server) => {
    const options = { tracer: LOOPS[0]?.[1], timeout: '1h' }
    const { text } = await ask(server, {
      body: rpc('debug_traceCall', [{ data: '0x00' }, 'latest', options]),
    })
    // The time of the call itself may be over first.
    expect(text).toMatch(/execution timeout|execution aborted \(timeout = 300ms\)/)
  }))
