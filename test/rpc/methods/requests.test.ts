import { describe, expect, test } from '@jest/globals'
import { KEPT_FOR_MS, MAX_KEPT, RequestHistory } from '../../../lib/rpc/request-history.ts'
import { dispatcherOf, freshNode } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'

/** A node whose clock the test sets, and a client that sends it requests. */
async function observed() {
  const node = await freshNode({ dialect: 'ethereum' })
  const clock = { ms: 1_700_000_000_000 }
  const now = () => clock.ms
  const history = new RequestHistory({ now, elapsed: now })
  const dispatcher = dispatcherOf(node, { history, now })
  const send = async (method: string, params: readonly unknown[] = [], id: unknown = 1): Promise<any> =>
    JSON.parse((await dispatcher.answer(rpc(method, params, id), 'ethereum'))!).result
  return {
    clock,
    history,
    node,
    send,
    requests: (filter = {}) => send('dev_requests', [filter], 'explorer-1'),
  }
}

describe('dev_requests', () => {
  test('keeps requests from the first call on, with params and outcome', async () => {
    const { send, requests } = await observed()
    await send('eth_chainId')
    expect(await requests()).toEqual({ requests: [], last: 0 })
    await send('eth_getBalance', [`0x${'11'.repeat(20)}`, 'latest'])
    await send('eth_nothing')
    const { requests: kept, last } = await requests()
    expect(last).toBe(2)
    expect(kept).toEqual([
      {
        number: 1,
        time: '2023-11-14T22:13:20.000Z',
        method: 'eth_getBalance',
        world: null,
        durationMs: 0,
        params: { text: `["0x${'11'.repeat(20)}","latest"]`, length: 55 },
        result: { text: '"0x0"', length: 5 },
      },
      expect.objectContaining({
        number: 2,
        error: { code: -32601, message: expect.stringContaining('eth_nothing') },
      }),
    ])
  })

  test('leaves out requests of the page', async () => {
    const { send, requests } = await observed()
    await requests()
    await send('eth_chainId', [], 'explorer-2')
    await send('eth_chainId', [], 'mine')
    expect((await requests()).requests).toHaveLength(1)
  })

  test.each([
    ['personal_importRawKey', [`0x${'00'.repeat(31)}02`, 'my secret']],
    ['personal_unlockAcount', [`0x${'11'.repeat(20)}`, 'my secret']],
    ['personal_unlockAccount', [`0x${'11'.repeat(20)}`, 'my secret']],
  ])('shows no secret of %s', async (method, params) => {
    const { send, requests } = await observed()
    await requests()
    await send(method, params)
    const { requests: kept } = await requests()
    expect(kept).toMatchObject([{ method, params: { text: '"(not shown)"' } }])
    expect(JSON.stringify(kept)).not.toMatch(/my secret|0{31}2/)
  })

  test('filters by number, method and world', async () => {
    const { history, send, requests } = await observed()
    await requests()
    await send('eth_chainId')
    await send('eth_gasPrice')
    history.add({ method: 'eth_chainId', params: [], world: 'one', durationMs: 1 })
    const numbers = async (filter: object) =>
      (await requests(filter)).requests.map(({ number }: { number: number }) => number)
    expect(await numbers({ after: 1 })).toEqual([2, 3])
    expect(await numbers({ method: 'eth_chainId' })).toEqual([1, 3])
    expect(await numbers({ world: 'one' })).toEqual([3])
  })

  test('keeps the newest, with the beginnings of long texts', async () => {
    const { send, requests } = await observed()
    await requests()
    for (let sent = 0; sent < 2 * MAX_KEPT + 5; sent++) await send('web3_sha3', ['0x'])
    await send('web3_sha3', [`0x${'00'.repeat(20_000)}`])
    const { requests: kept, last } = await requests()
    expect([kept.length, kept[0].number, last]).toEqual([MAX_KEPT, MAX_KEPT + 7, 2 * MAX_KEPT + 6])
    const { text, length } = kept.at(-1).params
    expect([text.length, length]).toEqual([20_000, 40_006])
  })

  test('keeps a request whose params are too deep for JSON.stringify', async () => {
    const { history, requests } = await observed()
    await requests()
    const params: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
    history.add({ method: 'eth_call', params, durationMs: 1, error: { code: -32602, message: 'deep' } })
    expect((await requests()).requests.at(-1).params.text).toBe('"nested too deeply to be kept"')
  })

  test('keeps nothing when no client has asked for a while', async () => {
    const { clock, history, send, requests } = await observed()
    await requests()
    await send('eth_chainId')
    clock.ms += KEPT_FOR_MS
    await send('eth_chainId')
    expect(history.keeps(1)).toBe(false)
    expect((await requests()).requests).toEqual([])
  })
})
