/** A remote that answers nothing in the middle of a request: the request fails in time, and succeeds when the remote answers. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { toWord } from '../../lib/base/hex.ts'
import type { Host } from '../../lib/base/host.ts'
import { nextTurn, realHost } from '../../lib/base/host.ts'
import { words } from '../support/bytecode.ts'
import type { ProxiedMessage } from '../support/fault-proxy.ts'
import { errorOf, SECRET, SENDER, snapshotOf, withFaultyFork } from './support/faulty-fork.ts'
import { withFork } from '../support/fork-pair.ts'
import type { FaultyFork } from './support/faulty-fork.ts'

/** Milliseconds: far above an answer of the remote, far below the patience of a test. */
const TIMEOUT_MS = 300

/** Milliseconds between two blocks of interval mining. */
const INTERVAL_MS = 20

const OPTIONS = { forkTimeout: TIMEOUT_MS }

const withSlowRemote = (
  run: (fork: FaultyFork) => Promise<void>,
  options: Parameters<typeof withFaultyFork>[1] = {},
) => withFaultyFork(run, { host: realHost, ...options, options: { ...OPTIONS, ...options.options } })

const asks =
  (...methods: readonly string[]) =>
  ({ requests }: ProxiedMessage): boolean =>
    requests.some(({ method }) => methods.includes(method))

const STRANGER = `0x${'5a'.repeat(20)}`

/** Sends tokens of the remote, which reads and writes slots and logs. */
function transfer({ world: { contracts, senders } }: FaultyFork, value = 5n) {
  const { abi, address } = contracts['GameToken']!
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [STRANGER, value] })
  return { from: senders[0]!, to: address, data, gas: '0x30d40' }
}

async function pool(fork: FaultyFork): Promise<void> {
  await fork.ask('evm_setAutomine', [false])
  await fork.ask('eth_sendTransaction', [
    { from: SENDER, to: SENDER, value: '0x1', gas: '0x5208', gasPrice: '0x3b9aca07' },
  ])
  await fork.ask('eth_sendTransaction', [{ ...transfer(fork), gasPrice: '0x3b9aca07' }])
}

/** The transaction of the remote that added liquidity. */
async function remoteTransaction({ remote, world }: FaultyFork): Promise<string> {
  for (let number = Number(await remote('eth_blockNumber')); number > 0; number--) {
    const block = await remote('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
    const found = block.transactions.find(
      ({ to }: { to: string | null }) => to === world.contracts['SwapPair']!.address,
    )
    if (found !== undefined) return found.hash
  }
  throw new Error('the remote has no such transaction')
}

/** A request that needs the remote in its middle. */
interface Row {
  readonly name: string
  /** The methods to which the remote answers nothing. */
  readonly silent: readonly string[]
  /** Prepares the request, once the remote answers. */
  readonly prepare: (fork: FaultyFork) => Promise<() => Promise<any>>
  /** Whether the request changes something. */
  readonly isWrite?: boolean
}

const ROWS: readonly Row[] = [
  {
    name: 'a call at a slot',
    silent: ['eth_getStorageAt'],
    prepare: async (fork) => () => fork.ask('eth_call', [transfer(fork), 'latest']),
  },
  {
    name: 'a call at an account',
    silent: ['eth_getCode'],
    prepare: async ({ ask, world }) => {
      const data = words([world.codes.echo])
      await ask('eth_getCode', [SENDER, 'latest'])
      return () => ask('eth_call', [{ from: SENDER, to: world.codes.forward, data }, 'latest'])
    },
  },
  {
    name: 'evm_mine of several transactions',
    silent: ['eth_getStorageAt'],
    isWrite: true,
    prepare: async (fork) => {
      await pool(fork)
      return () => fork.ask('evm_mine')
    },
  },
  {
    name: 'eth_estimateGas',
    silent: ['eth_getStorageAt'],
    prepare: async (fork) => () => fork.ask('eth_estimateGas', [transfer(fork)]),
  },
  {
    name: 'eth_createAccessList',
    silent: ['eth_getStorageAt'],
    prepare: async (fork) => () => fork.ask('eth_createAccessList', [transfer(fork), 'latest']),
  },
  {
    name: 'a trace of a remote transaction',
    silent: ['eth_getStorageAt'],
    prepare: async (fork) => {
      const hash = await remoteTransaction(fork)
      return () => fork.ask('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
    },
  },
  {
    name: 'the receipts of a remote block',
    silent: ['eth_getBlockReceipts'],
    prepare: async (fork) => {
      const hash = await remoteTransaction(fork)
      return () => fork.ask('eth_getTransactionReceipt', [hash])
    },
  },
  {
    name: 'eth_getLogs over the border',
    silent: ['eth_getLogs'],
    prepare: async (fork) => {
      await fork.ask('eth_sendTransaction', [transfer(fork)])
      const { address } = fork.world.contracts['GameToken']!
      return () => fork.ask('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest', address }])
    },
  },
  {
    name: 'eth_getFilterLogs over the border',
    silent: ['eth_getLogs'],
    prepare: async ({ ask }) => {
      const id = await ask('eth_newFilter', [{ fromBlock: '0x1' }])
      return () => ask('eth_getFilterLogs', [id])
    },
  },
  {
    name: 'eth_getProof',
    silent: ['eth_getProof'],
    prepare: async ({ ask, world }) => {
      const { address } = world.contracts['GameToken']!
      return () => ask('eth_getProof', [address, ['0x1'], 'latest'])
    },
  },
  {
    name: 'eth_feeHistory',
    silent: ['eth_getBlockByNumber'],
    prepare:
      async ({ ask }) =>
      () =>
        ask('eth_feeHistory', ['0x8', 'latest', [50]]),
  },
]

