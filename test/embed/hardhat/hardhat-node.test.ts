/** The provider of Hardhat's network, without Hardhat. The real project is in test/recipes/hardhat2-plugin.test.ts. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { encodeFunctionData, getAddress } from 'viem'
import { hardhatProvider, startHardhatNode } from '../../../lib/embed/hardhat/hardhat-node.ts'
import { hardhatOptions, nodeOptions } from '../../../lib/embed/hardhat/hardhat-network.ts'
import type { HardhatNetwork } from '../../../lib/embed/hardhat/hardhat-network.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { hardhat2, writeInto, writeProject } from '../../support/artifact-projects.ts'
import { PATH, lineOf, plain } from '../../support/shop.ts'

/** Stands for Hardhat's class, whose `stack` is a getter. */
class HardhatProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

const HARDHAT_ERRORS = {
  ProviderError: HardhatProviderError,
  InvalidArgumentsError: class extends HardhatProviderError {
    constructor(message: string) {
      super(message, -32602)
    }
  },
}

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const OTHER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** The settings of an empty config, as Hardhat 2.29 resolves them. */
const DEFAULTS: HardhatNetwork = {
  chainId: 31337,
  hardfork: 'osaka',
  blockGasLimit: 60_000_000,
  minGasPrice: 0n,
  throwOnTransactionFailures: true,
  throwOnCallFailures: true,
  automine: true,
  intervalMining: 0,
  mempoolOrder: 'priority',
  genesisAccounts: [{ privateKey: KEY, balance: '10000000000000000000000' }],
  allowUnlimitedContractSize: false,
  allowBlocksWithSameTimestamp: false,
}

/** Code that reverts with the four bytes 0x12345678. */
const REVERTING = '0x63123456786000526004601cfd'
const CONTRACT = '0x00000000000000000000000000000000000000cc'

async function providerOf(
  settings: Partial<HardhatNetwork> = {},
  options: OptionsInput = {},
  { env = {}, isLogging = false } = {},
) {
  const network = { ...DEFAULTS, ...settings }
  const resolved = hardhatOptions(network, { noArtifacts: true, ...options }, env)
  const started = await startHardhatNode(resolved)
  const project = { errors: HARDHAT_ERRORS, isLogging }
  const provider = await hardhatProvider(started.embedded.provider, network, { ...started, ...project })
  const ask = (method: string, ...params: readonly unknown[]) => provider.request({ method, params })
  return { provider, ask }
}

describe('a revert with data', () => {
  const { abi, evm } = plain.output.contracts[PATH]!['Token']!
  const code = `0x${evm.bytecode.object}${'3e8'.padStart(64, '0')}`
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [OTHER, 5000n] })

  /** The errors of a transaction and of a call that fail, in a project that was compiled after the first request. */
  async function failures() {
    const folder = await writeProject([])
    const artifacts = join(folder, 'artifacts')
    await mkdir(artifacts)
    const network = { ...DEFAULTS, allowUnlimitedContractSize: true }
    const options = hardhatOptions(network, { artifacts: [artifacts] }, {})
    const started = await startHardhatNode(options, { asksForPort: false })
    const chain = started.embedded.createProvider({ explainsLater: true })
    const project = { errors: HARDHAT_ERRORS, isLogging: false }
    const provider = await hardhatProvider(chain, network, { ...started, ...project })
    const ask = (method: string, ...params: readonly unknown[]) => provider.request({ method, params })
    const snapshot = await ask('evm_snapshot')
    const hash = await ask('eth_sendTransaction', { from: OWNER, data: code })
    const { contractAddress: to } = (await ask('eth_getTransactionReceipt', hash)) as any
    const request = { from: OWNER, to, data, gas: '0x186a0' }
    const errors: any[] = []
    for (const method of ['eth_sendTransaction', 'eth_call', 'eth_estimateGas'])
      errors.push(await ask(method, request).catch((thrown: unknown) => thrown))
    await ask('evm_revert', snapshot)
    return { folder, errors }
  }

  test('is explained when its text is read: then its contract may be compiled and its block gone', async () => {
    const { folder, errors } = await failures()
    for (const [path, text] of hardhat2(plain)) await writeInto(folder, path, JSON.stringify(text))
    const message = `VM Exception while processing transaction: reverted with custom error 'TooPoor("${getAddress(OWNER)}", 1000, 5000)'`
    for (const error of errors) {
      expect(error.data).toMatch(/^0x[0-9a-f]{200}$/)
      expect(error.stack.split('\n').slice(0, 3)).toEqual([
        `Error: ${message}`,
        `    at Token._move (${PATH}:${lineOf('revert TooPoor')})`,
        `    at Token.transfer (${PATH}:${lineOf('_move(msg.sender, to, value);')})`,
      ])
      expect(error.stack).toMatch(/hardhat-node\.test\.ts/)
      expect([error.message, Object.keys(error)]).toEqual([
        message,
        ['data', 'transactionHash', 'solidityStack'],
      ])
    }
  })

  test('reads no artifacts before that, and its text can be replaced', async () => {
    const { folder, errors } = await failures()
    await rm(folder, { recursive: true })
    errors[0].message = 'other'
    expect(errors.map(({ message }) => message)).toEqual([
      'other',
      ...Array(2).fill(expect.stringContaining('an unrecognized custom error')),
    ])
  })
})

