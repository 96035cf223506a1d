import type { TestChain } from 'dev-node/testing'
import { createTestClient, getContract, http, parseEther, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { beforeEach, expect, test } from 'vitest'
import { abi, bytecode } from '../artifacts/Vesting.ts'

declare global {
  var chain: TestChain // of this worker
}

const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(chain.url) })
  .extend(publicActions)
  .extend(walletActions)
const [funder, beneficiary, stranger] = await client.getAddresses()

/** Runs once for all workers, and later loads what it built. */
const deploy = async () => {
  const value = parseEther('365')
  const hash = await client.deployContract({ account: funder, abi, bytecode, args: [beneficiary], value })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return contractAddress!
}

const at = (address: `0x${string}`) => getContract({ abi, address, client })
let vesting: ReturnType<typeof at>

beforeEach(async () => {
  vesting = at(await chain.fixture('vesting', deploy, { key: bytecode }))
})

/** Mines a block so many days later. */
const pass = async (days: number) => {
  await client.increaseTime({ seconds: days * 86_400 })
  await client.mine({ blocks: 1 })
}

test('a coin is vested each day', async () => {
  await pass(100)
  expect(await vesting.read.vested()).toBeGreaterThanOrEqual(parseEther('100'))
  expect(await vesting.read.vested()).toBeLessThan(parseEther('101'))
})

test('the beneficiary gets what is vested', async () => {
  await pass(365)
  await vesting.write.release({ account: beneficiary })
  expect(await vesting.read.released()).toBe(parseEther('365'))
  expect(await client.getBalance({ address: vesting.address })).toBe(0n)
})

test('nobody else gets it', async () => {
  await expect(vesting.simulate.release({ account: stranger })).rejects.toThrow('NotBeneficiary')
})

test('two futures of one chain', async () => {
  const present = await chain.snapshot()
  await pass(365)
  await vesting.write.release({ account: beneficiary })
  await chain.revert(present)
  expect(await vesting.read.released()).toBe(0n)
  expect(await vesting.read.vested()).toBeLessThan(parseEther('1'))
})
