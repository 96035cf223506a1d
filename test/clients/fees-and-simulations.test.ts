/** Fees, access lists, simulations and the pool through ethers and viem, against an Ethereum chain over HTTP. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider, Network, Wallet } from 'ethers'
import { createTestClient, erc20Abi, http, parseEther, publicActions, walletActions } from 'viem'
import { hardhat } from 'viem/chains'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { toHex } from '../../lib/base/hex.ts'
import { loadContracts } from '../support/contracts.ts'
import { CONTRACTS, creationCode, words } from '../support/bytecode.ts'
import { withServer } from '../support/server.ts'

const THERE = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB'
const POOR = '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa'

function connect(port: number, dialect = 'ethereum') {
  const transport = http(`http://127.0.0.1:${port}/?dialect=${dialect}`)
  return createTestClient({ chain: hardhat, transport, mode: 'hardhat', cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

type Client = ReturnType<typeof connect>

/** Runs a test with viem against a server of its own. */
const withViem = (run: (client: Client) => Promise<void>, options: OptionsInput = {}) =>
  withServer({ network: 'ethereum', crossCheck: true, ...options }, async ({ port }) => run(connect(port)))

async function firstAccount(client: Client) {
  const [account] = await client.getAddresses()
  return account!
}

describe('ethers 6', () => {
  test('reads the fees it sends with', () =>
    withServer({ network: 'ethereum', crossCheck: true }, async ({ port }) => {
      const network = Network.from(31337)
      const url = `http://127.0.0.1:${port}/?dialect=ethereum`
      const provider = new JsonRpcProvider(url, network, { staticNetwork: network })
      const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData()
      const { baseFeePerGas } = (await provider.getBlock('latest'))!
      expect(maxPriorityFeePerGas).toBe(1_000_000_000n)
      expect(maxFeePerGas).toBe(baseFeePerGas! * 2n + maxPriorityFeePerGas!)
      expect(gasPrice).toBeGreaterThan(maxPriorityFeePerGas!)
      const signer = await provider.getSigner()
      const wallet = Wallet.createRandom(provider)
      await (await signer.sendTransaction({ to: wallet.address, value: parseEther('1') })).wait()
      const sent = await wallet.sendTransaction({ to: THERE, value: 1n })
      expect((await sent.wait())!.status).toBe(1)
      provider.destroy()
    }))
})

describe('fees in viem', () => {
  test('of the past are those of the blocks', () =>
    withViem(async (client) => {
      const account = await firstAccount(client)
      await client.sendTransaction({ account, to: THERE, value: 1n, maxPriorityFeePerGas: 3_000_000_000n })
      const history = await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
      const blocks = [await client.getBlock({ blockNumber: 0n }), await client.getBlock({ blockNumber: 1n })]
      expect(history.oldestBlock).toBe(0n)
      expect(history.baseFeePerGas.slice(0, 2)).toEqual(blocks.map(({ baseFeePerGas }) => baseFeePerGas))
      expect(history.reward).toEqual([[0n], [3_000_000_000n]])
      expect(history.gasUsedRatio[1]).toBe(21_000 / Number(blocks[1]!.gasLimit))
    }))

  test('to offer are enough for the next block', () =>
    withViem(async (client) => {
      const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
      expect(await client.estimateMaxPriorityFeePerGas()).toBe(maxPriorityFeePerGas)
      const account = await firstAccount(client)
      const hash = await client.sendTransaction({ account, to: THERE, maxFeePerGas, maxPriorityFeePerGas })
      expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
      expect(await client.getBlobBaseFee()).toBe(1n)
    }))
})

test('viem makes an access list, and sends with it', () =>
  withViem(async (client) => {
    const account = await firstAccount(client)
    const deploy = async (name: 'forward' | 'store') => {
      const data = toHex(creationCode(CONTRACTS[name]))
      const hash = await client.sendTransaction({ account, data })
      return (await client.waitForTransactionReceipt({ hash })).contractAddress!
    }
    const [to, callee] = [await deploy('forward'), await deploy('store')]
    const data = `${words([BigInt(callee)])}${words([5n, 9n]).slice(2)}` as const
    const { accessList, gasUsed } = await client.createAccessList({ account, to, data, gas: 200_000n })
    expect(accessList.map(({ address }) => address)).toEqual([callee, to])
    const hash = await client.sendTransaction({ account, to, data, accessList, gas: 200_000n })
    expect((await client.waitForTransactionReceipt({ hash })).gasUsed).toBe(gasUsed)
  }))

describe('simulations in viem', () => {
  test('of blocks decode results and errors', () =>
    withViem(async (client) => {
      const { GameToken } = await loadContracts()
      const account = await firstAccount(client)
      const hash = await client.deployContract({
        account,
        abi: GameToken.abi,
        bytecode: GameToken.bytecode,
        args: [account],
        gas: 5_000_000n,
      })
      const token = (await client.waitForTransactionReceipt({ hash })).contractAddress!
      const mint = { to: token, abi: GameToken.abi, functionName: 'mint', args: [POOR, 7n], account }
      const transfer = {
        to: token,
        abi: GameToken.abi,
        functionName: 'transfer',
        args: [THERE, 5n],
        account: POOR,
      }
      const balance = { to: token, abi: erc20Abi, functionName: 'balanceOf', args: [POOR] }
      // The types of viem want the ABI written out.
      const blocks: any = [{ calls: [mint, transfer] }, { calls: [balance, transfer] }]
      const [first, second]: readonly any[] = await client.simulateBlocks({ blocks })
      expect(first.calls.map(({ status }: any) => status)).toEqual(['success', 'success'])
      expect(first.calls[1].logs).toHaveLength(1)
      expect(second.calls[0].result).toBe(2n)
      expect(second.calls[1].status).toBe('failure')
      expect(second.calls[1].error.message).toContain('ERC20InsufficientBalance')
      expect(await client.getBlockNumber()).toBe(1n)
    }))

  test('of calls say how balances change', () =>
    withViem(async (client) => {
      const account = await firstAccount(client)
      const { results, assetChanges } = await client.simulateCalls({
        account,
        calls: [{ to: THERE, value: parseEther('1.5') }],
        traceAssetChanges: true,
      })
      expect(results.map(({ status }) => status)).toEqual(['success'])
      expect(assetChanges[0]!.value.diff).toBe(-parseEther('1.5'))
    }))

  test('of a sender without balance fail with the reason', () =>
    withViem(async (client) => {
      const calls = [{ account: POOR, to: THERE, value: 1n }] as const
      await expect(client.simulateBlocks({ blocks: [{ calls }] })).rejects.toThrow('insufficient funds')
    }))
})

describe('the pool in viem', () => {
  test('is read by sender and nonce', () =>
    withViem(
      async (client) => {
        const account = await firstAccount(client)
        const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
        const transfer = { account, to: THERE, gas: 21_000n, value: 5n, ...fees } as const
        const hash = await client.sendTransaction({ ...transfer, nonce: 0 })
        await client.sendTransaction({ ...transfer, nonce: 4 })
        const sender = account.toLowerCase() as typeof account
        expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 1 })
        const { pending, queued } = await client.getTxpoolContent()
        expect(pending[sender]!['0']).toMatchObject({ hash, from: sender, nonce: '0x0', blockHash: null })
        expect(Object.keys(queued[sender]!)).toEqual(['4'])
        const lines = await client.inspectTxpool()
        expect(lines.pending[sender]!['0']).toBe(`${THERE.toLowerCase()}: 5 wei + 21000 gas × 5000000000 wei`)
      },
      { mining: false },
    ))
})