describe('settings of the network', () => {
  test('chain id, hard fork, gas limit, base fee and coinbase', async () => {
    const coinbase = '0x00000000000000000000000000000000000000cb'
    const settings = {
      chainId: 5,
      hardfork: 'merge',
      blockGasLimit: 9_000_000,
      initialBaseFeePerGas: 7,
      coinbase,
    }
    const { ask } = await providerOf(settings)
    expect(await ask('eth_chainId')).toBe('0x5')
    expect(await ask('net_version')).toBe('5')
    await ask('hardhat_mine')
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      gasLimit: '0x895440',
      miner: coinbase,
    })
    expect(await ask('eth_getBlockByNumber', '0x0', false)).toMatchObject({ baseFeePerGas: '0x7' })
    expect(await ask('eth_getBlockByNumber', '0x0', false)).not.toHaveProperty('withdrawals')
  })

  test('accounts with their balances, the first for all whose balance is the same', async () => {
    const genesisAccounts = [
      { privateKey: KEY, balance: '5' },
      { privateKey: OTHER_KEY, balance: 6n },
    ]
    const { ask } = await providerOf({ genesisAccounts })
    expect(await ask('eth_accounts')).toEqual([OWNER, OTHER])
    expect(await ask('eth_getBalance', OWNER, 'latest')).toBe('0x5')
    expect(await ask('eth_getBalance', OTHER, 'latest')).toBe('0x6')
  })

  test('mining on request and balances hold after a reset', async () => {
    const genesisAccounts = [
      { privateKey: KEY, balance: '10' },
      { privateKey: OTHER_KEY, balance: '7' },
    ]
    const { ask } = await providerOf({ automine: false, genesisAccounts })
    await ask('hardhat_reset')
    expect([await ask('hardhat_getAutomine'), await ask('eth_getBalance', OTHER)]).toEqual([false, '0x7'])
  })

  test('the date of the first block, after which the clock goes on', async () => {
    const initialDate = new Date('2030-01-01T00:00:00Z')
    const { ask } = await providerOf({ initialDate })
    await ask('hardhat_mine')
    const blocks = [await timeOf(ask, '0x0'), await timeOf(ask, '0x1')]
    expect(blocks[0]).toBe(initialDate.getTime() / 1000)
    expect(blocks[1]! - blocks[0]!).toBeLessThan(10)
  })

  test('a reverted transaction that is no error', async () => {
    const { ask } = await providerOf({ throwOnTransactionFailures: false })
    await ask('hardhat_setCode', CONTRACT, REVERTING)
    expect(await ask('eth_sendTransaction', { from: OWNER, to: CONTRACT, gas: '0x186a0' })).toMatch(
      /^0x[0-9a-f]{64}$/,
    )
  })

  test('blocks at an interval, which nothing sends', async () => {
    const { provider, ask } = await providerOf({ intervalMining: 20 })
    await ask('eth_subscribe', 'newHeads')
    await new Promise((resolve) => provider.once('message', resolve))
    expect(Number(await ask('eth_blockNumber'))).toBeGreaterThan(0)
    await ask('evm_setIntervalMining', 0)
  })

  test('order of the pool, and the remote with its headers', () => {
    const forkConfig = {
      jsonRpcUrl: 'http://127.0.0.1:1',
      blockNumber: 7,
      httpHeaders: { 'x-key': 'secret' },
    }
    expect(nodeOptions({ ...DEFAULTS, mempoolOrder: 'fifo', forkConfig })).toMatchObject({
      order: 'fifo',
      forkUrl: 'http://127.0.0.1:1',
      forkBlockNumber: 7,
      forkHeaders: ['x-key: secret'],
    })
    expect(nodeOptions(DEFAULTS)).toMatchObject({ order: 'fees' })
    expect(nodeOptions(DEFAULTS)).not.toHaveProperty('forkUrl')
  })

  test.each([
    ['berlin', 'london'],
    ['grayGlacier', 'london'],
    ['merge', 'paris'],
    ['prague', 'prague'],
  ])('the hard fork %s has the rules of %s', (hardfork, rules) => {
    expect(nodeOptions({ ...DEFAULTS, hardfork })).toMatchObject({ hardfork: rules })
  })

  test('another network has its own chain id, limits and prices; a mnemonic replaces the keys', async () => {
    const mnemonic = `${'test '.repeat(11)}junk`
    const { ask } = await providerOf({}, { network: 'network-33', mnemonic, accounts: 2 })
    expect(await ask('eth_chainId')).toBe('0x21')
    expect(await ask('eth_gasPrice')).toBe('0x0')
    expect(await ask('eth_getBlockByNumber', '0x0', false)).toMatchObject({ gasLimit: '0x989680' })
    expect(await ask('eth_accounts')).toHaveLength(2)
  })

  test.each([
    ['option', { faithful: true, network: 'network-33' }, {}],
    ['variable', {}, { DEV_NODE_FAITHFUL: '1' }],
  ])('do not fit the %s faithful', async (_, options, env) => {
    await expect(providerOf({}, options, { env })).rejects.toThrow(
      'run dev-node exec --faithful -- npx hardhat test',
    )
  })

  test('variables of the environment win over the network, and options over them', async () => {
    const env = { DEV_NODE_CHAIN_ID: '7', DEV_NODE_NETWORK_ID: '8', DEV_NODE_HARDFORK: '' }
    const { ask } = await providerOf({}, { networkId: 9 }, { env })
    expect([await ask('eth_chainId'), await ask('net_version')]).toEqual(['0x7', '9'])
  })
})

