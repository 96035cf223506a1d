/** Answers of a wrong form from one remote: the next one answers, and the cache gets none of them. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { errorOf } from './support/faulty-fork.ts'
import type { ProxyFault } from '../support/fault-proxy.ts'
import { withFork } from '../support/fork-pair.ts'
import { HELD_MS, QuickHost } from './support/quick-host.ts'
import { HEIGHT, RICH, RICH_BALANCE, withRemotes } from './support/several-remotes.ts'
import type { Remotes } from './support/several-remotes.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'dev-node-forms-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The result of one method is this value. */
const junk = (wrong: string, result: unknown): ProxyFault => ({
  change: (answer, { requests }) => {
    const spoil = (one: any, index: number) =>
      requests[index]!.method === wrong ? { jsonrpc: '2.0', id: one.id, result } : one
    return Array.isArray(answer) ? answer.map(spoil) : spoil(answer, 0)
  },
})

/** Runs a test with two remotes whose chain has a transaction. */
const withTransaction = (run: (remotes: Remotes & { readonly hash: string }) => Promise<void>) =>
  withRemotes(2, async (remotes) => {
    const [from] = await remotes.ask('eth_accounts')
    const hash = await remotes.ask('eth_sendTransaction', [{ from, to: RICH, value: '0x1' }])
    // A fork loads its newest block at the start.
    await remotes.ask('evm_mine')
    await run({ ...remotes, hash })
  })

const host = () => new QuickHost()
const options = () => ({ forkRetries: 3, forkTimeout: HELD_MS, forkCache: folder })

const SLOT = '0x5'
const AT_HEIGHT = `0x${HEIGHT.toString(16)}`
const ROWS: readonly (readonly [string, unknown, string, (hash: string) => unknown[]])[] = [
  ['eth_getBalance', 'junk', 'eth_getBalance', () => [RICH]],
  ['eth_getTransactionCount', null, 'eth_getTransactionCount', () => [RICH]],
  ['eth_getCode', '0x123', 'eth_getCode', () => [RICH]],
  ['eth_getStorageAt', {}, 'eth_getStorageAt', () => [RICH, SLOT]],
  ['eth_getProof', { nonce: '0x0' }, 'eth_getProof', () => [RICH, [], AT_HEIGHT]],
  ['eth_getLogs', [1], 'eth_getLogs', () => [{ fromBlock: '0x1', toBlock: '0x5' }]],
  ['eth_getTransactionByHash', 7, 'eth_getTransactionByHash', (hash) => [hash]],
  ['eth_getBlockReceipts', [[]], 'eth_getTransactionReceipt', (hash) => [hash]],
]

test.each(ROWS)('%s that answers %j is asked of the next remote', (wrong, result, method, params) =>
  withTransaction(({ remotes, urls, ask: askRemote, hash }) =>
    withFork(
      urls,
      async ({ ask }) => {
        for (const remote of remotes) remote.asked()
        remotes[0]!.fault = () => junk(wrong, result)
        // The other one fails first, so that the wrong answer comes in any case.
        let isAway = true
        remotes[1]!.fault = () => {
          const fault = isAway ? 'reset' : 'pass'
          isAway = false
          return fault
        }
        expect(await ask(method, params(hash))).toEqual(await askRemote(method, params(hash)))
        expect(remotes[0]!.asked()).toContain(wrong)
      },
      options(),
      host(),
    ),
  ),
)

describe('of a single remote', () => {
  test('does not stay in the cache after a start that failed', () =>
    withRemotes(1, async ({ remotes, urls }) => {
      const start = () =>
        withFork(
          urls,
          async ({ ask }) => expect(await ask('eth_getBalance', [RICH])).toBe(RICH_BALANCE),
          { ...options(), forkBlockNumber: HEIGHT },
          host(),
        )
      remotes[0]!.fault = () => ({
        change: (answer) =>
          [answer]
            .flat()
            .map((one: any) =>
              one.result?.stateRoot ? { ...one, result: { ...one.result, stateRoot: 1 } } : one,
            ),
      })
      expect((await errorOf(start())).message).toMatch(
        /^the remote's block: stateRoot: expected a 32-byte hash/,
      )
      remotes[0]!.fault = () => 'pass'
      await start()
    }))
})

test('a start uses the remote whose block has the form', () =>
  withRemotes(2, ({ remotes, urls }) => {
    remotes[0]!.fault = () => junk('eth_getBlockByNumber', { number: '0xc', hash: `0x${'11'.repeat(32)}` })
    return withFork(
      urls,
      async ({ ask }) => expect(await ask('eth_getBalance', [RICH])).toBe(RICH_BALANCE),
      options(),
      host(),
    )
  }))
