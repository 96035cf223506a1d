import { describe, expect, test } from '@jest/globals'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { RemoteClient } from '../../lib/fork/remote-client.ts'
import { remoteSettingsOf } from '../../lib/fork/remote-address.ts'
import type { RemoteSettings } from '../../lib/fork/remote-address.ts'
import { RemoteError } from '../../lib/fork/remote-error.ts'
import { pauseReports } from '../../lib/fork/transport.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { FaultProxy, ProxiedMessage, ProxyFault, ProxyScript } from '../support/fault-proxy.ts'
import { STARTED_AT_MS } from '../support/node.ts'
import { HELD_MS, QuickHost } from './support/quick-host.ts'

interface Talk {
  readonly client: RemoteClient
  readonly host: QuickHost
  readonly proxy: FaultProxy
  /** Sentences for the user. */
  readonly reports: readonly string[]
  /** Numbers of requests in the messages that arrived. */
  readonly sizes: () => readonly number[]
}

/** Runs a test with a client of a node behind a proxy. */
function withClient(
  {
    script = [],
    ...settings
  }: Partial<RemoteSettings> & {
    script?: ProxyScript
  },
  run: (talk: Talk) => Promise<void>,
): Promise<void> {
  return withFaultProxy(script, async (proxy) => {
    const host = new QuickHost()
    const defaults = { url: proxy.httpUrl, headers: [], timeoutMs: HELD_MS, retries: 3, rate: 0, batch: 100 }
    const reports: string[] = []
    const pauses = pauseReports(host, (sentence) => reports.push(sentence))
    const client = new RemoteClient({ ...defaults, ...settings }, host, pauses)
    const sizes = () => proxy.received.map(({ requests }) => requests.length)
    try {
      await run({ client, host, proxy, sizes, reports })
    } finally {
      client.close()
    }
  })
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

/** Asks for the hash of each number, which the remote computes. */
const hashes = (client: RemoteClient, given: readonly number[]) =>
  Promise.all(given.map((number) => client.request('web3_sha3', [data(number)])))

const data = (number: number) => `0x${number.toString(16).padStart(8, '0')}`

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    (result) => Promise.reject(new Error(`answered ${JSON.stringify(result)}`)),
    (error: unknown) => error as any,
  )

