/** ethers 6, viem and web3.js over WebSocket against the packed command, while blocks are mined and reverted. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, WebSocketProvider } from 'ethers'
import type { InterfaceAbi } from 'ethers'
import { createTestClient, decodeEventLog, publicActions, walletActions, webSocket } from 'viem'
import type { Abi, Address } from 'viem'
import { Web3 } from 'web3'
import { WebSocket } from 'ws'
import { loadContracts } from '../support/contracts.ts'
import type { Contracts } from '../support/contracts.ts'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { firstReport } from './story.ts'

let node: RunningNode
let contracts: Contracts

beforeAll(async () => {
  contracts = await loadContracts()
  node = await startDevNode()
})

afterAll(async () => {
  expect(await node.stop()).toBe(0)
  // Unhandled rejections would be printed here.
  expect(node.stderr()).toBe('')
})

const socketUrl = (dialect = 'node33') => `${node.url.replace(/^http/, 'ws')}/?dialect=${dialect}`
const send = <Result = any>(method: string, params: readonly unknown[] = []) =>
  request<Result>(node.url, method, params)
const height = async () => Number(await send<string>('eth_blockNumber'))

/** Collects values, and waits for a number of them. */
function collected<Value>() {
  const values: Value[] = []
  let wake: () => void = () => undefined
  const add = (value: Value) => {
    values.push(value)
    wake()
  }
  const first = async (count: number) => {
    while (values.length < count) await new Promise<void>((resolve) => (wake = resolve))
    return values.slice(0, count)
  }
  return { values, add, first }
}

describe('ethers', () => {
  async function withProvider(run: (provider: WebSocketProvider) => Promise<void>) {
    const socket = new WebSocket(socketUrl())
    const provider = new WebSocketProvider(socket, undefined, { cacheTimeout: -1 })
    try {
      await run(provider)
    } finally {
      await provider.destroy()
    }
  }

  /** A token of the first account, which holds all of it. */
  async function deployToken(provider: WebSocketProvider) {
    const [owner, alice] = await Promise.all([0, 1].map((index) => provider.getSigner(index)))
    const { abi, bytecode } = contracts.GameToken
    const factory = new ContractFactory(abi as InterfaceAbi, bytecode, owner)
    const deployed = await factory.deploy(owner!.address)
    await deployed.waitForDeployment()
    const token = new Contract(deployed.target, abi as InterfaceAbi, owner)
    const mint = async (amount: bigint) => (await token['mint']!(alice!.address, amount)).wait()
    return { token, mint, alice: alice!.address }
  }

  test('receives blocks, also those that replace removed blocks', () =>
    withProvider(async (provider) => {
      const blocks = collected<number>()
      await provider.on('block', blocks.add)
      const start = await height()
      const snapshot = await provider.send('evm_snapshot', [])
      await provider.send('hardhat_mine', ['0x2'])
      await provider.send('evm_revert', [snapshot])
      await provider.send('evm_mine', [])
      expect(await blocks.first(3)).toEqual([start + 1, start + 2, start + 1])
    }))

  test('receives a contract event with its arguments, and pooled transactions', () =>
    withProvider(async (provider) => {
      const { token, mint, alice } = await deployToken(provider)
      const [events, pending] = [collected<readonly unknown[]>(), collected<string>()]
      await token.on('Transfer', (from, to, value) => events.add([from, to, value]))
      await provider.on('pending', pending.add)
      const { hash } = await mint(9n)
      expect(await events.first(1)).toEqual([[`0x${'0'.repeat(40)}`, alice, 9n]])
      expect(await pending.first(1)).toEqual([hash])
      await token.removeAllListeners()
    }))
})

describe('viem', () => {
  let clients = 0
  /** A path of its own: viem shares a connection between the clients of one URL, also one that was closed. */
  const transport = () =>
    webSocket(socketUrl('ethereum').replace('/?', `/client-${++clients}?`), { reconnect: false })

  async function withClient(run: (client: Client) => Promise<void>) {
    const client = connect()
    try {
      await run(client)
    } finally {
      const rpcClient = await (client.transport as any).getRpcClient()
      const closed = once(rpcClient.socket, 'close')
      rpcClient.close()
      await closed
    }
  }

  function connect() {
    return createTestClient({ mode: 'hardhat', transport: transport() })
      .extend(publicActions)
      .extend(walletActions)
  }

  type Client = ReturnType<typeof connect>

  async function deployToken(client: Client) {
    const [owner, alice] = (await client.getAddresses()) as [Address, Address]
    const { bytecode } = contracts.GameToken
    const abi: Abi = contracts.GameToken.abi
    const common = { account: owner, chain: null } as const
    const hash = await client.deployContract({ ...common, abi, bytecode, args: [owner] })
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    const address = contractAddress!
    const mint = (amount: bigint) =>
      client.writeContract({ ...common, address, abi, functionName: 'mint', args: [alice, amount] })
    return { address, abi, mint }
  }

  test('watches blocks', () =>
    withClient(async (client) => {
      const number = await firstReport<bigint>(
        (report, fail) =>
          client.watchBlocks({ onBlock: (block) => report(block.number), onError: fail, emitMissed: false }),
        () => client.mine({ blocks: 1 }),
      )
      expect(Number(number)).toBeLessThanOrEqual(await height())
    }))

  test('watches events, and receives removed ones', () =>
    withClient(async (client) => {
      const { address, abi, mint } = await deployToken(client)
      const removed = await firstReport<any>(
        (report, fail) =>
          client.watchEvent({
            address,
            onLogs: (logs) => logs.filter((log) => log.removed).forEach(report),
            onError: fail,
          }),
        async () => {
          const id = await client.snapshot()
          await mint(7n)
          await client.revert({ id })
        },
      )
      const { data, topics } = removed
      expect(decodeEventLog({ abi, data, topics })).toMatchObject({
        eventName: 'Transfer',
        args: { value: 7n },
      })
    }))
})

describe('web3.js', () => {
  async function withWeb3(run: (web3: Web3) => Promise<void>) {
    const web3 = new Web3(socketUrl())
    web3.setConfig({ defaultTransactionType: '0x0' })
    try {
      await run(web3)
    } finally {
      await web3.eth.clearSubscriptions()
      const provider: any = web3.provider
      const closed = new Promise((resolve) => provider.once('disconnect', resolve))
      provider.disconnect()
      await closed
    }
  }

  test('subscribes to logs', () =>
    withWeb3(async (web3) => {
      const [owner, alice] = await web3.eth.getAccounts()
      const { abi, bytecode } = contracts.GameToken
      const deployment = new web3.eth.Contract(abi as any).deploy({
        data: bytecode,
        arguments: [owner] as never,
      })
      const token: any = await deployment.send({ from: owner! })
      const logs = collected<any>()
      const subscription = await web3.eth.subscribe('logs', { address: token.options.address })
      subscription.on('data', logs.add)
      const events = collected<any>()
      token.events.Transfer().on('data', events.add)
      // The subscription to the event of the contract begins later.
      await token.methods.mint(alice, 3n).send({ from: owner })
      expect(await logs.first(1)).toMatchObject([
        { removed: false, address: token.options.address.toLowerCase() },
      ])
    }))
})
