/** Generates exchanges of JSON-RPC texts. */

import type { Choices } from './choices.ts'
import type { Kind, Message } from './exchange.ts'
import { damaged } from './programs.ts'
import { anyRequest, freshId, requestText } from './requests.ts'
import type { Request } from './requests.ts'
import { damagedTransaction } from './transactions.ts'

/** Maximum number of requests in a batch. */
const MAX_BATCH = 60

function message(kind: Kind, requests: readonly Request[], more: Partial<Message> = {}): Message {
  const texts = requests.map(({ text }) => text)
  return {
    kind,
    via: 'http',
    path: '/',
    text: requests.length === 1 && kind !== 'batches' ? texts[0]! : `[${texts.join(',')}]`,
    requests: requests.length,
    ids: requests.flatMap(({ id }) => id ?? []),
    ...more,
  }
}

const some = (choices: Choices, max = MAX_BATCH): readonly Request[] =>
  Array.from({ length: 1 + choices.draw(max) }, () => anyRequest(choices))

/** A call of code, deployed, overridden or as init code; half of the code is damaged. */
function codeRequest(choices: Choices): Request {
  const { codes, addresses } = choices.known
  const chosen = choices.any(codes)
  const code = choices.once(2) ? chosen : damaged(chosen, choices)
  const [from, to] = [addresses[2]!, choices.any(addresses)]
  const gas = choices.any(['0x5208', '0x186a0', '0x7a120', '0x1e8480'])
  const call = { from, to, gas, data: choices.any(codes) }
  const override = { [to]: { code } }
  const [method, params] = choices.weighted<readonly [string, readonly unknown[]]>([
    [4, ['eth_call', [call, 'latest', override]]],
    [2, ['eth_call', [{ from, gas, data: code }, 'latest']]],
    [2, ['eth_sendTransaction', [{ from, gas, data: code }]]],
    [1, ['eth_sendTransaction', [{ from, gas, to, data: choices.any(codes) }]]],
    [1, ['eth_estimateGas', [call, 'latest', override]]],
    [1, ['eth_createAccessList', [call, 'latest', override]]],
    [1, ['debug_traceCall', [call, 'latest', { tracer: 'callTracer', stateOverrides: override }]]],
    [1, ['debug_traceCall', [call, 'latest', { stateOverrides: override, limit: 50 }]]],
    [1, ['trace_transaction', [choices.any(choices.known.hashes)]]],
    [1, ['hardhat_setCode', [to, code]]],
    [
      1,
      [
        'eth_simulateV1',
        [{ blockStateCalls: [{ calls: [call, { from, data: code }], stateOverrides: override }] }],
      ],
    ],
  ])
  const id = freshId(choices)
  return { text: requestText(method, JSON.stringify(params), id), id }
}

function rawRequest(choices: Choices): Request {
  const bytes = choices.any(choices.known.transactions)
  const sent = choices.once(4) ? bytes : damagedTransaction(bytes, choices)
  const id = freshId(choices)
  const method = choices.any([
    'eth_sendRawTransaction',
    'eth_sendRawTransaction',
    'eth_sendRawTransactionSync',
  ])
  const more = method.endsWith('Sync') ? ',10' : ''
  return { text: requestText(method, `["${sent}"${more}]`, id), id }
}

const several = (count: number, make: (choices: Choices) => Request, choices: Choices): readonly Request[] =>
  Array.from({ length: 1 + choices.draw(count) }, () => make(choices))

/** Texts that are no valid JSON-RPC. */
function brokenText(choices: Choices): string {
  const { text } = anyRequest(choices)
  return choices.any<() => string>([
    () => text.slice(0, choices.draw(text.length)),
    () => text + choices.any(['}', ']', ',', '\u0000', text]),
    () => '',
    () => '[]',
    () => `[${choices.any(['1', 'null', '"x"', '[]', `[${text}]`])}]`,
    () => choices.any(['null', '1', '"text"', 'true', '{}', '[[]]', 'NaN', '\ufeff{}', '{"jsonrpc":"2.0"}']),
    () => text.replace('"2.0"', choices.any(['"1.0"', '2', 'null', '{}'])),
    () => text.replace('"method":"', '"method":{"a":"').replace(/$/, '}'),
    () => `{"jsonrpc":"2.0","method":"${'a'.repeat(100_000)}","id":1}`,
    () =>
      `{"jsonrpc":"2.0","method":"__proto__","params":[],"id":${choices.any(['{}', '[]', '1e400', 'true', `"${'i'.repeat(1e5)}"`])}}`,
    () => '['.repeat(choices.any([1000, 100_000])),
    () => `[${'1,'.repeat(choices.any([10, 999, 1500]))}1]`,
  ])()
}

const WORLDS = ['/w/one', '/w/two', '/w/three', '/key/w/one']
const QUERIES = ['', '?dialect=ethereum', '?dialect=hardhat', '?dialect=node33', '?dialect=none', '?x=%ff']

const otherPath = (choices: Choices): string =>
  choices.any([
    choices.any(WORLDS),
    '/',
    '/key',
    choices.any(WORLDS),
    '/w/',
    '/w/%00',
    `/w/${'x'.repeat(200)}`,
  ]) + choices.any(QUERIES)

/** The generators of messages, by kind. */
export const MESSAGES: Partial<Readonly<Record<Kind, (choices: Choices) => Message>>> = {
  'single requests': (choices) => message('single requests', [anyRequest(choices)]),
  batches: (choices) => message('batches', some(choices)),
  'byte code': (choices) => message('byte code', several(8, codeRequest, choices)),
  'raw transactions': (choices) => message('raw transactions', several(16, rawRequest, choices)),
  'worlds and dialects': (choices) => {
    const path = otherPath(choices)
    const isRefused = !/^\/(key)?(\/?w\/\w{1,20})?(\?dialect=(ethereum|hardhat|node33))?$/.test(path)
    if (!isRefused) return message('worlds and dialects', some(choices, 8), { path, mayBeRefused: true })
    const requests = [...some(choices, 8), anyRequest(choices)].filter(({ id }) => id !== undefined)
    const honest = { text: requestText('eth_chainId', undefined, '0'), id: '0' }
    return message('worlds and dialects', [...requests, honest], { path, ids: undefined })
  },
  WebSocket: (choices) => message('WebSocket', some(choices, choices.any([1, 1, 30])), { via: 'websocket' }),
  'local socket': (choices) =>
    message('local socket', some(choices, choices.any([1, 1, 30])), { via: 'ipc' }),
  'broken JSON-RPC': (choices) => ({
    ...message('broken JSON-RPC', []),
    text: brokenText(choices),
    requests: 1,
    ids: undefined,
  }),
}
