/** Forks of several remotes: nodes of the same chain, some of which fail, end, or have another chain. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { outputOf } from '../cli/command-output.ts'
import { errorOf } from './support/faulty-fork.ts'
import type { ProxyFault } from '../support/fault-proxy.ts'
import { askerOf, withFork } from '../support/fork-pair.ts'
import { HELD_MS, QuickHost } from './support/quick-host.ts'
import { ask as post, rpc, withServer } from '../support/server.ts'
import {
  RICH,
  RICH_ACCOUNTS,
  RICH_BALANCE,
  URL_KEY,
  withOtherChain,
  withRemotes,
} from './support/several-remotes.ts'

describe('a fork', () => {
  test('starts although one of its remotes is away, and says so', () =>
    withRemotes(2, async ({ remotes, urls }) => {
      remotes[0]!.fault = () => 'reset'
      const { printed } = await outputOf(
        ['--fork-url', urls[0]!, '--fork-url', urls[1]!, '--no-fork-cache'],
        [],
      )
      const [away, present] = remotes.map(({ proxy }) => proxy.httpUrl)
      expect(printed).toMatch(new RegExp(`fork +${away}, ${present}, chain id 31337\n`))
      expect(printed).toContain(
        `dev-node: the remote ${away} closed the connection before it answered eth_chainId; it is used when it answers (see: npx dev-node help DN-REMOTE)\n`,
      )
      expect(printed).not.toContain(URL_KEY)
    }))

  test('of another chain id than the option names uses the remote that has it', () =>
    withRemotes(1, ({ urls, remotes }) =>
      withOtherChain(5, async (other) => {
        await withFork(
          [other.url, ...urls],
          async ({ ask }) => expect(await ask('eth_getBalance', [RICH])).toBe(RICH_BALANCE),
          { forkChainId: 31_337, forkRetries: 0 },
        )
        expect(remotes[0]!.asked()).toContain('eth_getBalance')
        expect(other.asked()).not.toContain('eth_getBalance')
      }),
    ))

  test('by a reset or a world has the remotes that the request names', () =>
    withRemotes(2, ({ remotes, urls }) =>
      withServer(
        { network: 'ethereum', noForkCache: true },
        async (server) => {
          const ask = askerOf(server)
          remotes[0]!.fault = () => 'reset'
          await ask('hardhat_reset', [{ forking: { jsonRpcUrl: urls } }])
          expect(await ask('eth_getBalance', [RICH])).toBe(RICH_BALANCE)
          expect((await ask('hardhat_metadata')).forkedNetwork).toBeDefined()
          await ask('dev_createWorld', [{ id: 'two', fork: { url: urls } }])
          const { text } = await post(server, { path: '/w/two', body: rpc('eth_getBalance', [RICH]) })
          expect(JSON.parse(text).result).toBe(RICH_BALANCE)
        },
        { onFault: () => undefined },
      ),
    ))

  test.each([
    ['the same URL twice', ['http://one.test/secret-key', 'http://one.test/secret-key']],
    ['no URL in the list', []],
    ['something else in the list', ['http://one.test/secret-key', 'secret-key']],
  ])('by a request with %s is refused, and the error has no key', (_case, url) =>
    withServer({}, async (server) => {
      const error = await errorOf(askerOf(server)('dev_createWorld', [{ fork: { url } }]))
      expect(error.message).toContain(
        'params[0].fork.url (world): expected a URL with http:// or https://, or several different ones, got [',
      )
      expect(JSON.stringify(error)).not.toContain('secret-key')
    }),
  )
})

/** Answers as of another chain at the URL: it does not know the hash of the block. */
const SWAPPED: ProxyFault = {
  change: (answer, { requests }) => {
    const swap = (one: any, index: number) => {
      const { method, params } = requests[index]!
      if (method === 'eth_chainId') return { ...one, result: '0x5' }
      if (method === 'eth_getBlockByNumber')
        return { ...one, result: { ...one.result, hash: `0x${'ee'.repeat(32)}` } }
      const isByHash = typeof params.at(-1) === 'object'
      const { id } = one
      return isByHash ? { id, error: { code: -32001, message: 'unknown block' } } : { id, result: '0x63' }
    }
    return Array.isArray(answer) ? answer.map(swap) : swap(answer, 0)
  },
}

const FAULTS: readonly ProxyFault[] = [
  ...Array<ProxyFault>(8).fill('pass'),
  'reset',
  'truncate',
  'html',
  { status: 429 },
  { status: 503 },
  { error: { code: -32000, message: 'missing trie node' } },
  { error: { code: -32601, message: 'method not found' } },
  // From now on the remote takes blocks by their number only.
  { error: { code: -32602, message: 'invalid argument' } },
  SWAPPED,
]

test('no sequence of faults leads to an answer of another chain', () =>
  withRemotes(2, ({ remotes, urls }) =>
    withOtherChain(31_337, async (other) => {
      const all = [...remotes, other]
      let [asks, answers] = [0, 0]
      const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(FAULTS.length - 1)), { minLength: 10, maxLength: 30 })
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          for (const remote of all) remote.fault = () => 'pass'
          const host = new QuickHost()
          // The first one decides on the chain.
          await withFork(
            [urls[0]!, other.url, urls[1]!],
            async ({ ask }) => {
              for (const [index, [which, fault]] of given.entries()) {
                all[which]!.fault = () => FAULTS[fault]!
                host.schedule(20_000, () => undefined)
                await new Promise((resolve) => setImmediate(resolve))
                const answer = await ask('eth_getBalance', [RICH_ACCOUNTS[index]!, '0xc']).catch(
                  (error: unknown) => error,
                )
                asks++
                if (answer === RICH_BALANCE) answers++
                expect(answer instanceof Error ? (answer as any).kind : answer).toBe(
                  answer instanceof Error ? 'remoteFailed' : RICH_BALANCE,
                )
              }
            },
            { forkRetries: 1, forkTimeout: HELD_MS },
            host,
          )
          const asked = other.proxy.received.flatMap(({ requests }) => requests.map(({ method }) => method))
          expect(new Set(asked)).toEqual(new Set(['eth_getBlockByNumber', 'eth_chainId']))
        }),
        { numRuns: 60 },
      )
      expect(answers).toBeGreaterThan(asks / 4)
    }),
  ))
