/** Standard clients against a node without options, in its default dialect. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import { ContractFactory as ContractFactory5, providers } from 'ethers5'
import { createPublicClient, createWalletClient, defineChain, http, publicActions } from 'viem'
import { Web3 } from 'web3'
import { loadContracts } from '../support/contracts.ts'
import { withServer } from '../support/server.ts'

const { Reverter, Storage } = await loadContracts()

/** Runs a test with the URL of a node that was started without options. */
const withDefaults = (run: (url: string) => Promise<void>) =>
  withServer({ crossCheck: true }, ({ port }) => run(`http://127.0.0.1:${port}`))

describe('the block pending is read by', () => {
  const next = { number: 1 }

  test('ethers 6', () =>
    withDefaults(async (url) => {
      const provider = new JsonRpcProvider(url)
      expect(await provider.getBlock('pending')).toMatchObject(next)
      provider.destroy()
    }))

  test('ethers 5', () =>
    withDefaults(async (url) => {
      expect(await new providers.JsonRpcProvider(url).getBlock('pending')).toMatchObject(next)
    }))

  test('viem', () =>
    withDefaults(async (url) => {
      const client = createPublicClient({ transport: http(url) })
      expect(await client.getBlock({ blockTag: 'pending' })).toMatchObject({ number: 1n })
    }))

  test('web3', () =>
    withDefaults(async (url) => {
      expect(await new Web3(url).eth.getBlock('pending')).toMatchObject({ number: 1n })
    }))
})

/** A viem client as docs/libraries.md has it. */
function viemAt(url: string) {
  const chain = defineChain({
    id: 33,
    name: 'dev-node',
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  return createWalletClient({ chain, transport: http(url) }).extend(publicActions)
}

describe('a contract is deployed and written to without naming gas by', () => {
  test('ethers 5', () =>
    withDefaults(async (url) => {
      const signer = new providers.JsonRpcProvider(url).getSigner(0)
      const storage = await new ContractFactory5(Storage.abi as never, Storage.bytecode, signer).deploy(7)
      await storage['store'](8)
      expect(Number(await storage['value']())).toBe(8)
    }))

  test('viem, with an account of the node', () =>
    withDefaults(async (url) => {
      const client = viemAt(url)
      const [account] = await client.getAddresses()
      const { abi, bytecode } = Storage
      const hash = await client.deployContract({ abi, bytecode, account: account!, args: [7n] })
      const { contractAddress } = await client.waitForTransactionReceipt({ hash })
      const address = contractAddress!
      await client.writeContract({ address, abi, functionName: 'store', args: [8n], account: account! })
      expect(await client.readContract({ address, abi, functionName: 'value' })).toBe(8n)
    }))

  test('web3, where a gas price takes the place of the default type', () =>
    withDefaults(async (url) => {
      const web3 = new Web3(url)
      web3.setConfig({ transactionPollingInterval: 20 })
      const [from] = await web3.eth.getAccounts()
      const contract = new web3.eth.Contract(Storage.abi as never)
      const deployment: any = contract.deploy({ data: Storage.bytecode, arguments: [7] as never })
      await expect(deployment.send({ from })).rejects.toThrow("Network doesn't support eip-1559")
      const storage = await deployment.send({ from, gasPrice: '0' })
      await storage.methods.store(8).send({ from, gasPrice: '0' })
      expect(await storage.methods.value().call()).toBe(8n)
    }))
})

describe('the reason of a revert is decoded by', () => {
  test('ethers 5: reason, custom error and panic', () =>
    withDefaults(async (url) => {
      const signer = new providers.JsonRpcProvider(url).getSigner(0)
      const reverter = await new ContractFactory5(Reverter.abi as never, Reverter.bytecode, signer).deploy()
      const errorOf = (name: string, ...args: unknown[]) =>
        reverter.callStatic[name]!(...args).then(
          () => undefined,
          (error: unknown) => {
            const { reason, errorName: name } = error as { reason: string; errorName: string }
            return { reason, name }
          },
        )
      expect(await errorOf('callWithReason', 'out of order')).toMatchObject({
        reason: 'out of order',
        name: 'Error',
      })
      expect(await errorOf('callWithCustomError', 42, 'not today')).toMatchObject({ name: 'Refused' })
      expect(await errorOf('callWithPanic', 0)).toMatchObject({ name: 'Panic' })
      const estimate = reverter.estimateGas['callWithReason']!('out of order')
      await expect(estimate).rejects.toMatchObject({ reason: 'execution reverted: out of order' })
    }))
})