/** Lets the remote answer nothing to these methods. */
function silence(fork: FaultyFork, { silent }: Pick<Row, 'silent'>): void {
  const isSilent = asks(...silent)
  fork.fault = (message) => (isSilent(message) ? 'silence' : 'pass')
}

describe('a time-out in the middle', () => {
  test.each(ROWS)('of $name fails it alone', (row) =>
    withSlowRemote(async (fork) => {
      fork.fault = () => 'pass'
      const request = await row.prepare(fork)
      const earlier = await snapshotOf(fork)
      silence(fork, row)
      const error = await errorOf(request())
      expect(error).toMatchObject({ kind: 'remoteFailed' })
      expect(error.message).toMatch(
        new RegExp(`^the remote ${fork.proxy.httpUrl} did not answer eth_\\w+ within ${TIMEOUT_MS} ms$`),
      )
      expect(error.message).not.toContain(SECRET)
      expect(await snapshotOf(fork)).toEqual(earlier)
      fork.fault = () => 'pass'
      const answer = await request()
      expect(answer).toBeDefined()
      if (row.isWrite !== true) expect(await snapshotOf(fork)).toEqual(earlier)
    }),
  )

  test('of a poll loses no log of the filter', () =>
    withSlowRemote(async (fork) => {
      const { ask } = fork
      const id = await ask('eth_newFilter', [{ toBlock: 'pending' }])
      await ask('eth_sendTransaction', [transfer(fork)])
      await ask('evm_setAutomine', [false])
      const { address, abi } = fork.world.contracts['VoteToken']!
      const data = encodeFunctionData({ abi, functionName: 'transfer', args: [STRANGER, 3n] })
      await ask('eth_sendTransaction', [{ ...transfer(fork), to: address, data }])
      silence(fork, { silent: ['eth_getStorageAt'] })
      expect(await errorOf(ask('eth_getFilterChanges', [id]))).toMatchObject({ kind: 'remoteFailed' })
      fork.fault = () => 'pass'
      const logs = await ask('eth_getFilterChanges', [id])
      const of = (token: string) => logs.filter((log: { address: string }) => log.address === token).length
      expect([of(transfer(fork).to), of(address)].every((count) => count > 0)).toBe(true)
      expect(await ask('eth_getFilterChanges', [id])).toEqual([])
    }))
})

