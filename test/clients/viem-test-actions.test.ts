/** Every action of viem's test client, in each of its modes, against the packed command. Each has a world of its own. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createTestClient,
  defineChain,
  http,
  parseEther,
  publicActions,
  testActions,
  walletActions,
} from 'viem'
import type { Address, Hash } from 'viem'
import { request, startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

type Mode = 'hardhat' | 'anvil' | 'ganache'

const RECEIVER: Address = '0x00000000000000000000000000000000000a11ce'
const OTHER: Address = '0x0000000000000000000000000000000000b0b000'
/** Code that returns the word in slot 0. */
const READER = '0x60005460005260206000f3'

let merged: RunningNode
let ethereum: RunningNode

beforeAll(async () => {
  merged = await startDevNode()
  ethereum = await startDevNode(['--network', 'ethereum'])
})

afterAll(async () => {
  await merged.stop()
  await ethereum.stop()
})

function connect(node: RunningNode, mode: Mode, world: string) {
  // Mode hardhat sends evm_setIntervalMining in milliseconds, the others in seconds.
  const url = new URL(withDialect(node.url, mode === 'hardhat' ? 'hardhat' : 'ethereum'))
  url.pathname = `/w/${world}`
  const chain = defineChain({
    id: node.ready.chainId,
    name: node.ready.network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url.href] } },
  })
  return createTestClient({ chain, mode, transport: http(url.href, { retryCount: 0 }), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

type Client = ReturnType<typeof connect>

async function firstAccount(client: Client): Promise<Address> {
  const [first] = await client.getAddresses()
  return first!
}

/** Sends a transfer that stays pooled, because mining is manual. */
async function sendWaiting(client: Client): Promise<Hash> {
  await client.setAutomine(false)
  const account = await firstAccount(client)
  return client.sendTransaction({ account, to: RECEIVER, value: 1n, gas: 21_000n })
}

const head = (client: Client) => client.getBlock({ blockTag: 'latest' })
const blockNumber = (client: Client) => client.getBlockNumber({ cacheTime: 0 })
const isMined = async (client: Client, hash: Hash): Promise<boolean> =>
  (await head(client)).transactions.includes(hash)

type Story = (client: Client, mode: Mode) => Promise<void>

const pool: Record<string, Story> = {
  dropTransaction: async (client) => {
    const hash = await sendWaiting(client)
    await client.dropTransaction({ hash })
    await client.mine({ blocks: 1 })
    await expect(client.getTransaction({ hash })).rejects.toThrow('could not be found')
  },
  getTxpoolContent: async (client) => {
    const hash = await sendWaiting(client)
    const sender = (await firstAccount(client)).toLowerCase() as Address
    const { pending, queued } = await client.getTxpoolContent()
    expect(pending[sender]?.['0']).toMatchObject({ hash, value: '0x1' })
    expect(queued).toEqual({})
  },
  getTxpoolStatus: async (client) => {
    await sendWaiting(client)
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 })
  },
  inspectTxpool: async (client) => {
    await sendWaiting(client)
    const sender = (await firstAccount(client)).toLowerCase() as Address
    const { pending } = await client.inspectTxpool()
    expect(pending[sender]?.['0']).toMatch(new RegExp(`^${RECEIVER}: 1 wei \\+ 21000 gas × \\d+ wei$`, 'i'))
  },
}

