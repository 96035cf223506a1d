/** Clients of a node that forks another one: viem, ethers 6, Foundry; and Anvil and Hardhat 2 that fork it. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestClient, defineChain, http, parseEther, publicActions, walletActions } from 'viem'
import type { Address, Hex } from 'viem'
import { loadContracts } from '../support/contracts.ts'
import type { CompiledContract } from '../support/contracts.ts'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import type { Foundry } from '../support/foundry.ts'
import { withHardhat2 } from '../support/hardhat2.ts'
import { request, startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

const MULTICALL: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const WHALE: Address = '0x00000000000000000000000000000000c0ffee02'

let remote: RunningNode
let fork: RunningNode
let contract: CompiledContract
/** A contract of the remote, the transaction that stored 8 in it, and its block, the one that is forked. */
let storage: Address
let stored: Hex
let height: bigint

beforeAll(async () => {
  contract = (await loadContracts()).Storage
  remote = await startDevNode(['--network', 'ethereum', '--predeploys'])
  const ask = <Result>(method: string, ...params: readonly unknown[]) =>
    request<Result>(remote.url, method, params)
  const from = remote.ready.accounts[0]!
  await ask('hardhat_setBalance', WHALE, '0x56bc75e2d63100000')
  const data = `${contract.bytecode}${'7'.padStart(64, '0')}`
  const deployed = await ask('eth_sendTransaction', { from, data })
  storage = (await ask<{ contractAddress: Address }>('eth_getTransactionReceipt', deployed)).contractAddress
  const input = `0x6057361d${'8'.padStart(64, '0')}`
  stored = await ask('eth_sendTransaction', { from, to: storage, data: input })
  height = BigInt(await ask<Hex>('eth_blockNumber'))
  fork = await startDevNode(['--fork-url', remote.url, '--fork-cache', 'false'])
})

afterAll(async () => {
  expect(await fork.stop()).toBe(0)
  expect(await remote.stop()).toBe(0)
})

function connect(
  world: string,
  {
    node = fork,
    mode = 'anvil',
    path = '/',
  }: { node?: typeof fork; mode?: 'anvil' | 'hardhat' | 'ganache'; path?: string } = {},
) {
  const url = new URL(withDialect(new URL(path, node.url).href, mode === 'hardhat' ? mode : 'ethereum'))
  const chain = defineChain({
    id: node.ready.chainId,
    name: world,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url.href] } },
    contracts: { multicall3: { address: MULTICALL } },
  })
  const transport = http(url.href, { retryCount: 0 })
  return createTestClient({ chain, mode, transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

test('viem reads, simulates and writes across the border', async () => {
  const client = connect('viem')
  const { abi } = contract
  expect(await client.getBlockNumber()).toBe(height)
  expect(await client.getTransactionReceipt({ hash: stored })).toMatchObject({
    status: 'success',
    blockNumber: height,
  })
  const value = { address: storage, abi, functionName: 'value' } as const
  expect(await client.multicall({ contracts: [value, value], allowFailure: false })).toEqual([8n, 8n])

  const id = await client.snapshot()
  await client.impersonateAccount({ address: WHALE })
  const { request: simulated } = await client.simulateContract({
    address: storage,
    abi,
    functionName: 'store',
    args: [9n],
    account: WHALE,
  })
  const hash = await client.writeContract(simulated)
  expect((await client.waitForTransactionReceipt({ hash })).blockNumber).toBe(height + 1n)
  const logs = await client.getLogs({ address: storage, fromBlock: 0n, toBlock: 'latest' })
  expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([stored, hash])
  expect(await client.readContract({ ...value, blockNumber: height })).toBe(8n)
  expect(await client.readContract(value)).toBe(9n)
  await client.setBalance({ address: WHALE, value: parseEther('1') })
  expect(await client.getBalance({ address: WHALE })).toBe(parseEther('1'))
  expect(await client.getBalance({ address: WHALE, blockNumber: height })).toBe(parseEther('100'))
  await client.revert({ id })
  expect([await client.getBlockNumber(), await client.readContract(value)]).toEqual([height, 8n])
})

test.each(['anvil', 'hardhat', 'ganache'] as const)(
  'viem resets to other blocks of the remote, and back to that of the node, in mode %s',
  async (mode) => {
    const { path } = await request<{ path: string }>(fork.url, 'dev_createWorld')
    const client = connect(mode, { mode, path })
    const value = () =>
      client.readContract({ address: storage, abi: contract.abi, functionName: 'value', args: [] })
    const number = () => client.getBlockNumber({ cacheTime: 0 })
    const account = fork.ready.accounts[0] as Address
    await client.reset({ jsonRpcUrl: remote.url, blockNumber: height - 1n })
    expect([await number(), await value()]).toEqual([height - 1n, 7n])
    const filter = await client.createContractEventFilter({ address: storage, abi: contract.abi })
    await client.reset({ blockNumber: height })
    expect([await number(), await value()]).toEqual([height, 8n])
    const call = { address: storage, abi: contract.abi, functionName: 'store', args: [3n], account } as const
    const hash = await client.writeContract(call)
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ blockNumber: height + 1n })
    expect(await client.getFilterChanges({ filter })).toMatchObject([{ transactionHash: hash }])
    await client.reset({ jsonRpcUrl: remote.url })
    expect([await number(), await value()]).toEqual([height, 8n])
    await client.mine({ blocks: 1 })
    await client.reset()
    expect([await number(), await value()]).toEqual([height, 8n])
    await expect(client.reset({ blockNumber: 10n ** 9n })).rejects.toThrow('has no block 1000000000')
  },
)