describe('a block of interval mining', () => {
  /** The next failure that no request waits for. */
  const nextFailure = ({ node }: FaultyFork): Promise<any> =>
    new Promise((resolve) => {
      const end = node.miner.failed.on((error) => {
        end()
        resolve(error)
      })
    })

  const nextHead = ({ node }: FaultyFork): Promise<void> =>
    new Promise((resolve) => {
      const end = node.chain.headChanged.on(() => {
        end()
        resolve()
      })
    })

  test('that needs a silent remote is not made, and the next one has its transactions', () =>
    withSlowRemote(async (fork) => {
      const { ask } = fork
      await pool(fork)
      const earlier = await snapshotOf(fork)
      silence(fork, { silent: ['eth_getStorageAt'] })
      await ask('evm_setIntervalMining', [INTERVAL_MS])
      for (let tick = 0; tick < 2; tick++) {
        const error = await nextFailure(fork)
        expect(error).toMatchObject({ kind: 'remoteFailed' })
        expect(error.message).toMatch(/^the remote \S+ did not answer eth_getStorageAt within 300 ms/)
        expect(await ask('txpool_content')).toEqual((earlier as any).pool)
        expect(await ask('eth_getBlockByNumber', ['latest', true])).toEqual((earlier as any).head)
      }
      const made = nextHead(fork)
      fork.fault = () => 'pass'
      await made
      await ask('evm_setIntervalMining', [0])
      const first = `0x${(BigInt((earlier as any).head.number) + 1n).toString(16)}`
      expect((await ask('eth_getBlockByNumber', [first, false])).transactions).toHaveLength(2)
    }))

  test('that waits for the remote when the node is closed is no failure', async () => {
    let note: (() => void) | undefined
    const begun = new Promise<void>((resolve) => (note = resolve))
    const schedule: Host['schedule'] = (delayMs, task) =>
      realHost.schedule(delayMs, () => {
        task()
        if (delayMs === INTERVAL_MS) note?.()
      })
    await withSlowRemote(
      async (fork) => {
        await pool(fork)
        const failures: unknown[] = []
        fork.node.miner.failed.on((error) => failures.push(error))
        silence(fork, { silent: ['eth_getStorageAt'] })
        await fork.ask('evm_setIntervalMining', [INTERVAL_MS])
        await begun
        const later = fork.node.instance.lock.run('write', () => undefined)
        await fork.node.close()
        await later
        await nextTurn()
        expect(failures).toEqual([])
      },
      { options: { forkTimeout: 60_000 }, host: { ...realHost, schedule } },
    )
  })
})

test('a node that is closed while a request of several blocks waits writes the state before that request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))
  try {
    const options = { forkTimeout: 60_000, state: join(folder, 'chain.state') }
    await withSlowRemote(
      async (fork) => {
        const { ask, node, proxy } = fork
        // What is loaded is not loaded ahead again.
        for (const address of [SENDER, fork.world.codes.store]) await ask('eth_getCode', [address, 'latest'])
        await ask('evm_setAutomine', [false])
        for (const nonce of [0, 1])
          await ask('eth_sendTransaction', [
            { from: SENDER, to: SENDER, value: '0x1', gas: '0x5208', nonce: `0x${nonce}` },
          ])
        const slot = toWord(77n << 64n)
        const data = words([slot, 9n])
        const { store } = fork.world.codes
        await ask('eth_sendTransaction', [{ from: SENDER, to: store, data, gas: '0x30d40', nonce: '0x2' }])
        await ask('evm_setBlockGasLimit', ['0x30d40'])
        const earlier: any = await snapshotOf(fork)
        let note: (() => void) | undefined
        const asked = new Promise<void>((resolve) => (note = resolve))
        fork.fault = (message) => {
          if (!message.requests.some(({ params }) => params[0] === store && params[1] === slot)) return 'pass'
          note?.()
          return 'silence'
        }
        const mining = errorOf(ask('hardhat_mine', ['0x3']))
        await asked
        expect(BigInt(await ask('eth_blockNumber'))).toBeGreaterThan(BigInt(earlier.head.number))
        await node.close()
        expect(await mining).toMatchObject({ kind: 'remoteFailed' })
        fork.fault = () => 'pass'
        await withFork(
          proxy.httpUrl,
          async (later) => {
            expect(await later.ask('eth_blockNumber')).toBe(earlier.head.number)
            expect(await later.ask('txpool_content')).toEqual(earlier.pool)
          },
          { ...options, noMining: true },
        )
      },
      { options },
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
