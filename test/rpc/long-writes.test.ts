/**
 * Transactions that last: reads are answered from the head before them, other writes wait, and a node that is closed abandons them.
 * A test that passes only when an execution ends would never end: the loops have gas for years.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { RunningServer } from '../../lib/server/start.ts'
import { ask, rpc, withServer } from '../support/server.ts'

/** Code that runs for ever: a jump back. */
const LOOP = '0x5b600056'

const MUCH_GAS = 2n ** 50n
const OPTIONS = {
  network: 'ethereum',
  hardfork: 'prague',
  callGasLimit: MUCH_GAS,
  blockGasLimit: MUCH_GAS,
  baseFee: '8',
  noArtifacts: true,
} as const
const LOOPING = '0x7986b3df570230288501eea3d890bd66948c9b79'
const ENDLESS = '0x3000000000000'
/** Gas of a loop of some hundred milliseconds. */
const LONG = '0x5f5e100'

const TIMEOUT = { code: -32000, message: 'execution aborted (timeout = 1s)' }

interface Answered {
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

/** A chain with a contract that loops. */
async function onLoop(
  run: (chain: {
    readonly server: RunningServer
    readonly rpcOf: (method: string, params?: readonly unknown[], path?: string) => Promise<Answered>
    readonly accounts: readonly string[]
    readonly notices: readonly string[]
  }) => Promise<void>,
  options: object = {},
): Promise<readonly string[]> {
  const notices: string[] = []
  const onNotice = (sentence: string): void => void notices.push(sentence)
  await withServer(
    { ...OPTIONS, ...options },
    async (server) => {
      const rpcOf = async (method: string, params: readonly unknown[] = [], path = '/') =>
        JSON.parse((await ask(server, { path, body: rpc(method, params) })).text) as Answered
      await rpcOf('hardhat_setCode', [LOOPING, LOOP])
      const { result: accounts } = await rpcOf('eth_accounts')
      await run({ server, rpcOf, accounts, notices })
    },
    { onNotice },
  )
  return notices
}

const loop = (from: string, gas = ENDLESS) => ({ from, to: LOOPING, gas, gasPrice: '0x10' })

/** A request whose connection the node closes. */
const cut = (request: Promise<unknown>): Promise<string> => request.then(String, () => 'cut')

/** Requests that execute a pooled transaction which never ends, or send one. */
const WRITES: readonly (readonly [method: string, params: (from: string) => readonly unknown[]])[] = [
  ['evm_mine', () => []],
  ['evm_mine', () => [{ blocks: 3 }]],
  ['hardhat_mine', () => ['0x400']],
  ['evm_mine_detailed', () => []],
  ['evm_setAutomine', () => [true]],
  ['hardhat_setIntervalMining', () => [1]],
  ['miner_start', () => []],
  ['dev_advanceAll', () => ['0x1', { mine: true }]],
]

describe('a transaction that never ends', () => {
  test.each([
    ['eth_sendTransaction', (from: string) => [loop(from)]],
    ['eth_sendUnsignedTransaction', (from: string) => [loop(from)]],
    ['eth_sendTransactionSync', (from: string) => [loop(from), 1]],
  ] as const)('lets reads in when %s mines it, and ends with the node', async (method, params) => {
    const sent: Promise<string>[] = []
    const notices = await onLoop(async ({ rpcOf, accounts: [from, to] }) => {
      sent.push(cut(rpcOf(method, params(from!))))
      while ((await rpcOf('txpool_status')).result.pending !== '0x1');
      expect(await rpcOf('eth_blockNumber')).toMatchObject({ result: '0x0' })
      expect(await rpcOf('eth_getTransactionCount', [from, 'latest'])).toMatchObject({ result: '0x0' })
      expect(await rpcOf('eth_estimateGas', [{ from: to, to: from }, 'latest'])).toMatchObject({
        result: '0x5208',
      })
    })
    expect(await Promise.all(sent)).toEqual(['cut'])
    expect(notices.at(-1)).toMatch(
      /^transaction 0x\w{64} from 0x\w{40} to 0x7986\w+ in block 1, with \d+ gas so far, was abandoned, because the node was closed$/,
    )
  })

  test.each(WRITES)('lets reads in when %s mines it, and ends with the node', async (method, params) => {
    const sent: Promise<string>[] = []
    const notices = await onLoop(
      async ({ rpcOf, accounts: [from] }) => {
        await rpcOf('eth_sendTransaction', [loop(from!)])
        let isOver = false
        sent.push(cut(rpcOf(method, params(from!))).finally(() => (isOver = true)))
        // A write that is queued behind it shows that it has begun.
        sent.push(cut(rpcOf('evm_snapshot')))
        for (let turn = 0; turn < 10; turn++)
          expect(await rpcOf('eth_blockNumber')).toMatchObject({ result: '0x0' })
        expect(isOver).toBe(method === 'hardhat_setIntervalMining')
      },
      { noMining: true },
    )
    await Promise.all(sent)
    expect(notices.at(-1)).toMatch(/was abandoned, because the node was closed$/)
  })

  test('does not stop the other chains of the node', () =>
    onLoop(async ({ rpcOf, accounts: [from, to] }) => {
      void cut(rpcOf('eth_sendTransaction', [loop(from!)]))
      while ((await rpcOf('txpool_status')).result.pending !== '0x1');
      const transfer = { from, to, value: '0x1' }
      expect(await rpcOf('eth_sendTransaction', [transfer], '/w/other')).toMatchObject({
        result: expect.stringMatching(/^0x\w{64}$/),
      })
      expect(await rpcOf('eth_blockNumber', [], '/w/other')).toMatchObject({ result: '0x1' })
      expect(await rpcOf('eth_blockNumber')).toMatchObject({ result: '0x0' })
    }))

  test('in a world ends with the world', () =>
    onLoop(async ({ rpcOf, accounts: [from], notices }) => {
      void cut(rpcOf('eth_sendTransaction', [loop(from!)], '/w/one'))
      while ((await rpcOf('txpool_status', [], '/w/one')).result.pending !== '0x1');
      expect(await rpcOf('dev_deleteWorld', ['one'])).toMatchObject({ result: true })
      while (notices.length === 0) await rpcOf('eth_blockNumber')
      expect(notices.at(-1)).toMatch(/was abandoned/)
    }))

  test('is not in the state file of the node that abandons it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-node-long-'))
    try {
      const options = { state: join(folder, 'chain.state') }
      await onLoop(async ({ rpcOf, accounts: [from, to] }) => {
        await rpcOf('eth_sendTransaction', [{ from, to, value: '0x1' }])
        void cut(rpcOf('eth_sendTransaction', [loop(from!)]))
        while ((await rpcOf('txpool_status')).result.pending !== '0x1');
      }, options)
      await withServer({ ...OPTIONS, ...options }, async (server) => {
        const answerOf = async (method: string) =>
          JSON.parse((await ask(server, { body: rpc(method) })).text) as Answered
        expect(await answerOf('eth_blockNumber')).toMatchObject({ result: '0x1' })
        expect(await answerOf('txpool_status')).toMatchObject({ result: { pending: '0x0', queued: '0x0' } })
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a transaction that lasts', () => {
  test('is mined before the writes that came after it', () =>
    onLoop(async ({ rpcOf, accounts: [from, to] }) => {
      const ended: string[] = []
      const first = rpcOf('eth_sendTransaction', [loop(from!, LONG)]).finally(() => ended.push('first'))
      // A fast machine can end it before a read sees it.
      while (ended.length === 0 && (await rpcOf('txpool_status')).result.pending !== '0x1');
      const second = rpcOf('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
      const { result: failed } = await first
      const { result: hash } = await second
      const { result: snapshot } = await rpcOf('evm_snapshot')
      expect(await rpcOf('eth_getTransactionReceipt', [failed])).toMatchObject({
        result: { blockNumber: '0x1', status: '0x0', gasUsed: LONG },
      })
      expect(await rpcOf('eth_getTransactionReceipt', [hash])).toMatchObject({
        result: { blockNumber: '0x2', status: '0x1' },
      })
      await rpcOf('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
      expect(await rpcOf('evm_revert', [snapshot])).toMatchObject({ result: true })
      expect(await rpcOf('eth_blockNumber')).toMatchObject({ result: '0x2' })
      expect(await rpcOf('eth_getTransactionCount', [from, 'pending'])).toMatchObject({ result: '0x2' })
    }))

  test('is mined by the timer of blocks, between two of its blocks', () =>
    onLoop(
      async ({ rpcOf, accounts: [from] }) => {
        await rpcOf('eth_sendTransaction', [loop(from!, LONG)])
        await rpcOf('hardhat_setIntervalMining', [5])
        while ((await rpcOf('txpool_status')).result.pending !== '0x0');
        const { result: count } = await rpcOf('eth_getBlockTransactionCountByNumber', ['0x1'])
        expect(count).toBe('0x1')
        while ((await rpcOf('eth_blockNumber')).result === '0x1');
        const { result: next } = await rpcOf('eth_getBlockByNumber', ['0x2', false])
        const { result: first } = await rpcOf('eth_getBlockByNumber', ['0x1', false])
        expect(next.parentHash).toBe(first.hash)
      },
      { noMining: true },
    ))

  test('is replaced by anvil_reorg', () =>
    onLoop(async ({ rpcOf, accounts: [from, to] }) => {
      await rpcOf('eth_sendTransaction', [{ from, to, value: '0x1' }])
      const reorganized = rpcOf('anvil_reorg', [1, [[loop(from!, LONG), 0]]])
      expect(await reorganized).toMatchObject({ result: null })
      const { result: block } = await rpcOf('eth_getBlockByNumber', ['latest', true])
      expect(block).toMatchObject({ number: '0x1', transactions: [{ to: LOOPING }] })
    }))
})

describe('the pending block of a pool that lasts', () => {
  test.each<readonly [string, (from: string) => readonly unknown[]]>([
    ['eth_getBlockByNumber', () => ['pending', false]],
    ['eth_getLogs', () => [{ toBlock: 'pending' }]],
    ['debug_traceCall', (from) => [{ from, to: from }, 'pending', { tracer: 'callTracer' }]],
    // Writes, which reads do not wait for.
    ['eth_sendTransaction', (from) => [{ from, to: from }]],
    ['eth_getWork', () => []],
    ['eth_getFilterChanges', () => ['0x1']],
    ['eth_getFilterLogs', () => ['0x1']],
  ])('ends %s after the time of a call', (method, params) =>
    onLoop(
      async ({ rpcOf, accounts: [from, other] }) => {
        await rpcOf('eth_newFilter', [{ toBlock: 'pending' }])
        await rpcOf('eth_sendTransaction', [loop(from!)])
        let isOver = false
        const long = rpcOf(method, params(other!)).finally(() => (isOver = true))
        expect(await rpcOf('eth_blockNumber')).toMatchObject({ result: '0x0' })
        expect(isOver).toBe(false)
        expect(await long).toMatchObject({ error: TIMEOUT })
      },
      { noMining: true, callTimeout: 1000 },
    ),
  )

  test('is that of the time of the request, and made once for all who ask', () =>
    onLoop(
      async ({ rpcOf, accounts: [from, to] }) => {
        await rpcOf('eth_sendTransaction', [loop(from!, LONG)])
        const asked = [1, 2, 3].map(() => rpcOf('eth_getBlockByNumber', ['pending', false]))
        await rpcOf('eth_blockNumber')
        await rpcOf('eth_sendTransaction', [{ from: to, to: from, gas: '0x5208', gasPrice: '0x10' }])
        for (const { result } of await Promise.all(asked)) expect(result.transactions).toHaveLength(1)
        const { result: later } = await rpcOf('eth_getBlockByNumber', ['pending', false])
        expect(later.transactions).toHaveLength(2)
      },
      { noMining: true, callTimeout: 0, frozenTime: false },
    ))
})

describe('an estimate that lasts', () => {
  test.each(['eth_sendTransaction', 'eth_fillTransaction', 'eth_signTransaction'])(
    'lets others in when it is part of %s',
    (method) =>
      onLoop(
        async ({ rpcOf, accounts: [from] }) => {
          let isOver = false
          const long = rpcOf(method, [{ from, data: LOOP }]).finally(() => (isOver = true))
          expect(await rpcOf('eth_blockNumber')).toMatchObject({ result: '0x0' })
          expect(isOver).toBe(false)
          expect(await long).toMatchObject({ error: TIMEOUT })
        },
        { callTimeout: 1000 },
      ),
  )

  test('undoes an anvil_reorg', () =>
    onLoop(
      async ({ rpcOf, accounts: [from] }) => {
        await rpcOf('evm_mine')
        const { result: before } = await rpcOf('eth_getBlockByNumber', ['latest', false])
        expect(await rpcOf('anvil_reorg', [1, [[{ from, data: LOOP }, 0]]])).toMatchObject({ error: TIMEOUT })
        expect(await rpcOf('eth_getBlockByNumber', ['latest', false])).toMatchObject({ result: before })
      },
      { callTimeout: 1000 },
    ))
})
