import { ZERO_HASH } from '../../lib/chain/header.ts'
import { describe, expect, test } from '@jest/globals'
import type { ForkedBlock } from '../../lib/fork/cached-forks.ts'
import type { RemoteClient } from '../../lib/fork/remote-client.ts'
import { UnansweredError } from '../../lib/fork/remote-error.ts'
import { RemoteSet } from '../../lib/fork/remote-set.ts'
import type { ProxyFault } from '../support/fault-proxy.ts'
import { errorOf } from './support/faulty-fork.ts'
import { HELD_MS, QuickHost } from './support/quick-host.ts'
import {
  HEIGHT,
  RICH,
  RICH_BALANCE,
  URL_KEY,
  withOtherChain,
  withRemotes,
} from './support/several-remotes.ts'
import type { Remote, Remotes } from './support/several-remotes.ts'

interface Talk extends Remotes {
  readonly host: QuickHost
  readonly set: RemoteSet
  /** Sentences for the user. */
  readonly reports: readonly string[]
  /** Asks the best remote for the balance of an account at a block. */
  readonly balance: (block?: number) => Promise<unknown>
  readonly use: (method: string, params: readonly unknown[]) => Promise<unknown>
}

interface Settings {
  readonly retries?: number
  readonly rate?: number
  /** URLs in place of those of the remotes. */
  readonly urls?: readonly string[]
}

const talkTo = async (remotes: Remotes, settings: Settings, run: (talk: Talk) => Promise<void>) => {
  const { urls = remotes.urls, retries = 0, rate = 0 } = settings
  const host = new QuickHost()
  const reports: string[] = []
  const limits = { headers: [], timeoutMs: HELD_MS, retries, rate, batch: 100 }
  const set = new RemoteSet(
    urls.map((url) => ({ url, ...limits })),
    host,
    (sentence) => reports.push(sentence),
  )
  const use = (method: string, params: readonly unknown[]) =>
    set.of(remotes.chain).use({ method, params }, (client) => client.request(method, params))
  const balance = (number = HEIGHT) =>
    set
      .of(remotes.chain)
      .use(
        { method: 'eth_getBalance', params: [], block: { number: BigInt(number), hash: ZERO_HASH } },
        (client) => client.request('eth_getBalance', [RICH, `0x${number.toString(16)}`]),
      )
  try {
    await run({ ...remotes, host, set, reports, balance, use })
  } finally {
    set.close()
  }
}

/** Runs a test with so many remotes and a client of them. */
const withSet = (count: number, settings: Settings, run: (talk: Talk) => Promise<void>) =>
  withRemotes(count, (remotes) => talkTo(remotes, settings, run))

/** The remotes have shown that they have the chain, and what they were asked is forgotten. */
async function settle({ set, chain, remotes, balance }: Talk): Promise<readonly Remote[]> {
  await set.find(findBlock(chain))
  await balance()
  await untilQuiet(remotes)
  for (const remote of remotes) remote.asked()
  return remotes
}

const findBlock = (chain: ForkedBlock) => async (client: RemoteClient) => {
  await client.request('eth_blockNumber', [])
  return chain
}

