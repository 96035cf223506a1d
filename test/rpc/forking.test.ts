/** Resets to a remote chain, and worlds that continue one. The remotes are real nodes behind sockets. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { loadContracts } from '../support/contracts.ts'
import { call, refusal } from '../support/node.ts'
import { withNode, withRemote } from '../support/forks.ts'
import type { TestRemote } from '../support/forks.ts'

const RICH = '0x00000000000000000000000000000000000000aa'

const { Storage } = await loadContracts()

/** Call data of store(8), which logs. */
const STORE = `0x6057361d${'8'.padStart(64, '0')}`

const REMOTE = { network: 'ethereum', chainId: 5 } as const
const LOCAL = { network: 'ethereum', forkRetries: 0 } as const

/** Gives the remote blocks; before block n the account RICH gets n wei. */
async function fill(remote: TestRemote, blocks: number): Promise<void> {
  for (let number = 1; number <= blocks; number++) {
    await remote.call('hardhat_setBalance', [RICH, `0x${number.toString(16)}`])
    await remote.call('evm_mine')
  }
}

/** Gives the remote a contract in block 1, a call of it that logs in block 2, and one that fails in block 3. */
async function callContract(remote: TestRemote): Promise<string> {
  const [from] = await remote.call('eth_accounts')
  const send = async (transaction: object) => {
    const hash = await remote.call('eth_sendTransaction', [{ from, gas: '0x80000', ...transaction }])
    return remote.call('eth_getTransactionReceipt', [hash])
  }
  const { contractAddress: to } = await send({ data: `${Storage.bytecode}${'7'.padStart(64, '0')}` })
  expect(await send({ to, data: STORE })).toMatchObject({ blockNumber: '0x2', logs: [{ address: to }] })
  expect(await send({ to, data: '0x12345678' })).toMatchObject({ blockNumber: '0x3', status: '0x0' })
  return to
}

/** Runs a test with a node and a remote of three blocks. */
const withBoth = (run: (node: Node, remote: TestRemote) => Promise<void>, options: OptionsInput = LOCAL) =>
  withRemote(REMOTE, async (remote) => {
    await fill(remote, 3)
    await withNode(options, (node) => run(node, remote))
  })

const head = (node: Node) => call(node, 'eth_getBlockByNumber', ['latest', false])