const accounts: Record<string, Story> = {
  impersonateAccount: async (client) => {
    await client.setBalance({ address: RECEIVER, value: parseEther('1') })
    await client.impersonateAccount({ address: RECEIVER })
    const hash = await client.sendTransaction({ account: RECEIVER, to: OTHER, value: 1n })
    expect((await client.waitForTransactionReceipt({ hash })).from).toBe(RECEIVER.toLowerCase())
  },
  stopImpersonatingAccount: async (client) => {
    await client.setBalance({ address: RECEIVER, value: parseEther('1') })
    await client.impersonateAccount({ address: RECEIVER })
    await client.stopImpersonatingAccount({ address: RECEIVER })
    const sending = client.sendTransaction({ account: RECEIVER, to: OTHER, value: 1n })
    await expect(sending).rejects.toThrow('unknown account')
  },
  sendUnsignedTransaction: async (client) => {
    await client.setBalance({ address: RECEIVER, value: parseEther('1') })
    const hash = await client.sendUnsignedTransaction({ from: RECEIVER, to: OTHER, value: 2n })
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
    expect(await client.getBalance({ address: OTHER })).toBe(2n)
  },
  setBalance: async (client) => {
    await client.setBalance({ address: RECEIVER, value: 123n })
    expect(await client.getBalance({ address: RECEIVER })).toBe(123n)
  },
  setCode: async (client) => {
    await client.setCode({ address: RECEIVER, bytecode: READER })
    expect(await client.getCode({ address: RECEIVER })).toBe(READER)
  },
  setNonce: async (client) => {
    await client.setNonce({ address: RECEIVER, nonce: 7 })
    expect(await client.getTransactionCount({ address: RECEIVER })).toBe(7)
  },
  setStorageAt: async (client) => {
    const value = `0x${'00'.repeat(31)}2a` as const
    await client.setCode({ address: RECEIVER, bytecode: READER })
    await client.setStorageAt({ address: RECEIVER, index: 0, value })
    await client.setStorageAt({ address: RECEIVER, index: `0x${'ff'.repeat(32)}`, value })
    expect((await client.call({ to: RECEIVER })).data).toBe(value)
    expect(await client.getStorageAt({ address: RECEIVER, slot: `0x${'ff'.repeat(32)}` })).toBe(value)
  },
}

const mining: Record<string, Story> = {
  getAutomine: async (client) => {
    expect(await client.getAutomine()).toBe(true)
    await client.setAutomine(false)
    expect(await client.getAutomine()).toBe(false)
  },
  setAutomine: async (client, mode) => {
    const hash = await sendWaiting(client)
    expect(await isMined(client, hash)).toBe(false)
    await client.setAutomine(true)
    // Hardhat mines it with the next transaction.
    expect(await isMined(client, hash)).toBe(mode !== 'hardhat')
  },
  mine: async (client, mode) => {
    const before = await head(client)
    await client.mine({ blocks: 3, interval: 60 })
    const after = await head(client)
    expect(after.number - before.number).toBe(3n)
    // Mode ganache sends no interval.
    if (mode !== 'ganache') expect(after.timestamp - before.timestamp).toBeGreaterThanOrEqual(120n)
  },
  setIntervalMining: async (client) => {
    await client.setAutomine(false)
    const before = await blockNumber(client)
    const startedAt = Date.now()
    await client.setIntervalMining({ interval: 1 })
    const deadline = startedAt + 10_000
    while ((await blockNumber(client)) === before && Date.now() < deadline) continue
    await client.setIntervalMining({ interval: 0 })
    expect(await blockNumber(client)).toBeGreaterThan(before)
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(900)
    expect(await client.getAutomine()).toBe(false)
  },
  setBlockGasLimit: async (client) => {
    await client.setBlockGasLimit({ gasLimit: 9_000_000n })
    await client.mine({ blocks: 1 })
    expect((await head(client)).gasLimit).toBe(9_000_000n)
  },
  setCoinbase: async (client) => {
    await client.setCoinbase({ address: RECEIVER })
    await client.mine({ blocks: 1 })
    expect((await head(client)).miner).toBe(RECEIVER.toLowerCase())
  },
  setMinGasPrice: async (client) => {
    await client.setMinGasPrice({ gasPrice: 77n })
    await client.mine({ blocks: 1 })
    expect(await head(client)).toMatchObject({ minimumGasPrice: '0x4d' })
  },
}

