/** How many requests a fork makes to its remote: what is needed together is one message, and nothing is asked twice. */

import { expect, test } from '@jest/globals'
import { loadContracts } from '../support/contracts.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import { request } from '../support/packed-command.ts'
import { withServer } from '../support/server.ts'

const REMOTE = { network: 'ethereum', hardfork: 'cancun' } as const
const STRANGER = '0x00000000000000000000000000000000c0ffee01'
/** `store(uint256)` and `value()`. */
const STORE = `0x6057361d${'9'.padStart(64, '0')}`
const VALUE = '0x3fa4f245'

type Rpc = <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>

interface Fork {
  readonly local: Rpc
  /** Address of a contract of the remote. */
  readonly storage: string
  /** The methods of each message since the last look. */
  readonly asked: () => readonly (readonly string[])[]
}

const caller =
  ({ port }: { readonly port: number }): Rpc =>
  (method, ...params) =>
    request(`http://127.0.0.1:${port}`, method, params)

/** Deploys a contract on a remote, and runs a test on a fork of its block 1. */
async function withFork(run: (fork: Fork) => Promise<void>): Promise<void> {
  const { bytecode } = (await loadContracts()).Storage
  await withServer(REMOTE, async (remote) => {
    const ask = caller(remote)
    const [from] = await ask<string[]>('eth_accounts')
    await ask('hardhat_setBalance', STRANGER, '0x56bc75e2d63100000')
    const hash = await ask('eth_sendTransaction', { from, data: `${bytecode}${'7'.padStart(64, '0')}` })
    const { contractAddress: storage } = await ask<any>('eth_getTransactionReceipt', hash)
    await withFaultProxy(
      [],
      (proxy) =>
        withServer(
          { forkUrl: proxy.httpUrl, forkBlockNumber: 1n, forkCache: false, ...REMOTE },
          async (server) => run({ local: caller(server), storage, asked: looker(proxy) }),
        ),
      { targetPort: remote.port },
    )
  })
}

function looker({ received }: FaultProxy): Fork['asked'] {
  let seen = 0
  return () => {
    const messages = received.slice(seen).map(({ requests }) => requests.map(({ method }) => method))
    seen = received.length
    return messages
  }
}

test('a fork of a numbered block opens with one message', () =>
  withFork(async ({ asked }) => {
    expect(asked()).toEqual([
      [
        'eth_getBlockByNumber',
        'eth_chainId',
        'eth_blockNumber',
        'web3_clientVersion',
        'eth_getBlockByNumber',
      ],
    ])
  }))

/** The questions about some accounts. */
const accounts = (count: number): readonly string[] =>
  Array(count).fill(['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']).flat()

test('the first send asks for all it knows in one message, and the next one asks nothing', () =>
  withFork(async ({ local, storage, asked }) => {
    await local('hardhat_impersonateAccount', STRANGER)
    asked()
    const transaction = { from: STRANGER, to: storage, data: STORE, gas: '0x30000' }
    await local('eth_sendTransaction', transaction)
    const [first, ...later] = asked()
    // The sender, the contract, the coinbase and the contract of EIP-4788.
    expect(first).toEqual([...accounts(4), 'eth_createAccessList'])
    expect(later.map((methods) => [...new Set(methods)])).toEqual([['eth_getStorageAt']])
    await local('eth_sendTransaction', transaction)
    expect(await local('eth_call', { to: storage, data: VALUE }, 'latest')).toBe(`0x${'9'.padStart(64, '0')}`)
    expect(asked().flat()).not.toContain('eth_getStorageAt')
  }))

test('a call that is repeated asks nothing, and calls at the same time ask once', () =>
  withFork(async ({ local, storage, asked }) => {
    asked()
    const call = () => local('eth_call', { to: storage, data: VALUE }, 'latest')
    const answers = await Promise.all([call(), call(), call()])
    expect(new Set(answers)).toEqual(new Set([`0x${'7'.padStart(64, '0')}`]))
    const methods = asked().flat()
    expect(methods.filter((method) => method === 'eth_getStorageAt')).toHaveLength(1)
    expect(methods.filter((method) => method === 'eth_createAccessList')).toHaveLength(1)
    expect(await call()).toBe(answers[0])
    expect(asked()).toEqual([])
  }))

test('sends to a local contract ask nothing of the remote', () =>
  withFork(async ({ local, asked }) => {
    const { bytecode } = (await loadContracts()).Storage
    const [from] = await local<string[]>('eth_accounts')
    const hash = await local('eth_sendTransaction', { from, data: `${bytecode}${'7'.padStart(64, '0')}` })
    const { contractAddress: to } = await local<any>('eth_getTransactionReceipt', hash)
    asked()
    await local('eth_sendTransaction', { from, to, data: STORE })
    await local('eth_call', { from, to, data: VALUE }, 'latest')
    expect(asked()).toEqual([])
  }))

/** A question about history goes with one that checks that the remote still has the block of the fork. */
const CHECK = 'eth_getBlockByNumber'

test('a trace of a remote block asks for what all its transactions read in one message', () =>
  withFork(async ({ local, asked }) => {
    asked()
    await local('debug_traceBlockByNumber', '0x1', { tracer: 'callTracer' })
    // The sender, the coinbase and the contract of EIP-4788; then the created account, whose address is known by then.
    expect(asked()).toEqual([[...accounts(3), 'eth_getBlockReceipts', CHECK], accounts(1)])
  }))
