/** Solidity on network 33: the precompiles through interfaces, and the gas of instructions, with the packed command. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, JsonRpcProvider, id, toBeHex, zeroPadValue } from 'ethers'
import type { ContractTransactionReceipt, InterfaceAbi, Signer } from 'ethers'
import { creationCode } from '../support/bytecode.ts'
import { loadContracts } from '../support/contracts.ts'
import type { ContractName } from '../support/contracts.ts'
import { callData } from '../support/precompile-calls.ts'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

const native = (number: number) => zeroPadValue(toBeHex(number), 20)
const SHA256 = native(2)
const IDENTITY = native(4)
const BN254_ADD = native(6)
const BRIDGE = native(0x01000006)
const HEADERS = native(0x01000010)
const EMPTY_HASH = id('')

let node: RunningNode
let provider: JsonRpcProvider
let owner: Signer
let precompiles: Contract
let meter: Contract

beforeAll(async () => {
  node = await startDevNode()
  provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1, pollingInterval: 20 })
  owner = await provider.getSigner(0)
  precompiles = await deploy('Natives')
  meter = await deploy('GasMeter', 1000n)
})

afterAll(async () => {
  provider.destroy()
  await node.stop()
})

async function deploy(name: ContractName, value = 0n): Promise<Contract> {
  const { abi, bytecode } = (await loadContracts())[name]
  const deployed = await new ContractFactory(abi as InterfaceAbi, bytecode, owner).deploy({ value })
  await deployed.waitForDeployment()
  return new Contract(deployed.target, abi as InterfaceAbi, owner)
}

async function mined(
  sending: Promise<{ wait(): Promise<ContractTransactionReceipt | null> }>,
): Promise<ContractTransactionReceipt> {
  const receipt = await (await sending).wait()
  expect(receipt!.status).toBe(1)
  return receipt!
}

const ask = (target: string, data: string) => precompiles['ask']!.staticCall(target, data)

/** What a function of the meter measured in a transaction. */
async function measured(name: string, ...args: unknown[]): Promise<bigint> {
  await mined(meter[name]!(...args, { gasLimit: 500_000n }))
  return meter['last']!()
}

describe('the block header contract', () => {
  test('returns earlier blocks to a contract', async () => {
    await provider.send('evm_mine', [])
    const parent = (await provider.send('eth_getBlockByNumber', ['latest', false])) as Record<string, string>
    await provider.send('evm_mine', [])
    const header = await precompiles['header']!(0)
    expect(header.toObject()).toMatchObject({
      hash: parent['hash'],
      coinbase: parent['miner']!.toLowerCase(),
      gasLimit: `0x00${BigInt(parent['gasLimit']!).toString(16)}`,
      gasUsed: '0x00',
      difficulty: '0x01',
      difficultyWithUncles: '0x01',
      minimumGasPrice: '0x00',
      work: toBeHex(BigInt(parent['totalDifficulty']!)),
      uncle: '0x',
    })
  })

  test('returns the newest block to a transaction', async () => {
    const { hash } = (await provider.getBlock('latest'))!
    await mined(precompiles['remember']!(0))
    expect(await precompiles['remembered']!()).toBe(hash)
  })

  test('returns the auxiliary header by its selector', async () => {
    const [isSuccess, answer] = await ask(HEADERS, callData('0x3073c6eb', ['int256'], [0]))
    expect(isSuccess).toBe(true)
    // Offset, length, and the available part of 80 bytes.
    expect(answer.length).toBeGreaterThanOrEqual(2 + 128)
  })

  test('has no block before the first, and refuses a depth below zero', async () => {
    const header = await precompiles['header']!(3999)
    expect(new Set(header)).toEqual(new Set(['0x']))
    expect(await ask(HEADERS, callData('0x2cce81aa', ['int256'], [-1]))).toEqual([false, '0x'])
  })
})

test('the environment returns the depth of a call', async () => {
  expect(await precompiles['depths']!()).toEqual([1n, 2n])
})

test('wallet tools encode addresses', async () => {
  expect(await precompiles['toAddress']!('0x751e76e8199196d454941c45d1b3a323f1433bd6', 0)).toBe(
    '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
  )
})

