/** Nodes that ask no remote (--fork-cache-only): real caches, and remotes that would notice a connection. */

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { realHost } from '../../lib/base/host.ts'
import type { Node } from '../../lib/node/node.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { withRemoteChain } from '../support/forked-node.ts'
import type { RemoteChain } from '../support/forked-node.ts'
import { call, freshNode } from '../support/node.ts'
import { withServer } from '../support/server.ts'

let filled: string
let remote: RemoteChain & { readonly url: string }
beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'dev-node-filled-'))
  remote = await learn()
})
afterAll(() => rm(filled, { recursive: true }))

/** A copy of the filled cache. */
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-only-'))
  await cp(filled, folder, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

const KNOWN = `0x${'aa'.repeat(20)}`
const UNKNOWN = `0x${'bb'.repeat(20)}`
/** Hash of a transaction that the remote said it does not have. */
const ABSENT = `0x${'ab'.repeat(32)}`

const transfer = (from: string, to: string) => ({ from, to, value: '0x1', gas: '0x5208' })

async function withNode(
  options: OptionsInput,
  run: (node: Node) => Promise<void>,
  onFault?: (error: Error) => void,
): Promise<void> {
  const node = await freshNode({ forkCache: folder, ...options }, realHost, onFault)
  try {
    await run(node)
  } finally {
    await node.close()
  }
}

/** Fills a cache from a remote that is gone afterwards: two blocks, an account, and a contract with a slot. Returns what the remote was. */
async function learn(): Promise<RemoteChain & { readonly url: string }> {
  const learned: (RemoteChain & { readonly url: string })[] = []
  await withRemoteChain({ network: 'ethereum', frozenTime: 1_700_000_000 }, async (chain) => {
    const url = `http://127.0.0.1:${chain.port}`
    const from = { forkUrl: url, forkCache: filled }
    await withNode({ ...from, forkBlockNumber: BigInt(chain.height) }, async (node) => {
      await call(node, 'eth_getBalance', [KNOWN])
      await call(node, 'eth_getTransactionByHash', [ABSENT])
      await call(node, 'eth_getStorageAt', [chain.tracer, '0x0'])
      await call(node, 'eth_sendTransaction', [transfer(chain.accounts[0]!, KNOWN)])
    })
    await withNode({ ...from, forkBlockNumber: 1n }, async () => undefined)
    learned.push({ ...chain, url })
  })
  return learned[0]!
}

const ADVICE = 'and --fork-cache-only asks no remote: run once with --fork-url and without --fork-cache-only'

describe('a read that the cache lacks names what is missing', () => {
  test.each([
    ['an account', 'eth_getBalance', () => [UNKNOWN], () => `account ${UNKNOWN} at block`],
    ['code', 'eth_getCode', () => [UNKNOWN], () => `account ${UNKNOWN} at block`],
    [
      'a slot',
      'eth_getStorageAt',
      ({ tracer }) => [tracer, '0x63'],
      ({ tracer }) => `eth_getStorageAt(${tracer}, 0x${'63'.padStart(64, '0')}) at block`,
    ],
    ['a proof', 'eth_getProof', () => [KNOWN, []], () => `eth_getProof(${KNOWN}, []) at block`],
    ['a block', 'eth_getBlockByNumber', () => ['0x2', false], () => 'eth_getBlockByNumber(0x2, true)'],
    [
      'a transaction',
      'eth_getTransactionByHash',
      () => [`0x${'12'.repeat(32)}`],
      () => `eth_getTransactionByHash(0x${'12'.repeat(32)})`,
    ],
    [
      'logs',
      'eth_getLogs',
      () => [{ fromBlock: '0x1', toBlock: '0x2' }],
      () => 'eth_getLogs({"fromBlock":"0x1","toBlock":"0x2"})',
    ],
  ] satisfies [string, string, (remote: RemoteChain) => unknown[], (remote: RemoteChain) => string][])(
    '%s',
    async (_name, method, params, expected) => {
      await withNode({ forkBlockNumber: BigInt(remote.height), forkCacheOnly: true }, async (node) => {
        const error: unknown = await call(node, method, params(remote)).catch((reason: unknown) => reason)
        expect(error).toMatchObject({ kind: 'remoteFailed' })
        expect(String(error)).toMatch(/the fork cache lacks (eth_|account )/)
        expect(String(error)).toContain(expected(remote))
        expect(String(error)).toContain(ADVICE)
      })
    },
  )
})

test('what the remote did not have is absent, and is no fact that the cache lacks', async () => {
  const reported: string[] = []
  await withNode(
    { forkBlockNumber: BigInt(remote.height), forkCacheOnly: true },
    async (node) => {
      for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt'])
        expect(await call(node, method, [ABSENT])).toBeNull()
    },
    (error) => void reported.push(String(error)),
  )
  expect(reported).toEqual([])
})

test('the remote hears nothing, although its URL is given, and is known from the run before', async () => {
  await withRemoteChain({ network: 'ethereum' }, (remote) =>
    withFaultProxy(
      () => 'pass',
      async ({ httpUrl: forkUrl, received }) => {
        const fork = { forkUrl, forkBlockNumber: BigInt(remote.height) }
        await withNode(fork, async (node) => void (await call(node, 'eth_getBalance', [KNOWN])))
        const before = received.length
        await withNode({ ...fork, forkCacheOnly: true }, async (node) => {
          expect(await call(node, 'eth_getBalance', [KNOWN])).toBe('0x0')
          await expect(call(node, 'eth_getBalance', [UNKNOWN])).rejects.toThrow('the fork cache lacks')
          await expect(call(node, 'eth_call', [{ to: UNKNOWN, data: '0x01' }])).rejects.toThrow(
            'the fork cache lacks',
          )
        })
        expect([before > 0, received.length]).toEqual([true, before])
      },
      { targetPort: remote.port },
    ),
  )
})

describe('the block', () => {
  const refused = (options: OptionsInput) =>
    expect(freshNode({ forkCache: folder, forkCacheOnly: true, ...options }, realHost)).rejects

  test('is the only one in the cache without a number, also before a transaction', async () => {
    const forkCache = join(folder, 'own')
    const sent: string[] = []
    await withRemoteChain({ network: 'ethereum' }, async (chain) => {
      const { result } = await chain.ask('eth_getBlockByNumber', ['0x3', false])
      sent.push(result.transactions[0])
      const forkUrl = `http://127.0.0.1:${chain.port}`
      await withNode({ forkCache, forkUrl, forkTransaction: sent[0]! }, async () => undefined)
    })
    const only = { forkCache, forkCacheOnly: true }
    await withNode({ ...only, forkTransaction: sent[0]! }, async (node) =>
      expect(await call(node, 'eth_blockNumber')).toBe('0x3'),
    )
    await withNode({ ...only, forkUrl: 'http://127.0.0.1:1' }, async (node) =>
      expect(await call(node, 'eth_blockNumber')).toBe('0x2'),
    )
  })

  test('is an error if several fit, until the number names one', async () => {
    const { height, url } = remote
    await refused({ forkUrl: 'http://127.0.0.1:1' }).toThrow(
      /several such forks: name one with --fork-chain-id and --fork-block-number/,
    )
    await withNode({ forkUrl: url, forkBlockNumber: 1n, forkCacheOnly: true }, async (node) =>
      expect(await call(node, 'eth_blockNumber')).toBe('0x1'),
    )
    await withNode({ forkBlockNumber: height, forkCacheOnly: true }, async (node) =>
      expect(await call(node, 'eth_blockNumber')).toBe(`0x${height.toString(16)}`),
    )
  })

  test.each([
    [{ forkBlockNumber: 7n }, /has no fork of block 7; it is empty/],
    [{ forkChainId: 5n }, /has no fork of chain 5/],
    [
      { forkBlockNumber: 'latest' },
      /the cache does not know the head of the chain; name the block by its number, not as latest/,
    ],
    [{ forkBlockNumber: -5n }, /not as -5/],
  ] as const)('%p is an error in an empty cache', async (options, message) => {
    await refused({ ...options, forkCache: join(folder, 'empty') }).toThrow(message)
  })

  test('has to be named if no URL is', () => {
    expect(() => resolveOptions({ values: { forkCacheOnly: true } })).toThrow(
      'forkCacheOnly needs the block to continue from, as --fork-block-number 20000000',
    )
  })

  test('may be another one for the forks of requests', async () => {
    const { height } = remote
    await withNode({ network: 'ethereum', forkBlockNumber: 1n, forkCacheOnly: true }, async (node) => {
      expect(await call(node, 'eth_blockNumber')).toBe('0x1')
      await call(node, 'hardhat_reset', [{ forking: { blockNumber: height } }])
      expect(await call(node, 'eth_blockNumber')).toBe(`0x${height.toString(16)}`)
      await expect(call(node, 'hardhat_reset', [{ forking: { blockNumber: 77 } }])).rejects.toThrow(
        /has no fork of (chain \d+ of )?block 77/,
      )
      await call(node, 'dev_createWorld', [{ id: 'w', fork: { blockNumber: height } }])
    })
  })

  test.each([
    [{ noForkCache: true }, 'forkCacheOnly and noForkCache exclude each other'],
    [{ forkCache: false }, 'forkCacheOnly and forkCache exclude each other'],
  ] as const)('%p leaves no cache', (options, message) => {
    const values = { forkUrl: 'http://127.0.0.1:1', forkCacheOnly: true, ...options }
    expect(() => resolveOptions({ values })).toThrow(message)
  })
})

describe('what was missing is reported once more at the end', () => {
  test('by a server', async () => {
    const { height } = remote
    const reported: string[] = []
    const options = { forkCache: folder, forkBlockNumber: BigInt(height), forkCacheOnly: true }
    await withServer(
      options,
      async ({ url }) => {
        const ask = (address: string) =>
          fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address] }),
          }).then((response) => response.text())
        for (const address of [UNKNOWN, UNKNOWN, `0x${'cc'.repeat(20)}`]) await ask(address)
      },
      { onFault: (error) => void reported.push(String(error)) },
    )
    expect(reported.join('\n')).toMatch(
      new RegExp(`the fork cache lacked 2 facts, first account ${UNKNOWN} at block ${height}:`),
    )
  })
})
