/** Solidity on network 33: the precompiles through interfaces, and the gas of instructions, with the packed command. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, JsonRpcProvider, id, toBeHex, zeroPadValue } from 'ethers'
import type { ContractTransactionReceipt, InterfaceAbi, Signer } from 'ethers'
import { loadContracts } from '../support/contracts.ts'
import type { ContractName } from '../support/contracts.ts'
import { callData } from '../support/precompile-calls.ts'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

const native = (number: number) => zeroPadValue(toBeHex(number), 20)
const BRIDGE = native(0x01000006)

let node: RunningNode
let provider: JsonRpcProvider
let owner: Signer
let precompiles: Contract

beforeAll(async () => {
  node = await startDevNode()
  provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1, pollingInterval: 20 })
  owner = await provider.getSigner(0)
  precompiles = await deploy('Natives')
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
})