describe('a reset to a remote chain', () => {
  test.each(['hardhat_reset', 'anvil_reset', 'ganache_reset', 'evm_reset'])(
    'by %s continues it under the rules of the node, and a reset without forking goes back',
    (method) =>
      withBoth(async (node, remote) => {
        const genesis = await head(node)
        await call(node, 'evm_mine')
        await call(node, method, [{ forking: { jsonRpcUrl: remote.url, blockNumber: 2 } }])
        expect(await head(node)).toEqual(await remote.call('eth_getBlockByNumber', ['0x2', false]))
        expect(await call(node, 'eth_getBalance', [RICH, '0x1'])).toBe('0x2')
        expect(await call(node, 'eth_chainId')).toBe('0x7a69')
        await call(node, 'evm_mine')
        expect(await call(node, 'eth_blockNumber')).toBe('0x3')
        const forkedNetwork = { chainId: 5, forkBlockNumber: 2 }
        expect(await call(node, 'hardhat_metadata')).toMatchObject({ forkedNetwork })
        await call(node, method)
        expect(await head(node)).toEqual(genesis)
        expect(await call(node, 'hardhat_metadata')).not.toHaveProperty('forkedNetwork')
        expect(await call(node, 'eth_getBalance', [RICH])).toBe('0x0')
      }),
  )

  test('takes the newest block by default, the same remote without a URL, and hex, negative numbers and tags', () =>
    withBoth(async (node, remote) => {
      await call(node, 'anvil_reset', [{ forking: { jsonRpcUrl: remote.url } }])
      expect(await call(node, 'eth_blockNumber')).toBe('0x3')
      const heights = []
      for (const blockNumber of ['0x1', -1, 'earliest', '3']) {
        await call(node, 'anvil_reset', [{ forking: { blockNumber } }])
        heights.push(await call(node, 'eth_blockNumber'))
      }
      expect(heights).toEqual(['0x1', '0x2', '0x0', '0x3'])
    }))

  test('drops snapshots, returns a forked node to its own block, and tells filters what joined', () =>
    withRemote(REMOTE, async (remote) => {
      await fill(remote, 3)
      await withNode({ forkUrl: remote.url, forkBlockNumber: 1 }, async (node) => {
        const start = await head(node)
        await call(node, 'evm_mine')
        const blocks = await call(node, 'eth_newBlockFilter')
        const logs = await call(node, 'eth_newFilter', [{ fromBlock: '0x0' }])
        const snapshot = await call(node, 'evm_snapshot')
        await call(node, 'hardhat_reset', [{ forking: { jsonRpcUrl: remote.url, blockNumber: 3 } }])
        expect(await call(node, 'evm_revert', [snapshot])).toBe(false)
        expect(await call(node, 'eth_getFilterChanges', [blocks])).toContain((await head(node)).hash)
        expect(await call(node, 'eth_getFilterChanges', [logs])).toEqual([])
        const later = await call(node, 'evm_snapshot')
        await call(node, 'evm_mine')
        expect(await call(node, 'evm_revert', [later])).toBe(true)
        expect(await call(node, 'eth_blockNumber')).toBe('0x3')
        await call(node, 'evm_reset')
        expect(await head(node)).toEqual(start)
        expect(await call(node, 'anvil_nodeInfo')).toMatchObject({
          forkConfig: { forkUrl: remote.url, forkBlockNumber: 1, forkRetryBackoff: 250 },
        })
      })
    }))

  test.each(['ethereum', 'network-33'])(
    'goes on to a block of %s with logs or a failure: filters and subscribers get the logs that follow it',
    (network) =>
      withRemote({ network, returnHashOnRevert: true }, async (remote) => {
        const to = await callContract(remote)
        await withNode({ forkUrl: remote.url, forkBlockNumber: 1, network }, async (node) => {
          const heard: string[] = []
          const subscriber = node.subscriptions.connect((_, event) => heard.push(event.kind))
          for (const kind of ['heads', 'reverts'] as const) subscriber.subscribe({ kind })
          subscriber.subscribe({ kind: 'logs', filter: { addresses: [], topics: [] } })
          subscriber.release()
          const filter = await call(node, 'eth_newFilter', [{ fromBlock: '0x0' }])
          for (const blockNumber of [2, 3])
            await call(node, 'hardhat_reset', [{ forking: { jsonRpcUrl: remote.url, blockNumber } }])
          expect(await call(node, 'eth_blockNumber')).toBe('0x3')
          expect(await call(node, 'eth_getFilterChanges', [filter])).toEqual([])
          expect(heard.filter((kind) => kind === 'logs')).toEqual([])
          const [from] = await call(node, 'eth_accounts')
          await call(node, 'eth_sendTransaction', [{ from, to, gas: '0x80000', data: STORE }])
          expect(await call(node, 'eth_getFilterChanges', [filter])).toHaveLength(1)
          expect(heard.filter((kind) => kind === 'logs')).toHaveLength(1)
          await call(node, 'hardhat_reset')
          expect(await call(node, 'eth_blockNumber')).toBe('0x1')
        })
      }),
  )

  const unreachable = { jsonRpcUrl: 'http://user:secret@127.0.0.1:1/key?token=secret' }

  test.each([
    [
      'an unreachable remote',
      unreachable,
      'remoteFailed',
      'the remote http://127.0.0.1:1 refused the connection',
    ],
    ['a URL of another scheme', { jsonRpcUrl: 'ftp://a:secret@b/' }, 'invalidParams', 'got "ftp://b"'],
    ['a URL that is no text', { jsonRpcUrl: 5 }, 'invalidParams', 'params[0].forking.jsonRpcUrl'],
    ['no URL at all', { blockNumber: 5 }, 'invalidParams', 'expected the URL of the chain to fork'],
    [
      'a wrong block',
      { ...unreachable, blockNumber: 'one' },
      'invalidParams',
      'params[0].forking.blockNumber',
    ],
    ['wrong headers', { ...unreachable, httpHeaders: 'secret' }, 'invalidParams', 'got "..."'],
  ])('is refused for %s, and nothing changes', (_case, forking, kind, message) =>
    withNode(LOCAL, async (node) => {
      await call(node, 'evm_mine')
      const snapshot = await call(node, 'evm_snapshot')
      const before = await head(node)
      const refused = await refusal(node, 'hardhat_reset', [{ forking }])
      expect(refused).toEqual({ kind, message: expect.stringContaining(message) })
      expect(refused.message).not.toContain('secret')
      expect(await head(node)).toEqual(before)
      expect(await call(node, 'evm_revert', [snapshot])).toBe(true)
    }),
  )

  test('is refused for a block that the remote lacks, and for a remote with other rules', () =>
    withBoth(async (node, remote) => {
      const forking = { jsonRpcUrl: remote.url, blockNumber: 9 }
      expect(await refusal(node, 'anvil_reset', [{ forking }])).toEqual({
        kind: 'remoteFailed',
        message: `the remote ${remote.url} has no block 9: its newest block is 3`,
      })
      expect(await call(node, 'eth_blockNumber')).toBe('0x0')
      await withNode({ network: 'network-33' }, async (other) => {
        const { kind, message } = await refusal(other, 'evm_reset', [
          { forking: { ...forking, blockNumber: 1 } },
        ])
        expect(kind).toBe('invalidParams')
        expect(message).toContain('follows the rules of ethereum, this node those of network-33')
        expect(await call(other, 'eth_blockNumber')).toBe('0x0')
      })
    }))

  test('sends the headers, as a list or as an object', async () => {
    const seen: unknown[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers['x-key'])
      response.writeHead(403).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await withNode(LOCAL, async (node) => {
      for (const httpHeaders of [{ 'x-key': 'one' }, ['x-key: two']]) {
        const forking = { jsonRpcUrl: `http://127.0.0.1:${port}`, httpHeaders }
        expect(await refusal(node, 'hardhat_reset', [{ forking }])).toMatchObject({ kind: 'remoteFailed' })
      }
    })
    server.close()
    expect([...new Set(seen)]).toEqual(['one', 'two'])
  })
})