async function timeOf(
  ask: (method: string, ...params: readonly unknown[]) => Promise<unknown>,
  block: string,
) {
  const { timestamp } = (await ask('eth_getBlockByNumber', block, false)) as { timestamp: string }
  return Number(timestamp)
}

describe('errors', () => {
  test('a failed execution has the data, the hash of the transaction, and the class that Hardhat throws', async () => {
    const { ask } = await providerOf()
    await ask('hardhat_setCode', CONTRACT, REVERTING)
    const error = await ask('eth_sendTransaction', { from: OWNER, to: CONTRACT, gas: '0x186a0' }).catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).toBe(
      'Error: VM Exception while processing transaction: reverted with an unrecognized custom error (return data: 0x12345678)',
    )
    expect(error).toMatchObject({
      data: '0x12345678',
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(error).not.toBeInstanceOf(HardhatProviderError)
  })

  test.each([
    ['foo_bar', [], -32004, 'Method foo_bar is not supported'],
    ['eth_getBalance', ['0x12'], -32602, 'params[0] (address): invalid value "0x12" supplied to : ADDRESS'],
    ['eth_hashrate', [], -32004, 'Method eth_hashrate is not supported'],
    ['hardhat_setMinGasPrice', ['0x1'], -32000, 'hardhat_setMinGasPrice is not supported when '],
    ['eth_chainId', {}, -32000, "Hardhat Network doesn't support JSON-RPC params sent as an object"],
  ])('%s is refused by a ProviderError', async (method, params, code, message) => {
    const { provider } = await providerOf()
    const error = await provider.request({ method, params }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(HardhatProviderError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
  })
})

test('a request without gas is mined also if it fails', async () => {
  const { provider, ask } = await providerOf()
  await ask('hardhat_setCode', CONTRACT, REVERTING)
  const request = { method: 'eth_sendTransaction', params: [{ from: OWNER, to: CONTRACT }] }
  await expect(provider.request(request)).rejects.toHaveProperty('transactionHash', expect.any(String))
  expect(await ask('eth_blockNumber')).toBe('0x1')
})

test('answers what Hardhat answers and the node does not', async () => {
  const { ask } = await providerOf()
  expect(await ask('eth_mining')).toBe(false)
  expect(await ask('hardhat_addCompilationResult', '0.8.28', {}, {})).toBe(true)
})

test('emits Hardhat events and notifications', async () => {
  const { provider, ask } = await providerOf()
  const seen: string[] = []
  for (const event of ['hardhatNetworkRevertSnapshot', 'hardhatNetworkReset', 'message', 'notification'])
    provider.on(event, () => seen.push(event))
  await ask('evm_revert', await ask('evm_snapshot'))
  await ask('hardhat_reset')
  await ask('eth_subscribe', 'newHeads')
  await ask('hardhat_mine')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(seen).toEqual(['hardhatNetworkRevertSnapshot', 'hardhatNetworkReset', 'message', 'notification'])
})

test('awaited requests let timers run', async () => {
  const { ask } = await providerOf()
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  // Fewer take less than the time after which a turn is due.
  for (let count = 0; count < 100_000 && ticks === 0; count++) await ask('eth_blockNumber')
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(0)
})

test('an event comes before the answer to the request that caused it', async () => {
  const { provider, ask } = await providerOf()
  const seen: string[] = []
  provider.on('message', () => seen.push('head'))
  await ask('eth_subscribe', 'newHeads')
  for (let count = 0; count < 2; count++) {
    await ask('hardhat_mine')
    seen.push('mined')
  }
  expect(seen).toEqual(['head', 'mined', 'head', 'mined'])
})

describe('the log of requests', () => {
  /** Code that calls console.log(1). */
  const LOGGING = '0x63f82c50f160e01b600052600160045260006000602460006a636f6e736f6c652e6c6f675afa50600080fd'

  test('is printed if it is on, as hardhat_setLoggingEnabled says; console.log always', async () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => undefined)
    const { ask } = await providerOf({}, {}, { isLogging: true })
    await ask('hardhat_setCode', CONTRACT, LOGGING)
    expect(await ask('hardhat_setLoggingEnabled', false)).toBe(true)
    await ask('eth_chainId')
    await ask('eth_call', { to: CONTRACT }).catch(() => undefined)
    await ask('hardhat_setLoggingEnabled', true)
    await ask('eth_blockNumber')
    const printed = print.mock.calls.map(([line]) => String(line))
    print.mockRestore()
    expect(printed).toEqual(['hardhat_setCode', '1', 'eth_blockNumber'])
  })

  test('line breaks and tabs of console.log are printed, other control characters are not', async () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => undefined)
    const { ask } = await providerOf({}, {}, {})
    const text = Buffer.from('a\tb\n\u001b[2Jc\r\nd')
    const word = (number: number): string => number.toString(16).padStart(64, '0')
    // log(string)
    const data = `41304fac${word(32)}${word(text.length)}${text.toString('hex')}`
    const input = Buffer.from(data, 'hex')
    const copy = `60${input.length.toString(16)}600c6000396000600060${input.length.toString(16)}60006a636f6e736f6c652e6c6f675afa00`
    await ask(
      'hardhat_setCode',
      CONTRACT,
      `0x${copy.replace('600c', `60${(copy.length / 2).toString(16).padStart(2, '0')}`)}${data}`,
    )
    await ask('eth_call', { to: CONTRACT })
    const printed = print.mock.calls.map(([line]) => String(line))
    print.mockRestore()
    expect(printed).toEqual(['a\tb\n\\u001b[2Jc\nd'])
  })
})

test('a plugin that reads the machine of Hardhat gets a sentence', async () => {
  const { provider } = await providerOf()
  expect(() => provider._node).toThrow('run it without the plugin dev-node/hardhat')
})