describe('the bridge', () => {
  test('returns the values of a fresh chain to a contract (node-chain 10.4)', async () => {
    expect((await precompiles['federation']!()).toObject()).toEqual({
      size: 3n,
      threshold: 2n,
      pending: -1n,
      retiring: '',
    })
    expect((await precompiles['limits']!()).toObject()).toEqual({
      feePerKb: 100_000n,
      lockingCap: 100_000_000_000n,
      least: 500_000n,
      queued: 0n,
    })
  })

  test('is refused by DELEGATECALL', async () => {
    expect(await precompiles['borrow']!.staticCall(BRIDGE, id('getFeePerKb()').slice(0, 10))).toEqual([
      false,
      '0x',
    ])
  })

  test('returns scripted data until a revert', async () => {
    const snapshot = await provider.send('evm_snapshot', [])
    await provider.send('dev_setBridgeResponse', ['getFeePerKb()', zeroPadValue('0x2a', 32)])
    expect((await precompiles['limits']!()).feePerKb).toBe(42n)
    await provider.send('evm_revert', [snapshot])
    expect((await precompiles['limits']!()).feePerKb).toBe(100_000n)
  })
})

describe('a scripted bridge', () => {
  const scripted = async (method: string, response: unknown, run: () => Promise<void>) => {
    const snapshot = await provider.send('evm_snapshot', [])
    await provider.send('dev_setBridgeResponse', [method, response])
    await run()
    await provider.send('evm_revert', [snapshot])
  }
  const data = (signature: string) => id(signature).slice(0, 10)

  test('returns the data from a method that changes state, called by a transaction', () =>
    scripted('increaseLockingCap(int256)', zeroPadValue('0x07', 32), async () => {
      const input = callData(data('increaseLockingCap(int256)'), ['int256'], [1])
      expect(await precompiles['tell']!.staticCall(BRIDGE, input)).toEqual([true, zeroPadValue('0x07', 32)])
    }))

  test('reverts with the data of the script', () =>
    scripted('getFeePerKb()', { revert: '0xdeadbeef' }, async () => {
      expect(await ask(BRIDGE, data('getFeePerKb()'))).toEqual([false, '0xdeadbeef'])
    }))
})

describe('precompiles look like contracts without code', () => {
  test.each([SHA256, BRIDGE, HEADERS])('%s', async (address) => {
    const { size, hash, code } = (await precompiles['codeOf']!(address)).toObject()
    expect({ size, hash, code }).toEqual({
      size: 2n ** 256n - 1n,
      hash: EMPTY_HASH,
      code: `0x${'00'.repeat(32)}`,
    })
    expect(await provider.getCode(address)).toBe('0x')
  })
})

/** Gas of the instructions between the two GAS in the code of `price`, besides STATICCALL. */
describe('gas of precompiles, compared with identity', () => {
  const identity = 15n
  const price = async (target: string, data: string, given = 1_000_000n) => {
    const [isSuccess, used] = await precompiles['price']!.staticCall(target, given, data)
    const [, plain] = await precompiles['price']!.staticCall(IDENTITY, given, '0x')
    return { isSuccess, gas: BigInt(used) - BigInt(plain) + identity }
  }

  test.each<[name: string, target: string, data: string, gas: bigint]>([
    ['sha256 of two words', SHA256, `0x${'00'.repeat(64)}`, 60n + 2n * 12n],
    ['ecrecover', native(1), '0x', 3000n],
    ['BN128 addition', BN254_ADD, '0x', 150n],
    ['BN128 multiplication', native(7), '0x', 6000n],
    ['BN128 pairing of nothing', native(8), '0x', 45_000n],
    ['secp256k1 addition', native(0x01000016), '0x', 150n],
    ['secp256k1 multiplication', native(0x01000017), '0x', 3000n],
    ['hash of a block', HEADERS, callData('0x2cce81aa', ['int256'], [0]), 4000n + 2n * 36n],
    ['call depth', native(0x01000011), '0xe8ce2274', 0n],
    ['fee per kB', BRIDGE, id('getFeePerKb()').slice(0, 10), 2000n + 2n * 4n],
  ])('%s', async (_name, target, data, gas) => {
    expect(await price(target, data)).toEqual({ isSuccess: true, gas })
  })

  test('a failure costs no more than the contract (IP-197)', async () => {
    const noPoint = `0x${'11'.repeat(128)}`
    expect(await price(BN254_ADD, noPoint)).toEqual({ isSuccess: false, gas: 150n })
  })

  test('too little gas is used up', async () => {
    const [isSuccess, used] = await precompiles['price']!.staticCall(BN254_ADD, 149n, '0x')
    const [, plain] = await precompiles['price']!.staticCall(IDENTITY, 149n, '0x')
    expect([isSuccess, BigInt(used) - BigInt(plain) + identity]).toEqual([false, 149n])
  })
})

