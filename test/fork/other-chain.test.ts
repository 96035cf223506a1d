/** Another chain at the URL of a remote: after a restart, or by a wrong --fork-chain-id. */

import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { listForks } from '../../lib/fork/cached-forks.ts'
import { startServer } from '../../lib/server/start.ts'
import { freePort } from '../support/free-port.ts'
import { errorOf } from './support/faulty-fork.ts'
import { askerOf, forkOf, withFork } from '../support/fork-pair.ts'
import type { Ask } from '../support/peer-process.ts'

const RICH = '0x00000000000000000000000000000000000000aa'
const POOR = '0x00000000000000000000000000000000000000bb'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))))
afterEach(() => rm(folder, { recursive: true }))

interface Remote {
  readonly port: number
  readonly url: string
  readonly ask: Ask
  readonly close: () => Promise<void>
}

/** Starts a remote with a chain id and blocks, each with a transfer. */
async function startRemote(
  chainId: number,
  { blocks = 4, port }: { readonly blocks?: number; readonly port?: number } = {},
): Promise<Remote> {
  const free = port ?? Number(await freePort())
  const server = await startServer({ network: 'ethereum', chainId, port: free, frozenTime: true })
  const ask = askerOf(server, new Agent())
  const [from] = await ask('eth_accounts')
  for (let block = 0; block < blocks; block++)
    await ask('eth_sendTransaction', [{ from, to: RICH, value: '0x5', gas: '0x5208' }])
  return { port: server.port, url: server.url, ask, close: server.close }
}

/** The remote of another chain at the port of one that has ended. */
async function restart(remote: Remote, chainId: number, blocks = 4): Promise<Remote> {
  await remote.close()
  return startRemote(chainId, { blocks, port: remote.port })
}

const options = (more: OptionsInput = {}): OptionsInput => ({
  network: 'ethereum',
  forkBlockNumber: 3,
  forkRetries: 0,
  forkCache: folder,
  ...more,
})

const balanceOf = (ask: Ask, address = RICH) => ask('eth_getBalance', [address, 'latest'])

test('a remote that is started again with another chain id is not read by a running fork', async () => {
  let remote = await startRemote(5)
  try {
    await withFork(
      remote.url,
      async ({ ask }) => {
        const head = await ask('eth_getBlockByNumber', ['latest', true])
        remote = await restart(remote, 6)
        const { message } = await errorOf(balanceOf(ask))
        expect(message).toMatch(
          `the remote ${remote.url} no longer has block 3 ${head.hash}: its block 3 is 0x`,
        )
        expect((await errorOf(ask('eth_getBlockByNumber', ['0x2', true]))).message).toBe(message)
        remote = await restart(remote, 6, 2)
        expect((await errorOf(balanceOf(ask))).message).toBe(
          `the remote ${remote.url} no longer has block 3 ${head.hash}: it has no block 3`,
        )
        expect(await ask('eth_getBlockByNumber', ['latest', true])).toEqual(head)
        expect(await ask('eth_chainId')).toBe('0x5')
        remote = await restart(remote, 5)
        expect(await balanceOf(ask)).toBe('0xf')
      },
      options(),
    )
  } finally {
    await remote.close()
  }
})

test('a fork of the other chain has a folder of its own in the cache', async () => {
  let remote = await startRemote(5)
  try {
    await withFork(remote.url, async ({ ask }) => expect(await balanceOf(ask)).toBe('0xf'), options())
    remote = await restart(remote, 6)
    await withFork(remote.url, async ({ ask }) => expect(await ask('eth_chainId')).toBe('0x6'), options())
    const forks = await listForks(folder)
    const names = forks.map((fork) => fork.folder.slice(folder.length + 1).split(/[\\/-]/))
    expect(names.map(([chainId]) => chainId).toSorted()).toEqual(['5', '6'])
    expect(new Set(names.map((name) => name.at(-1))).size).toBe(2)
  } finally {
    await remote.close()
  }
})

/** Starts a fork, and leaves its block and one balance in the cache. */
const warmUp = (url: string) =>
  withFork(url, async ({ ask }) => expect(await balanceOf(ask)).toBe('0xf'), options())

test.each([
  [
    'another chain id than the one in the cache',
    6,
    4,
    { forkChainId: 5 },
    /has chain id 6, not 5 \(--fork-chain-id\)$/,
  ],
  ['fewer blocks than the cache knows', 5, 2, {}, /has no block 3: its newest block is 2$/],
] as const)(
  'a remote that answers with %s is an error at the start',
  async (_case, chainId, blocks, more, text) => {
    let remote = await startRemote(5)
    try {
      await warmUp(remote.url)
      remote = await restart(remote, chainId, blocks)
      const error = await errorOf(forkOf(remote.url, options(more)))
      expect(error).toMatchObject({ kind: 'remoteFailed', message: expect.stringMatching(text) })
      expect(error.message).toContain(remote.url)
    } finally {
      await remote.close()
    }
  },
)

test.each([[{}], [{ forkChainId: 5 }]])(
  'without the remote, a fork with %j starts from the cache, and reads of another chain later fail',
  async (more) => {
    let remote = await startRemote(5)
    await warmUp(remote.url)
    await remote.close()
    await withFork(
      remote.url,
      async ({ ask }) => {
        expect(await balanceOf(ask)).toBe('0xf')
        expect((await errorOf(balanceOf(ask, POOR))).message).toMatch('refused the connection for eth_get')
        remote = await startRemote(6, { port: remote.port })
        try {
          expect((await errorOf(balanceOf(ask, POOR))).message).toMatch('no longer has block 3')
          expect(await balanceOf(ask)).toBe('0xf')
        } finally {
          await remote.close()
        }
      },
      options(more),
    )
  },
)

test('a wrong --fork-chain-id is an error that names both', async () => {
  const remote = await startRemote(5)
  try {
    const { message } = await errorOf(forkOf(remote.url, options({ forkChainId: 7 })))
    expect(message).toBe(`the remote ${remote.url} has chain id 5, not 7 (--fork-chain-id)`)
    expect(await listForks(folder)).toEqual([])
  } finally {
    await remote.close()
  }
})