/** Resolves when no remote was asked for some turns of the event loop. */
async function untilQuiet(remotes: readonly Remote[]): Promise<void> {
  const count = () => remotes.reduce((sum, { proxy }) => sum + proxy.received.length, 0)
  for (let quiet = 0, last = -1; quiet < 50; quiet++) {
    if (count() !== last) quiet = 0
    last = count()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const PROOF = ['eth_getBlockByNumber', 'eth_chainId']

const FAULTS: readonly (readonly [string, ProxyFault, RegExp])[] = [
  ['closes the connection', 'reset', /closed the connection before it answered/],
  ['breaks off its answer', 'truncate', /broke off its answer/],
  ['answers a page', 'html', /not JSON/],
  ['answers HTTP 503', { status: 503 }, /HTTP 503/],
  ['answers HTTP 401', { status: 401, body: 'no key' }, /HTTP 401: no key/],
  ['answers HTTP 429', { status: 429, headers: { 'retry-after': '7' } }, /HTTP 429/],
  ['limits the rate', { error: { code: -32005, message: 'limit exceeded' } }, /limit exceeded/],
  ['lacks the method', { error: { code: -32601, message: 'method not found' } }, /method not found/],
  ['has dropped the state', { error: { code: -32000, message: 'missing trie node' } }, /keeps no state/],
  ['has an error of its own', { error: { code: -32603, message: 'upstream down' } }, /upstream down/],
]

describe('a request', () => {
  test.each(FAULTS)('is answered by the next remote if the first one %s', (_case, fault) =>
    withSet(2, {}, async (talk) => {
      const [first, second] = await settle(talk)
      first!.fault = () => fault
      expect(await talk.balance()).toBe(RICH_BALANCE)
      // A kept connection that is closed at the first byte is opened again.
      expect(new Set(first!.asked())).toEqual(new Set(['eth_getBalance']))
      expect(second!.asked()).toEqual(['eth_getBalance'])
      expect(talk.host.delaysMs).toEqual([])
    }),
  )

  test.each(FAULTS)(
    'of which every remote %s fails with an error that names each of them',
    (_case, fault, said) =>
      withSet(3, {}, async (talk) => {
        for (const remote of await settle(talk)) remote.fault = () => fault
        const error = await errorOf(talk.balance())
        expect(error).toMatchObject({ kind: 'remoteFailed' })
        expect(error.message).toMatch(/^none of the remotes can be used: /)
        for (const { proxy } of talk.remotes) expect(error.message).toContain(`the remote ${proxy.httpUrl} `)
        expect(error.message.match(new RegExp(said, 'g'))).toHaveLength(3)
        expect(JSON.stringify([error, error.message, error.stack])).not.toContain(URL_KEY)
      }),
  )

  test.each([
    ['a revert', { code: 3, message: 'execution reverted: header not found', data: '0x01' }],
    ['a failed execution', { code: -32000, message: 'VM Exception while processing transaction' }],
  ])('whose answer is %s is not repeated', (_case, error) =>
    withSet(2, { retries: 3 }, async (talk) => {
      const [first, second] = await settle(talk)
      first!.fault = () => ({ error })
      expect(await errorOf(talk.use('eth_call', [{}, 'latest']))).toMatchObject({ remote: error })
      expect([first!.asked(), second!.asked()]).toEqual([['eth_call'], []])
    }),
  )

  test('is repeated while every remote is away, as often as a single one', () =>
    withSet(2, { retries: 3 }, async (talk) => {
      for (const remote of await settle(talk)) remote.fault = () => ({ status: 502 })
      expect(await errorOf(talk.balance())).toBeInstanceOf(UnansweredError)
      expect(talk.remotes.map((remote) => remote.asked().length)).toEqual([4, 4])
      expect(talk.host.delaysMs).toHaveLength(3)
    }))
})

describe('a remote', () => {
  test('that named a time is not asked before it', () =>
    withSet(2, {}, async (talk) => {
      const [first, second] = await settle(talk)
      first!.fault = () => ({ status: 429, headers: { 'retry-after': '20' } })
      await talk.balance()
      first!.fault = () => 'pass'
      for (let index = 0; index < 5; index++) await talk.balance()
      expect([first!.asked().length, second!.asked().length]).toEqual([1, 6])
      second!.fault = () => 'reset'
      expect((await errorOf(talk.balance())).message).toMatch(/HTTP 429.*closed the connection/)
      expect(first!.asked()).toEqual([])
      talk.host.schedule(20_000, () => undefined)
      await untilQuiet(talk.remotes)
      expect(await talk.balance()).toBe(RICH_BALANCE)
      expect(first!.asked()).toContain('eth_getBalance')
    }))

  test('of which all ask to wait is asked again, and the user is told once for requests that wait together', () =>
    withSet(2, { retries: 1 }, async (talk) => {
      const remotes = await settle(talk)
      let isSlow = true
      for (const remote of remotes)
        remote.fault = () => (isSlow ? { status: 429, headers: { 'retry-after': '20' } } : 'pass')
      const asked = [talk.balance(), talk.balance(8)]
      while (talk.host.delaysMs.length < 2) await new Promise(setImmediate)
      isSlow = false
      expect((await Promise.all(asked))[0]).toBe(RICH_BALANCE)
      expect(talk.reports).toEqual([
        expect.stringMatching(
          /^none of the remotes can be used: the remote .* with HTTP 429, which .*; the remote .* with HTTP 429, which .*; they are asked again in 20 s$/,
        ),
      ])
    }))

  test('without the state of a block is asked about newer blocks only', () =>
    withSet(2, {}, async (talk) => {
      const [first, second] = await settle(talk)
      const isOld = (params: readonly unknown[]) => Number(params[1]) <= 8
      first!.fault = ({ requests }) =>
        isOld(requests[0]!.params) ? { error: { code: -32000, message: 'missing trie node' } } : 'pass'
      await talk.balance(8)
      expect([first!.asked(), second!.asked()]).toEqual([['eth_getBalance'], ['eth_getBalance']])
      await talk.balance(5)
      expect([first!.asked(), second!.asked()]).toEqual([[], ['eth_getBalance']])
      await talk.balance(9)
      expect([first!.asked(), second!.asked()]).toEqual([['eth_getBalance'], []])
    }))

  test('without a method is asked for others only', () =>
    withSet(2, {}, async (talk) => {
      const [first, second] = await settle(talk)
      first!.fault = ({ requests }) =>
        requests[0]!.method === 'web3_sha3' ? { error: { code: -32601, message: 'not found' } } : 'pass'
      for (let index = 0; index < 3; index++) await talk.use('web3_sha3', ['0x00'])
      await talk.balance()
      expect(first!.asked()).toEqual(['web3_sha3', 'eth_getBalance'])
      expect(second!.asked()).toEqual(['web3_sha3', 'web3_sha3', 'web3_sha3'])
    }))

  test('whose rate is used up leaves requests to the next one', () =>
    withSet(2, { rate: 10 }, async (talk) => {
      const [first, second] = await settle(talk)
      const numbers = Array.from({ length: 14 }, (_, index) => index)
      await Promise.all(numbers.map((number) => talk.use('web3_sha3', [`0x0${number.toString(16)}`])))
      expect(first!.asked().length).toBeLessThanOrEqual(10)
      expect(second!.asked().length).toBeGreaterThan(0)
      expect(talk.host.delaysMs).toEqual([])
    }))

  test('that is slow is left for a fast one', () =>
    withSet(2, {}, async (talk) => {
      const [slow, fast] = await settle(talk)
      slow!.fault = () => {
        talk.host.schedule(500, () => undefined)
        return 'pass'
      }
      for (let index = 0; index < 20; index++) {
        await talk.balance()
        await untilQuiet(talk.remotes)
      }
      expect(fast!.asked().length).toBeGreaterThanOrEqual(15)
    }))

  test('that was not used for long is measured again, and no request waits for it', () =>
    withSet(2, {}, async (talk) => {
      const [first, second] = await settle(talk)
      talk.host.schedule(40_000, () => undefined)
      await untilQuiet(talk.remotes)
      second!.fault = () => 'silence'
      expect(await talk.balance()).toBe(RICH_BALANCE)
      await untilQuiet(talk.remotes)
      expect(second!.asked()).toEqual(PROOF)
      expect(first!.asked()).toContain('eth_getBalance')
    }))
})

describe('the chain', () => {
  test('is asked of each remote before anything else', () =>
    withSet(2, {}, async (talk) => {
      await talk.set.find(findBlock(talk.chain))
      await talk.balance()
      await untilQuiet(talk.remotes)
      // The first one has found the block.
      expect(talk.remotes[0]!.asked()).toEqual(['eth_blockNumber', 'eth_getBalance'])
      expect(talk.remotes[1]!.asked()).toEqual(PROOF)
    }))

  test('a single remote is not asked for it', () =>
    withSet(1, {}, async (talk) => {
      await talk.set.find(findBlock(talk.chain))
      await talk.balance()
      expect(talk.remotes[0]!.asked()).toEqual(['eth_blockNumber', 'eth_getBalance'])
    }))

  test.each([
    ['id', 5, /^the remote \S+ has chain id 5, not 31337; it is not used$/],
    [
      'genesis',
      31_337,
      /^the remote \S+ no longer has block 12 0x\w+: its block 12 is 0x\w+; it is not used$/,
    ],
  ])('a remote with another %s is not used, and reported once', (_case, chainId, sentence) =>
    withRemotes(1, (remotes) =>
      withOtherChain(chainId, (other) =>
        talkTo(remotes, { urls: [...remotes.urls, other.url] }, async (talk) => {
          const [first] = await settle(talk)
          first!.fault = () => 'reset'
          for (let index = 0; index < 3; index++) await errorOf(talk.balance())
          talk.host.schedule(100_000, () => undefined)
          await untilQuiet(talk.remotes)
          await errorOf(talk.balance())
          await untilQuiet([other])
          expect(talk.reports).toEqual([expect.stringMatching(sentence)])
          expect(talk.reports[0]).toContain(other.proxy.httpUrl)
          expect(talk.reports[0]).not.toContain(URL_KEY)
          expect(other.asked()).not.toContain('eth_getBalance')
        }),
      ),
    ),
  )

  test.each(FAULTS)('a remote that %s is asked for it once in a while', (_case, fault) =>
    withSet(2, {}, async (talk) => {
      talk.remotes[1]!.fault = () => fault
      await settle(talk)
      for (let index = 0; index < 5; index++) await talk.balance()
      await untilQuiet(talk.remotes)
      expect(talk.remotes[1]!.asked()).toEqual([])
    }),
  )

  test('a remote that has not reached the block is used when it has', () =>
    withSet(2, {}, async (talk) => {
      const [first, second] = talk.remotes
      const isBlock = (method: string) => method === 'eth_getBlockByNumber'
      second!.fault = ({ requests }) => ({
        change: (answers) =>
          [answers]
            .flat()
            .map((answer, index) =>
              isBlock(requests[index]!.method) ? { ...answer, result: null } : answer,
            ),
      })
      await settle(talk)
      first!.fault = () => 'reset'
      expect((await errorOf(talk.balance())).message).toMatch(/it has no block 12/)
      expect(second!.asked()).not.toContain('eth_getBalance')
      second!.fault = () => 'pass'
      talk.host.schedule(5000, () => undefined)
      await untilQuiet(talk.remotes)
      expect(await talk.balance()).toBe(RICH_BALANCE)
      expect(talk.reports).toEqual([])
    }))
})

describe('the search of the block', () => {
  test('is made by the next remote if the first one is away, which is reported and used later', () =>
    withSet(2, {}, async (talk) => {
      const [first, second] = talk.remotes
      first!.fault = () => 'reset'
      await talk.set.find(findBlock(talk.chain))
      expect(second!.asked()).toEqual(['eth_blockNumber'])
      expect(talk.reports).toEqual([
        `the remote ${first!.proxy.httpUrl} closed the connection before it answered eth_blockNumber; it is used when it answers`,
      ])
      first!.fault = () => 'pass'
      talk.host.schedule(10_000, () => undefined)
      await untilQuiet(talk.remotes)
      await talk.balance()
      await untilQuiet(talk.remotes)
      second!.fault = () => 'reset'
      expect(await talk.balance()).toBe(RICH_BALANCE)
    }))

  test.each([[1], [2]])('is not repeated on demand, with %i remotes', (count) =>
    withSet(count, { retries: 3 }, async (talk) => {
      for (const remote of talk.remotes) remote.fault = () => 'reset'
      expect(await errorOf(talk.set.find(findBlock(talk.chain), 0))).toBeInstanceOf(UnansweredError)
      expect(talk.remotes.map((remote) => remote.asked().length)).toEqual(Array(count).fill(1))
    }),
  )
})