describeFoundry('Foundry', () => {
  let foundry: Foundry
  const project = join(import.meta.dirname, 'foundry')

  beforeAll(async () => {
    foundry = await openFoundry({
      FOUNDRY_SOLC: join(project, 'solc.mjs'),
      ETHEREUM_URL: withDialect(fork.url, 'ethereum'),
      NETWORK_33_URL: withDialect(fork.url, 'ethereum'),
    })
    await cp(project, foundry.folder, { recursive: true })
  })

  afterAll(() => foundry.remove())

  const url = () => withDialect(fork.url, 'ethereum')

  test('cast runs a transaction of the remote, and calls at its blocks', async () => {
    const trace = await foundry.print('cast', 'run', stored, '--rpc-url', url())
    expect(trace).toContain('Transaction successfully executed.')
    const call = (block: bigint) =>
      foundry.print('cast', 'call', storage, 'value()(uint256)', '--block', String(block), '--rpc-url', url())
    expect([await call(height - 1n), await call(height)]).toEqual(['7', '8'])
  })

  test('forge tests a contract that is created on the fork', async () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
    const args = ['--rpc-url', 'ethereum', '--private-key', key, '--broadcast', '--json']
    const created = await foundry.print(
      'forge',
      'create',
      'src/Counter.sol:Counter',
      ...args,
      '--constructor-args',
      '7',
    )
    const { deployedTo } = JSON.parse(created) as { deployedTo: string }
    await writeFile(join(foundry.folder, '.env'), `COUNTER=${deployedTo}`)
    expect(await foundry.print('forge', 'test', '--fork-url', 'ethereum')).toContain('2 passed; 0 failed')
  })
})

test('the node of Hardhat 2 forks a dev-node', () =>
  withHardhat2(
    { forking: { url: withDialect(remote.url, 'ethereum'), blockNumber: Number(height) } },
    async (ask) => {
      const [from] = await ask('eth_accounts')
      // increment(). Hardhat refuses calls at the block of the fork, because it does not know the hard forks of the chain.
      await ask('eth_sendTransaction', [{ from, to: storage, data: '0xd09de08a' }])
      expect(BigInt(await ask('eth_call', [{ to: storage, data: '0x3fa4f245' }, 'latest']))).toBe(9n)
      expect(await ask('eth_getLogs', [{ address: storage, fromBlock: '0x0' }])).toHaveLength(2)
    },
  ))

describeFoundry('Anvil', () => {})