const time: Record<string, Story> = {
  increaseTime: async (client) => {
    const before = await head(client)
    expect(BigInt(await client.increaseTime({ seconds: 3600 }))).toBe(3600n)
    await client.mine({ blocks: 1 })
    expect((await head(client)).timestamp - before.timestamp).toBeGreaterThanOrEqual(3600n)
  },
  setNextBlockTimestamp: async (client) => {
    await client.setNextBlockTimestamp({ timestamp: 4_000_000_000n })
    await client.mine({ blocks: 1 })
    expect((await head(client)).timestamp).toBe(4_000_000_000n)
  },
  setBlockTimestampInterval: async (client) => {
    await client.setBlockTimestampInterval({ interval: 500 })
    await client.mine({ blocks: 1 })
    const first = await head(client)
    await client.mine({ blocks: 1 })
    expect((await head(client)).timestamp - first.timestamp).toBe(500n)
  },
  removeBlockTimestampInterval: async (client) => {
    await client.setBlockTimestampInterval({ interval: 500 })
    await client.removeBlockTimestampInterval()
    const before = await head(client)
    await client.mine({ blocks: 1 })
    expect((await head(client)).timestamp - before.timestamp).not.toBe(500n)
  },
}

const node: Record<string, Story> = {
  snapshot: async (client) => {
    const first = await client.snapshot()
    expect(first).toMatch(/^0x[1-9a-f][0-9a-f]*$/)
    expect(await client.snapshot()).not.toBe(first)
  },
  revert: async (client) => {
    const id = await client.snapshot()
    await client.setBalance({ address: RECEIVER, value: 5n })
    await client.revert({ id })
    expect(await client.getBalance({ address: RECEIVER })).toBe(0n)
  },
  dumpState: async (client) => {
    expect(await client.dumpState()).toMatch(/^0x[0-9a-f]{200,}$/)
  },
  loadState: async (client) => {
    await client.setBalance({ address: RECEIVER, value: 5n })
    const state = await client.dumpState()
    await client.setBalance({ address: RECEIVER, value: 6n })
    await client.loadState({ state })
    expect(await client.getBalance({ address: RECEIVER })).toBe(5n)
  },
  reset: async (client) => {
    const before = await blockNumber(client)
    await client.mine({ blocks: 2 })
    await client.setBalance({ address: RECEIVER, value: 5n })
    await client.reset()
    expect(await blockNumber(client)).toBe(before)
    expect(await client.getBalance({ address: RECEIVER })).toBe(0n)
    await expect(client.reset({ blockNumber: 5n })).rejects.toThrow('expected the URL of the chain to fork')
  },
  setLoggingEnabled: async (client) => {
    await expect(client.setLoggingEnabled(false)).resolves.toBeUndefined()
    await expect(client.setLoggingEnabled(true)).resolves.toBeUndefined()
  },
  setRpcUrl: async (client) => {
    await expect(client.setRpcUrl('http://127.0.0.1:1')).rejects.toThrow(
      'the remote of a fork is not changed',
    )
  },
}

const stories = { ...pool, ...accounts, ...mining, ...time, ...node }

/** Runs a test in a world that begins with the head of the default chain. */
async function inWorld(of: RunningNode, mode: Mode, story: Story): Promise<void> {
  const { id } = await request<{ id: string }>(of.url, 'dev_createWorld', [])
  try {
    await story(connect(of, mode, id), mode)
  } finally {
    await request(of.url, 'dev_deleteWorld', [id])
  }
}

describe.each(['hardhat', 'anvil', 'ganache'] as const)("viem's test client in mode %s", (mode) => {
  test.each(Object.entries(stories))('%s', (_action, story) => inWorld(merged, mode, story))

  test('setNextBlockBaseFeePerGas', () =>
    inWorld(ethereum, mode, async (client) => {
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 123_456_789n })
      await client.mine({ blocks: 1 })
      expect((await head(client)).baseFeePerGas).toBe(123_456_789n)
    }))

  test('has no other actions', () => {
    const actions = Object.keys(testActions({ mode })(connect(merged, mode, 'none')))
    const own = actions.filter((name) => name !== 'mode')
    expect([...Object.keys(stories), 'setNextBlockBaseFeePerGas'].sort()).toEqual(own.sort())
  })
})