describe('gas of instructions (node-chain 9.2)', () => {
  const SLOT = 77n

  test('SLOAD costs 200', async () => {
    const [storage] = await meter['storageLoad']!(0)
    const [memory] = await meter['memoryLoad']!(0)
    expect(storage - memory).toBe(200n - 3n)
  })

  test('SSTORE costs 20000 from zero to another value, else 5000', async () => {
    const plain = await measured('memoryStore', 0, 1)
    const stores = [1n, 1n, 2n, 0n, 0n]
    const costs: bigint[] = []
    for (const value of stores) costs.push((await measured('storageStore', SLOT, value)) - plain + 3n)
    expect(costs).toEqual([20_000n, 5000n, 5000n, 5000n, 5000n])
  })

  // SWAP, POP, four PUSH0, three DUP before CALL; POP and GAS behind it.
  const AROUND_CALL = 3n + 2n + 4n * 2n + 3n * 3n + 2n + 2n

  test.each([
    ['without value to an account', false, 0n, 0n, 700n],
    ['with value to an account, which returns the stipend', false, 0n, 1n, 9700n],
    ['without value to an absent account', true, 0n, 0n, 25_700n],
    ['with value to an absent account', true, 0n, 1n, 34_700n],
    ['with more gas than is left, which is returned', false, 10n ** 9n, 0n, 700n],
  ])('CALL %s', async (_what, isMissing, given, value, gas) => {
    const target = isMissing
      ? native(Math.floor(Math.random() * 2 ** 40) + 2 ** 40)
      : await owner.getAddress()
    expect((await measured('send', target, given, value)) - AROUND_CALL).toBe(gas)
  })

  test('CALL without value to an absent account creates it', async () => {
    const target = native(2 ** 41)
    const costs = [await measured('send', target, 0n, 0n), await measured('send', target, 0n, 0n)]
    expect(costs.map((cost) => cost - AROUND_CALL)).toEqual([25_700n, 700n])
  })

  test('the caller pays the stipend of a callee that burns it', async () => {
    const burner = await new ContractFactory([], creationCode(Uint8Array.of(0xfe)), owner).deploy()
    await burner.waitForDeployment()
    const costs = [
      await measured('send', burner.target, 1000n, 0n),
      await measured('send', burner.target, 1000n, 1n),
    ]
    expect(costs.map((cost) => cost - AROUND_CALL)).toEqual([700n + 1000n, 9700n + 2300n + 1000n])
  })

  // SWAP, POP, DUP, MLOAD, PUSH1, DUP, ADD, DUP before CREATE; POP and GAS behind it.
  const AROUND_CREATE = 3n + 2n + 6n * 3n + 2n + 2n

  test.each([
    ['of nothing', '0x', 32_000n],
    ['by code of one word, at 2 gas', `0x${'00'.repeat(32)}`, 32_002n],
    ['by code of two words', `0x${'00'.repeat(33)}`, 32_004n],
    // PUSH2, DUP1, PUSH1, PUSH1, CODECOPY of a word, PUSH1, RETURN; and 200 for each of ten bytes.
    ['of ten bytes', creationCode(new Uint8Array(10)), 32_002n + 24n + 2000n],
  ])('CREATE %s', async (_what, code, gas) => {
    expect((await measured('create', code, 0n)) - AROUND_CREATE).toBe(gas)
  })
})
