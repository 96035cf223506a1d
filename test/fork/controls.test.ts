/** Controls of the chain on a fork of a real remote, sent with viem's test client over a socket. */

import { expect, test } from '@jest/globals'
import { createTestClient, http, parseEther, publicActions, walletActions } from 'viem'
import type { Address } from 'viem'
import { foundry } from 'viem/chains'
import { loadContracts } from '../support/contracts.ts'
import { withRemote } from '../support/forks.ts'

const { GameToken } = await loadContracts()
const ALICE: Address = '0x00000000000000000000000000000000000a11ce'
const REMOTE_BLOCKS = 5n
const ETHEREUM = { network: 'ethereum', dialect: 'ethereum', frozenTime: false } as const

const clientOf = (url: string) =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(url), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

type Client = ReturnType<typeof clientOf>

/** Runs a test with a fork of a remote at block 5, where a token is deployed in block 1. */
function withFork(run: (fork: Client, token: Address, remote: Client) => Promise<void>): Promise<void> {
  return withRemote(ETHEREUM, async ({ url }) => {
    const remote = clientOf(url)
    const [account] = await remote.getAddresses()
    const hash = await remote.deployContract({ ...GameToken, account: account!, args: [account!] })
    const { contractAddress } = await remote.getTransactionReceipt({ hash })
    await remote.mine({ blocks: Number(REMOTE_BLOCKS) - 1 })
    await withRemote({ ...ETHEREUM, forkUrl: url, noForkCache: true }, async (forked) =>
      run(clientOf(forked.url), contractAddress!, remote),
    )
  })
}

const tokensOf = async (client: Client, token: Address, owner: Address): Promise<bigint> => {
  const call = { abi: GameToken.abi, address: token, functionName: 'balanceOf', args: [owner] }
  return BigInt(String(await client.readContract(call)))
}

test('impersonates, deals tokens and coins, and sends; the remote keeps its state', () =>
  withFork(async (fork, token, remote) => {
    await fork.impersonateAccount({ address: ALICE })
    await fork.setBalance({ address: ALICE, value: parseEther('3') })
    await fork.request({ method: 'anvil_dealERC20', params: [ALICE, token, '0x64'] } as any)
    expect(await tokensOf(fork, token, ALICE)).toBe(100n)
    const [receiver] = await fork.getAddresses()
    const before = await tokensOf(fork, token, receiver!)
    const call = { address: token, abi: GameToken.abi, functionName: 'transfer', args: [receiver, 40n] }
    const hash = await fork.writeContract({ ...call, account: ALICE })
    expect(await fork.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', blockNumber: 6n })
    expect(await tokensOf(fork, token, ALICE)).toBe(60n)
    expect(await tokensOf(fork, token, receiver!)).toBe(before + 40n)
    expect(await tokensOf(remote, token, ALICE)).toBe(0n)
    expect(await fork.getBalance({ address: ALICE, blockNumber: 5n })).toBeGreaterThan(0n)
    await fork.stopImpersonatingAccount({ address: ALICE })
    await expect(fork.writeContract({ ...call, account: ALICE })).rejects.toThrow()
  }))

test('sets code, nonce, storage, coinbase, base fee, gas limit and PREVRANDAO of remote accounts and next blocks', () =>
  withFork(async (fork, token) => {
    await fork.setCode({ address: ALICE, bytecode: '0x60005460005260206000f3' })
    await fork.setStorageAt({ address: ALICE, index: 0, value: `0x${'07'.padStart(64, '0')}` })
    await fork.setNonce({ address: ALICE, nonce: 9 })
    expect((await fork.call({ to: ALICE })).data).toBe(`0x${'07'.padStart(64, '0')}`)
    expect(await fork.getTransactionCount({ address: ALICE })).toBe(9)
    await fork.setStorageAt({ address: token, index: 2, value: `0x${'05'.padStart(64, '0')}` })
    expect(await fork.getStorageAt({ address: token, slot: '0x2' })).toBe(`0x${'05'.padStart(64, '0')}`)
    await fork.setCoinbase({ address: ALICE })
    await fork.setNextBlockBaseFeePerGas({ baseFeePerGas: 77n })
    await fork.setBlockGasLimit({ gasLimit: 20_000_000n })
    const mixHash = `0x${'ab'.repeat(32)}` as const
    await fork.request({ method: 'hardhat_setPrevRandao', params: [mixHash] } as any)
    await fork.mine({ blocks: 1 })
    const mined = { number: 6n, baseFeePerGas: 77n, gasLimit: 20_000_000n, mixHash }
    expect(await fork.getBlock()).toMatchObject({ ...mined, miner: ALICE })
  }))

test('moves the time, mines 256 and 10,000 blocks, and goes back by a snapshot', () =>
  withFork(async (fork, token, remote) => {
    const { timestamp } = await fork.getBlock()
    const snapshot = await fork.snapshot()
    await fork.increaseTime({ seconds: 3600 })
    await fork.mine({ blocks: 1 })
    expect((await fork.getBlock()).timestamp).toBeGreaterThanOrEqual(timestamp + 3600n)
    const next = (await fork.getBlock()).timestamp + 500n
    await fork.setNextBlockTimestamp({ timestamp: next })
    await fork.mine({ blocks: 256, interval: 12 })
    expect(await fork.getBlock()).toMatchObject({ number: 262n, timestamp: next + 255n * 12n })
    await fork.mine({ blocks: 10_000 })
    expect(await fork.getBlockNumber()).toBe(10_262n)
    const middle = await fork.getBlock({ blockNumber: 1_000n })
    expect(await fork.getBlock({ blockHash: middle.hash })).toEqual(middle)
    expect(await tokensOf(fork, token, ALICE)).toBe(0n)
    await fork.revert({ id: snapshot })
    expect(await fork.getBlock()).toEqual(await remote.getBlock())
  }))

test('reorganizes and rolls back local blocks only', () =>
  withFork(async (fork, _token, remote) => {
    await fork.mine({ blocks: 3 })
    const old = await fork.getBlock({ blockNumber: 7n })
    const ask = (method: string, params: unknown) => fork.request({ method, params } as any)
    await ask('anvil_reorg', [2, []])
    expect((await fork.getBlock({ blockNumber: 7n })).hash).not.toBe(old.hash)
    expect(await fork.getBlockNumber()).toBe(8n)
    for (const [method, params] of [
      ['anvil_rollback', [4]],
      ['anvil_reorg', [4, []]],
    ] as const)
      await expect(ask(method, params)).rejects.toThrow(
        "4 blocks cannot be removed, the chain has 3 above block 5, which is the remote's",
      )
    expect(await fork.getBlockNumber()).toBe(8n)
    await ask('anvil_rollback', [3])
    expect(await fork.getBlock()).toEqual(await remote.getBlock())
  }))

test('switches mining off and on, and drops pooled transactions', () =>
  withFork(async (fork) => {
    await fork.setAutomine(false)
    const [account] = await fork.getAddresses()
    const send = () => fork.sendTransaction({ account: account!, to: ALICE, value: 1n })
    const dropped = await send()
    await fork.dropTransaction({ hash: dropped })
    const kept = await send()
    expect(await fork.getBlockNumber()).toBe(REMOTE_BLOCKS)
    await fork.setAutomine(true)
    expect(await fork.getTransactionReceipt({ hash: kept })).toMatchObject({ blockNumber: 6n })
  }))