/** Resolves when the condition holds; the event loop turns meanwhile. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

const HTML = '<html><body>no service</body></html>'

const RATE_LIMITED = { error: { code: -32005, message: 'limit exceeded' } }

describe('a client', () => {
  test('the requests of a turn go out as batches of up to 100, a single request alone', async () => {
    await withClient({}, async ({ client, proxy, sizes }) => {
      const results = await hashes(client, numbers(250))
      expect(sizes()).toEqual([100, 100, 50])
      expect(new Set(results).size).toBe(250)
      expect(await hashes(client, [7])).toEqual([results[6]])
      expect(proxy.received[3]).toMatchObject({ isBatch: false })
    })
  })

  test('while eight messages are on their way, requests wait and leave together', async () => {
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    await withClient({ script: () => ({ after: held }) }, async ({ client, sizes, proxy }) => {
      const results: Promise<unknown>[] = []
      for (const number of numbers(8)) {
        results.push(hashes(client, [number]))
        while (proxy.received.length < number) await new Promise(setImmediate)
      }
      for (const number of numbers(20, 9)) {
        results.push(hashes(client, [number]))
        await new Promise(setImmediate)
      }
      expect(sizes()).toEqual(Array(8).fill(1))
      answer()
      await Promise.all(results)
      expect(sizes()).toEqual([...Array<number>(8).fill(1), 20])
    })
  })

  test('equal requests at the same time are one, and later ones are sent again', async () => {
    await withClient({}, async ({ client, sizes }) => {
      const results = await hashes(client, [1, 1, 2, 1])
      expect(results[0]).toBe(results[3])
      expect(sizes()).toEqual([2])
      await hashes(client, [1])
      expect(sizes()).toEqual([2, 1])
    })
  })

  test('a remote that refuses a batch is asked one by one from then on', async () => {
    const script: ProxyScript = () => 'refuse batch'
    await withClient({ script }, async ({ client, host, sizes }) => {
      expect(new Set(await hashes(client, numbers(3))).size).toBe(3)
      expect(sizes()).toEqual([3, 1, 1, 1])
      await hashes(client, numbers(2, 10))
      expect(sizes()).toEqual([3, 1, 1, 1, 1, 1])
      expect(host.delaysMs).toEqual([])
    })
  })

  test.each<[string, ProxyFault]>([
    ['a connection that is reset', 'reset'],
    ['a truncated answer', 'truncate'],
    ['a text that is not JSON', 'not JSON'],
    ['a page of a gateway', 'html'],
    ['a JSON-RPC error of a rate limit', RATE_LIMITED],
    ['JSON that is no response', { change: () => ({ status: 'ok' }) }],
  ])('a request is repeated after %s', async (_case, fault) => {
    await withClient({ script: [fault, fault] }, async ({ client, host, proxy }) => {
      expect(await client.request('eth_chainId', [])).toBe('0x21')
      expect(proxy.received).toHaveLength(3)
      expect(host.delaysMs).toHaveLength(2)
    })
  })

  test('a request is repeated after a time-out, and the late answer is ignored', async () => {
    let release = (): void => undefined
    const after = new Promise<void>((resolve) => (release = resolve))
    await withClient({ script: [{ after }] }, async ({ client, host, proxy }) => {
      const asked = client.request('eth_chainId', [])
      await until(() => proxy.received.length === 1)
      host.expire()
      expect(await asked).toBe('0x21')
      release()
      expect(await client.request('net_version', [])).toBe('33')
      expect(host.held).toBe(0)
    })
  })

  test.each<[string, (answers: any[]) => unknown]>([
    ['has no answer in a batch', (answers) => answers.slice(1)],
    ['is answered twice in a batch', (answers) => [answers[0], ...answers]],
    ['is answered under an unknown id', ([first, ...rest]) => [{ ...first, id: 777 }, ...rest]],
  ])('only a request that %s is repeated', async (_case, change) => {
    await withClient({ script: [{ change }] }, async ({ client, proxy }) => {
      const results = await hashes(client, numbers(3))
      expect(new Set(results).size).toBe(3)
      const repeated = proxy.received[1]!.requests.map(({ params }) => params[0])
      expect(repeated).toEqual([data(1)])
    })
  })

  test('answers of a batch in another order reach their requests', async () => {
    const change = (answers: any[]) => answers.toReversed()
    await withClient({ script: [{ change }] }, async ({ client, sizes }) => {
      const results = await hashes(client, numbers(3))
      expect(await hashes(client, [3])).toEqual([results[2]])
      expect(sizes()).toEqual([3, 1])
    })
  })

  test('requests whose answers made a batch too large are asked again in halves', async () => {
    const error = { code: -32003, message: 'response too large' }
    const change = (answers: any[]) => [answers[0], ...answers.slice(1).map(({ id }) => ({ id, error }))]
    await withClient({ script: [{ change }] }, async ({ client, host, sizes }) => {
      expect(new Set(await hashes(client, numbers(8))).size).toBe(8)
      expect(sizes()).toEqual([8, 4, 3])
      expect(host.delaysMs).toEqual([])
    })
  })

  test('a JSON-RPC error is not repeated, and has code, message and data for the caller', async () => {
    const error = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
    await withClient({ script: [{ error }] }, async ({ client, proxy }) => {
      const refused = await refusalOf(client.request('eth_call', [{}, 'latest']))
      expect(refused).toBeInstanceOf(RemoteError)
      expect(refused).toMatchObject({
        kind: 'remoteFailed',
        remote: error,
        details: { data: '0x08c379a0' },
        reason: 'other',
      })
      expect(refused.message).toBe(
        `the remote ${client.shownUrl} answered eth_call with an error: execution reverted: no (code 3)`,
      )
      expect(proxy.received).toHaveLength(1)
    })
  })

  test('an error in a batch fails its own request only', async () => {
    await withClient({}, async ({ client, sizes }) => {
      const refused = refusalOf(client.request('eth_fooBar', []))
      expect(await client.request('eth_chainId', [])).toBe('0x21')
      expect(await refused).toMatchObject({ reason: 'methodNotFound' })
      expect(sizes()).toEqual([2])
    })
  })

  test('the client ends the requests without an answer, and its timers', async () => {
    const script: ProxyScript = ({ index }) => (index === 0 ? RATE_LIMITED : 'silence')
    await withClient({ script }, async ({ client, host, proxy }) => {
      const refused = [refusalOf(client.request('eth_chainId', []))]
      await until(() => host.held === 1 && proxy.received.length === 2)
      refused.push(refusalOf(client.request('net_version', [])))
      client.close()
      const sentence = (method: string) =>
        `the connection to the remote ${client.shownUrl} was closed before ${method} was answered`
      expect(await Promise.all(refused)).toMatchObject([
        { kind: 'remoteFailed', message: sentence('eth_chainId') },
        { kind: 'remoteFailed', message: sentence('net_version') },
      ])
      expect(await refusalOf(client.request('eth_gasPrice', []))).toMatchObject({
        message: sentence('eth_gasPrice'),
      })
      await until(() => host.held === 0)
      expect(proxy.received).toHaveLength(2)
    })
  })

  test('headers go out with the request, also more than one of a name', async () => {
    const headers = ['x-key: one', 'X-Many: 1', 'x-many: 2, 3', 'User-Agent: mine']
    await withClient({ headers }, async ({ client, proxy }) => {
      await client.request('eth_chainId', [])
      expect(proxy.received[0]!.headers).toMatchObject({
        'x-key': 'one',
        'x-many': '1, 2, 3',
        'user-agent': 'mine',
      })
    })
  })

  test('a delay lies between half and the whole of a time that doubles', async () => {
    const script: ProxyScript = () => 'not JSON'
    await withClient({ script, retries: 8 }, async ({ client, host }) => {
      await refusalOf(client.request('eth_chainId', []))
      // The random bytes are 0, 85, 170, 255 and again.
      expect(host.delaysMs).toEqual([125, 333, 833, 2000, 2000, 5333, 8333, 10_000])
    })
  })

  test('no more requests than the rate go out in any second', async () => {
    await withClient({ rate: 10 }, async ({ client, host, sizes }) => {
      await hashes(client, numbers(4))
      await hashes(client, numbers(25, 10))
      expect(sizes()).toEqual([4, 6, 10, 9])
      expect(host.delaysMs).toEqual([1000, 1000])
      expect(host.now()).toBe(STARTED_AT_MS + 2000)
    })
  })
})

describe('over HTTP', () => {
  test.each([429, 500, 502, 503, 504])('a request is repeated after status %i', async (status) => {
    await withClient({ script: [{ status, body: HTML }] }, async ({ client, proxy }) => {
      expect(await client.request('eth_chainId', [])).toBe('0x21')
      expect(proxy.received).toHaveLength(2)
    })
  })

  test.each([
    ['seconds', '7', 7000],
    ['a date', new Date(STARTED_AT_MS + 9000).toUTCString(), 9000],
    ['a date that has passed', new Date(STARTED_AT_MS - 9000).toUTCString(), 0],
    ['a time beyond the longest', '86400', 60_000],
  ])('Retry-After as %s decides when everything is asked again', async (_case, header, delayMs) => {
    const fault = { status: 429, headers: { 'retry-after': header } }
    await withClient({ script: [fault] }, async ({ client, host, proxy, sizes }) => {
      const asked = client.request('eth_chainId', [])
      await until(() => host.delaysMs.length === 1)
      await Promise.all([asked, client.request('net_version', [])])
      expect(host.delaysMs).toEqual([delayMs])
      expect(sizes()[0]).toBe(1)
      expect(proxy.received.at(-1)!.requests.map(({ method }) => method)).toContain('eth_chainId')
    })
  })

  test('the user is told of a pause once for a batch, and without secrets', async () => {
    const fault = { status: 429, headers: { 'retry-after': '7' }, body: 'slow for path-key' }
    await withFaultProxy([fault], async (proxy) => {
      await withClient({ url: `${proxy.httpUrl}/path-key` }, async ({ client, reports }) => {
        await Promise.all(numbers(3).map((number) => client.request('eth_getBlockByNumber', [number, false])))
        expect(reports).toEqual([
          `the remote ${proxy.httpUrl} answered eth_getBlockByNumber with HTTP 429: slow for ***, which --fork-rate <n> avoids; it asks to wait, and is asked again in 7 s`,
        ])
      })
    })
  })

  test('the user is told of each pause, with the number of attempts, but not of a second', async () => {
    const fault = (seconds: number) => ({ status: 503, headers: { 'retry-after': String(seconds) } })
    await withClient({ script: [fault(30), fault(1), fault(90)] }, async ({ client, proxy, reports }) => {
      await client.request('eth_chainId', [])
      const said = `the remote ${proxy.httpUrl} answered eth_chainId with HTTP 503`
      expect(reports).toEqual([
        `${said}; it asks to wait, and is asked again in 30 s`,
        `${said} (3 attempts); it asks to wait, and is asked again in 60 s`,
      ])
    })
  })

  const RATE = '(4 attempts), which --fork-rate <n> avoids'
  const LIMITED = `answered eth_call with an error: limit exceeded (code -32005, ${RATE.slice(1)}`
  const DOWN = { status: 502, body: '{"error":{"message":"down"}}' }
  const MOVED = { status: 301, headers: { location: 'https://node.test/path-key' } }
  const withOtherId = (answer: object) => ({ ...answer, id: 777 })

  test.each<[string, ProxyFault, string]>([
    ['an HTTP status', { status: 503, body: HTML }, 'answered eth_call with HTTP 503 (4 attempts)'],
    [
      'a rate limit',
      { status: 429, body: '{"message":"slow"}' },
      `answered eth_call with HTTP 429: slow ${RATE}`,
    ],
    ['an error of a rate limit', RATE_LIMITED, LIMITED],
    ['a reset connection', 'reset', 'closed the connection before it answered eth_call (4 attempts)'],
    ['a truncated answer', 'truncate', 'broke off its answer to eth_call (4 attempts)'],
    ['a text', 'not JSON', 'answered eth_call with text that is not JSON (4 attempts)'],
    ['another id', { change: withOtherId }, 'answered eth_call under another id (4 attempts)'],
    ['JSON', { change: () => [] }, 'answered eth_call with JSON that is no JSON-RPC response (4 attempts)'],
    [
      'status 401',
      { status: 401, body: 'no project id\n' },
      'answered eth_call with HTTP 401: no project id',
    ],
    [
      'JSON of a gateway',
      { status: 401, body: '{"error":"no key"}' },
      'answered eth_call with HTTP 401: no key',
    ],
    ['JSON of a failing gateway', DOWN, 'answered eth_call with HTTP 502: down (4 attempts)'],
    ['status 404', { status: 404, body: HTML }, 'answered eth_call with HTTP 404'],
    ['a redirection', MOVED, 'answered eth_call with HTTP 301: it redirects to https://node.test'],
  ])('after the last attempt the error names %s', async (_case, fault, sentence) => {
    await withClient({ script: () => fault }, async ({ client, proxy }) => {
      const refused = await refusalOf(client.request('eth_call', [{}, 'latest']))
      expect(refused.message).toBe(`the remote ${proxy.httpUrl} ${sentence}`)
      expect(refused.kind).toBe('remoteFailed')
      expect(proxy.received).toHaveLength(sentence.includes('4 attempts)') ? 4 : 1)
    })
  })

  test('a refused batch in an array is refused too', async () => {
    const error = { code: -32600, message: 'no batches' }
    const script = [{ change: () => [{ jsonrpc: '2.0', id: null, error }] }]
    await withClient({ script }, async ({ client, sizes }) => {
      await hashes(client, numbers(2))
      expect(sizes()).toEqual([2, 1, 1])
    })
  })

  const refusal = (message: string, code = -32600) => ({ jsonrpc: '2.0', error: { code, message } })
  const listed =
    (status: number, message: string): ((sent: ProxiedMessage) => ProxyFault) =>
    ({ requests }) => ({
      status,
      body: JSON.stringify(requests.map(({ id }) => ({ id, ...refusal(message, 31) }))),
    })
  const EXCEEDED = refusal('batch limit exceeded', -32005)
  const FREE_TIER = 'Batch of more than 3 requests are not allowed on free tier'

  test.each<[string, (sent: ProxiedMessage) => ProxyFault, number]>([
    ['a list of errors with status 500', listed(500, FREE_TIER), 3],
    ['a list of errors', listed(200, FREE_TIER), 3],
    ['an error without an id', () => ({ change: () => ({ id: null, ...EXCEEDED }) }), 3],
    ['an error for the first request', () => ({ change: ([{ id }]) => [{ id, ...EXCEEDED }] }), 3],
    ['a text', () => ({ status: 200, body: 'batches are limited to 4 requests' }), 4],
    ['a text with status 500', () => ({ status: 500, body: 'batches are limited to 4 requests' }), 4],
    ['status 413', () => ({ status: 413 }), 3],
  ])('a remote that refuses a batch of ten with %s gets batches of %#', async (_case, refuse, limit) => {
    const script: ProxyScript = (sent) => (sent.requests.length > limit ? refuse(sent) : 'pass')
    await withClient({ script }, async ({ client, host, sizes, reports }) => {
      expect(new Set(await hashes(client, numbers(10))).size).toBe(10)
      expect(sizes()).toEqual(limit === 3 ? [10, 3, 3, 3, 1] : [10, 4, 4, 2])
      await hashes(client, numbers(limit + 1))
      expect(sizes().slice(-2)).toEqual([limit, 1])
      expect([host.delaysMs, reports]).toEqual([[], []])
    })
  })

  test('batches are no longer than the setting', async () => {
    await withClient({ batch: 3 }, async ({ client, sizes }) => {
      await hashes(client, numbers(7))
      expect(sizes()).toEqual([3, 3, 1])
    })
  })

  test.each<[string, ProxyFault]>([
    ['status 429', { status: 429 }],
    ['a text that names no reason', { status: 200, body: 'busy' }],
  ])('%s halves a batch, after a delay, and the user is told once', async (_case, fault) => {
    await withClient({ script: [fault, fault, fault] }, async ({ client, host, sizes, reports }) => {
      expect(new Set(await hashes(client, numbers(8))).size).toBe(8)
      expect(sizes()).toEqual([8, 4, 4, 2, 2, 2, 2])
      expect(host.delaysMs).toHaveLength(3)
      expect(reports).toEqual([expect.stringMatching(/; it gets batches of at most 4 from now on$/)])
    })
  })

  test('that the third attempt has failed is told, and the answer comes with the fourth', async () => {
    const busy = { status: 503 }
    await withClient({ script: [busy, busy, busy] }, async ({ client, reports }) => {
      await hashes(client, [1])
      expect(reports).toEqual([
        expect.stringMatching(/web3_sha3 with HTTP 503 \(3 attempts\); it is asked again in 1 s$/),
      ])
    })
  })

  test('a JSON-RPC error of a rate limit is no refusal of batches', async () => {
    const script = [{ change: () => ({ jsonrpc: '2.0', id: null, error: RATE_LIMITED.error }) }]
    await withClient({ script }, async ({ client, sizes }) => {
      await hashes(client, numbers(2))
      expect(sizes()).toEqual([2, 2])
    })
  })

  test('a revert with a text about batches is an answer', async () => {
    const error = { code: 3, message: 'execution reverted: batch too large' }
    await withClient({ script: [{ error }] }, async ({ client, sizes }) => {
      const refused = await Promise.all([1, 2].map((to) => refusalOf(client.request('eth_call', [{ to }]))))
      expect(refused.map(({ remote }) => remote.code)).toEqual([3, 3])
      expect(sizes()).toEqual([2])
    })
  })

  test.each([400, 500])('a JSON-RPC error with status %i is an answer', async (status) => {
    const script: ProxyScript = ({ requests }) => ({
      status,
      body: JSON.stringify({ id: requests[0]!.id, error: { code: -32602, message: 'bad param' } }),
    })
    await withClient({ script }, async ({ client, proxy }) => {
      const refused = await refusalOf(client.request('eth_call', []))
      expect(refused).toMatchObject({ remote: { code: -32602, message: 'bad param' } })
      expect(proxy.received).toHaveLength(1)
    })
  })

  test('an internal error with status 500 is repeated', async () => {
    const error = { code: -32603, message: 'internal error' }
    const script: ProxyScript = ({ requests, index }) =>
      index > 0 ? 'pass' : { status: 500, body: JSON.stringify({ id: requests[0]!.id, error }) }
    await withClient({ script }, async ({ client }) => {
      expect(await client.request('eth_chainId', [])).toBe('0x21')
    })
  })

  test('a connection that the server closed while it was idle costs no attempt', async () => {
    await withClient({ retries: 0 }, async ({ client, proxy }) => {
      await client.request('eth_chainId', [])
      proxy.closeIdle()
      expect(await client.request('net_version', [])).toBe('33')
    })
  })

  test('1,000 requests that are asked one by one share 16 connections', async () => {
    await withClient({ script: () => 'refuse batch' }, async ({ client, proxy }) => {
      expect(new Set(await hashes(client, numbers(1000))).size).toBe(1000)
      expect(proxy.connections).toBeLessThanOrEqual(16)
    })
  })

  test('a remote that does not speak TLS is an error at once', async () => {
    await withClient({}, async ({ proxy }) => {
      const host = new QuickHost()
      const url = proxy.httpUrl.replace('http:', 'https:')
      const client = new RemoteClient(
        { url, headers: [], timeoutMs: HELD_MS, retries: 3, rate: 0, batch: 100 },
        host,
      )
      const { message } = await refusalOf(client.request('eth_chainId', []))
      expect(message).toMatch(
        /^the remote https:\/\/127\.0\.0\.1:\d+ could not be reached for eth_chainId: E\w+$/,
      )
      client.close()
    })
  })

  test('the URL carries credentials, path and query to the remote, and none of them to the error', async () => {
    const error = (body: string): ProxyFault => ({ status: 403, body })
    const secrets = ['my-name', 'p%40ssword', 'p@ssword', 'path-key', 'query-key', 'header-key']
    const script = [error('[]'), error(secrets.join(' '))]
    await withClient({}, async ({ proxy: { port } }) => {
      await withFaultProxy(
        script,
        async (proxy) => {
          const url = `http://my-name:p%40ssword@127.0.0.1:${proxy.port}/v2/path-key?token=query-key`
          const headers = ['x-auth: Bearer header-key']
          const client = new RemoteClient(
            { url, headers, timeoutMs: HELD_MS, retries: 0, rate: 0, batch: 100 },
            new QuickHost(),
          )
          const shown = `http://127.0.0.1:${proxy.port}`
          expect((await refusalOf(client.request('eth_chainId', []))).message).toMatch(/HTTP 403$/)
          const { message } = await refusalOf(client.request('eth_chainId', []))
          expect(message).toBe(
            `the remote ${shown} answered eth_chainId with HTTP 403: *** *** *** *** *** ***`,
          )
          expect(proxy.received[0]).toMatchObject({
            path: '/v2/path-key?token=query-key',
            headers: {
              'user-agent': 'dev-node',
              'accept-encoding': 'identity',
              authorization: `Basic ${Buffer.from('my-name:p@ssword').toString('base64')}`,
              'x-auth': 'Bearer header-key',
              'content-type': 'application/json',
            },
          })
          client.close()
        },
        { targetPort: port },
      )
    })
  })
})

describe('settings from options', () => {
  test('are those of the command line', () => {
    const flags = {
      'fork-url': 'https://127.0.0.1/key',
      'fork-header': ['a: b', 'c: d'],
      'fork-timeout': '500',
      'fork-retries': '0',
      'fork-rate': '7',
      'fork-batch': '3',
    }
    expect(remoteSettingsOf(resolveOptions({ flags }))[0]).toEqual({
      url: 'https://127.0.0.1/key',
      headers: ['a: b', 'c: d'],
      timeoutMs: 500,
      retries: 0,
      rate: 7,
      batch: 3,
    })
  })
})
