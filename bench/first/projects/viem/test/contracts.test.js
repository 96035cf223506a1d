/** Ten tests of three contracts, on Anvil or on the chain of the set-up. */

import { readFileSync } from 'node:fs'
import { createPublicClient, createTestClient, createWalletClient, getContract, http } from 'viem'
import { foundry } from 'viem/chains'
import { describe, expect, test } from 'vitest'

const contracts = JSON.parse(readFileSync(new URL('../contracts.json', import.meta.url), 'utf8'))

const transport = http(process.env.ANVIL_URL ?? chain.url)
const accounts = await createWalletClient({ transport }).getAddresses()
const settings = { account: accounts[0], chain: foundry, transport, pollingInterval: 10 }
const reads = createPublicClient(settings)
const wallet = createWalletClient(settings)
const controls = createTestClient({ mode: 'anvil', transport })

async function deploy(name, args = []) {
  const { abi, bytecode } = contracts[name]
  const hash = await wallet.deployContract({ abi, bytecode, args })
  const { contractAddress } = await reads.waitForTransactionReceipt({ hash })
  return getContract({ abi, address: contractAddress, client: { public: reads, wallet } })
}

async function deployToken() {
  const token = await deploy('Token')
  await mined(token.write.mint([accounts[0], 1000n]))
  return token
}

async function deployVault() {
  const token = await deployToken()
  const vault = await deploy('Vault', [token.address])
  await mined(token.write.approve([vault.address, 500n]))
  return { token, vault }
}

const mined = async (sent) => reads.waitForTransactionReceipt({ hash: await sent })

describe('Token', () => {
  test('mints', async () => {
    const token = await deployToken()
    expect(await token.read.totalSupply()).toBe(1000n)
    expect(await token.read.balanceOf([accounts[0]])).toBe(1000n)
  })

  test('mints for its owner only', async () => {
    const token = await deployToken()
    const minting = token.simulate.mint([accounts[1], 1n], { account: accounts[1] })
    await expect(minting).rejects.toThrow('only the owner mints')
  })

  test('transfers', async () => {
    const token = await deployToken()
    await mined(token.write.transfer([accounts[1], 10n]))
    const [event] = await token.getEvents.Transfer({ from: accounts[0] })
    expect(event.args).toMatchObject({ from: accounts[0], value: 10n })
  })

  test('refuses a transfer beyond the balance', async () => {
    const token = await deployToken()
    await expect(token.simulate.transfer([accounts[1], 1001n])).rejects.toThrow('InsufficientBalance')
  })
})

describe('Vault', () => {
  test('takes deposits', async () => {
    const { vault } = await deployVault()
    await mined(vault.write.deposit([100n]))
    expect(await vault.read.deposits([accounts[0]])).toBe(100n)
  })

  test('takes no more than was approved', async () => {
    const { vault } = await deployVault()
    await expect(vault.simulate.deposit([501n])).rejects.toThrow('allowance is too low')
  })

  test('is locked for a day', async () => {
    const { vault } = await deployVault()
    await mined(vault.write.deposit([100n]))
    await expect(vault.simulate.withdraw()).rejects.toThrow('still locked')
  })

  test('returns deposits', async () => {
    const { token, vault } = await deployVault()
    await mined(vault.write.deposit([100n]))
    await controls.increaseTime({ seconds: 86_400 })
    await mined(vault.write.withdraw())
    expect(await token.read.balanceOf([accounts[0]])).toBe(1000n)
  })
})

describe('Ballot', () => {
  test('counts votes', async () => {
    const ballot = await deploy('Ballot', [3n])
    for (const [index, account] of accounts.slice(0, 5).entries())
      await mined(ballot.write.vote([index === 0 ? 1n : 2n], { account }))
    expect(await ballot.read.winner()).toBe(2n)
  })

  test('takes one vote of each account', async () => {
    const ballot = await deploy('Ballot', [3n])
    await mined(ballot.write.vote([1n]))
    await expect(ballot.simulate.vote([2n])).rejects.toThrow('AlreadyVoted')
  })
})