describe('a world with a fork', () => {
  test('has the block and the chain id of its remote; the default chain keeps its own', () =>
    withBoth(async (node, remote) => {
      for (const blockNumber of [1, 2]) {
        const fork = { url: remote.url, blockNumber }
        await call(node, 'dev_createWorld', [{ id: `at-${blockNumber}`, fork }])
      }
      const [one, two] = node.worlds.all.map(({ chain }) => chain)
      expect(await call(one!, 'eth_chainId')).toBe('0x5')
      expect(await call(one!, 'eth_getBalance', [RICH, 'latest'])).toBe('0x2')
      expect(await call(two!, 'eth_getBalance', [RICH, 'latest'])).toBe('0x3')
      const [sender] = await call(one!, 'eth_accounts')
      await call(one!, 'eth_sendTransaction', [{ from: sender, to: RICH, value: '0x5' }])
      expect(await call(one!, 'eth_getBalance', [RICH, 'latest'])).toBe('0x7')
      expect(await call(two!, 'eth_getBalance', [RICH, 'latest'])).toBe('0x3')
      expect(await call(node, 'eth_chainId')).toBe('0x7a69')
      expect(await call(node, 'eth_blockNumber')).toBe('0x0')
    }))

  test('follows the rules of Ethereum on a node of network 33, and its reset goes back to its own block', () =>
    withBoth(
      async (node, remote) => {
        await call(node, 'dev_createWorld', [{ id: 'a', fork: { url: remote.url, blockNumber: 2 } }])
        const [{ chain: world }] = node.worlds.all as any
        await call(world, 'evm_mine')
        expect(await head(world)).toHaveProperty('baseFeePerGas')
        expect(await head(node)).not.toHaveProperty('baseFeePerGas')
        await call(world, 'evm_reset')
        expect(await call(world, 'eth_blockNumber')).toBe('0x2')
      },
      { network: 'network-33' },
    ))

  test('has another chain id and hard fork than its remote if the request names them', () =>
    withBoth(
      async (node, remote) => {
        const fork = { url: remote.url, blockNumber: 2 }
        const own = { id: 'a', fork, chainId: 77, hardfork: 'cancun' }
        expect(await call(node, 'dev_createWorld', [own])).toMatchObject({
          network: 'ethereum',
          hardfork: 'cancun',
          chainId: '0x4d',
          blockNumber: '0x2',
        })
        const [{ chain: world }] = node.worlds.all as any
        const [from] = await call(world, 'eth_accounts')
        const hash = await call(world, 'eth_sendTransaction', [{ from, to: RICH, value: '0x5' }])
        expect(await call(world, 'eth_getTransactionByHash', [hash])).toMatchObject({ chainId: '0x4d' })
        expect(await call(world, 'eth_getBalance', [RICH, 'latest'])).toBe('0x8')
      },
      // They describe the default chain, and no chain of Ethereum has them.
      { network: 'network-33', hardfork: 'next', systemTransaction: true, forkRetries: 0 },
    ))

  test('has the remote of none but its own: a world of another network on a fork begins with a genesis', () =>
    withRemote(REMOTE, async (remote) => {
      await fill(remote, 1)
      await withNode({ forkUrl: remote.url }, async (node) => {
        const made = await call(node, 'dev_createWorld', [{ network: 'network-33' }])
        expect(made).toMatchObject({ chainId: '0x21', blockNumber: '0x0' })
        expect(await call(node, 'dev_createWorld', [{ chainId: 6 }])).toMatchObject({
          chainId: '0x6',
          network: 'ethereum',
          blockNumber: '0x0',
        })
        const [, { chain: world }] = node.worlds.all as any
        expect(await call(world, 'eth_getBalance', [RICH, 'latest'])).toBe('0x0')
        expect((await call(world, 'anvil_nodeInfo')).forkConfig.forkUrl).toBeNull()
      })
    }))

  test.each([
    ['both origins', { from: '0x1', fork: {} }, 'invalidParams', 'expected either from or fork'],
    ['an unknown member', { fork: { uri: 'http://a' } }, 'invalidParams', 'uri'],
    ['no URL', { fork: {} }, 'invalidParams', 'expected the URL of the chain to fork'],
    [
      'an unreachable remote',
      { fork: { url: 'http://127.0.0.1:1' } },
      'remoteFailed',
      'refused the connection',
    ],
  ])('is refused for %s, and is not made', (_case, world, kind, message) =>
    withNode(LOCAL, async (node) => {
      const refused = await refusal(node, 'dev_createWorld', [{ id: 'a', ...world }])
      expect(refused).toEqual({ kind, message: expect.stringContaining(message) })
      expect(node.worlds.size).toBe(0)
    }),
  )

  test('made from the head of a fork continues the same remote, also after the default chain was reset', () =>
    withRemote(REMOTE, async (remote) => {
      await fill(remote, 3)
      await withNode({ forkUrl: remote.url, forkBlockNumber: 2 }, async (node) => {
        await call(node, 'hardhat_reset', [{ forking: { blockNumber: 3 } }])
        await call(node, 'dev_createWorld', [{ id: 'a' }])
        const [{ chain: world }] = node.worlds.all as any
        await call(node, 'hardhat_reset', [{ forking: { blockNumber: 1 } }])
        expect(await call(world, 'eth_getBalance', [RICH, '0x1'])).toBe('0x2')
        expect(await call(world, 'eth_getBalance', [RICH, 'latest'])).toBe('0x3')
        expect(await call(node, 'eth_getBalance', [RICH, 'latest'])).toBe('0x2')
      })
    }))
})
