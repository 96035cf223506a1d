/** Standard clients with their defaults, typed transactions, on the next fork of network 33. */

import { describe, expect, test } from '@jest/globals'
import { createWalletClient, defineChain, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Web3 } from 'web3'
import { toHex } from '../../lib/base/hex.ts'
import { loadContracts } from '../support/contracts.ts'
import { withServer } from '../support/server.ts'
import { COW1, keyOf } from '../support/signing.ts'

const { GameToken, Storage } = await loadContracts()

/** Runs a test with the URL of a node of the fork. */
const withNext = (run: (url: string) => Promise<void>) =>
  withServer({ network: 'network-33', hardfork: 'next', crossCheck: true }, ({ port }) =>
    run(`http://127.0.0.1:${port}`),
  )

const KEY = toHex(keyOf('cow'))

function viemAt(url: string) {
  const chain = defineChain({
    id: 33,
    name: 'dev-node',
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const account = privateKeyToAccount(KEY)
  return createWalletClient({ account, chain, transport: http(url), pollingInterval: 20 }).extend(
    publicActions,
  )
}

describe('a contract is deployed, called and watched with typed transactions by', () => {
  test('viem', () =>
    withNext(async (url) => {
      const client = viemAt(url)
      const { abi, bytecode } = GameToken
      const hash = await client.deployContract({ abi, bytecode, args: [client.account.address] })
      const { contractAddress, type, effectiveGasPrice } = await client.waitForTransactionReceipt({ hash })
      expect({ type, effectiveGasPrice }).toEqual({ type: 'eip1559', effectiveGasPrice: 0n })
      const address = contractAddress!
      const minted = await client.writeContract({ address, abi, functionName: 'mint', args: [COW1, 5n] })
      await client.waitForTransactionReceipt({ hash: minted })
      expect(await client.readContract({ address, abi, functionName: 'balanceOf', args: [COW1] })).toBe(5n)
      const [event] = await client.getContractEvents({ address, abi, eventName: 'Transfer', fromBlock: 0n })
      expect(event).toMatchObject({ args: { value: 5n } })
      expect(await client.getTransaction({ hash: minted })).toMatchObject({ type: 'eip1559', gasPrice: 0n })
    }))

  test('web3', () =>
    withNext(async (url) => {
      const web3 = new Web3(url)
      web3.setConfig({ transactionPollingInterval: 20 })
      const [wallet] = web3.eth.accounts.wallet.add(KEY)
      const from = wallet!.address
      const contract = new web3.eth.Contract(GameToken.abi as never)
      const deployment: any = contract.deploy({ data: GameToken.bytecode, arguments: [from] as never })
      const token = await deployment.send({ from })
      const { transactionHash } = await token.methods.mint(COW1, 5).send({ from })
      expect(await web3.eth.getTransaction(transactionHash)).toMatchObject({ type: 2n })
      expect(await token.methods.balanceOf(COW1).call()).toBe(5n)
      expect(await token.getPastEvents('Transfer', { fromBlock: 0 })).toHaveLength(1)
    }))

  test('web3, with an account of the node, for which it names no type', () =>
    withNext(async (url) => {
      const web3 = new Web3(url)
      web3.setConfig({ transactionPollingInterval: 20 })
      const [from] = await web3.eth.getAccounts()
      const deployment: any = new web3.eth.Contract(Storage.abi as never).deploy({
        data: Storage.bytecode,
        arguments: [7] as never,
      })
      const storage = await deployment.send({ from })
      const { transactionHash } = await storage.methods.store(8).send({ from })
      expect(await web3.eth.getTransaction(transactionHash)).toMatchObject({ type: 0n })
    }))
})

test('an account runs the code of a contract after an authorization that viem signed', () =>
  withNext(async (url) => {
    const client = viemAt(url)
    const { abi, bytecode } = Storage
    const deployed = await client.deployContract({ abi, bytecode, args: [7n] })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployed })
    const authority = privateKeyToAccount(toHex(keyOf('cow1')))
    const authorization = await client.signAuthorization({
      account: authority,
      contractAddress: contractAddress!,
    })
    const hash = await client.writeContract({
      abi,
      address: authority.address,
      functionName: 'store',
      args: [9n],
      authorizationList: [authorization],
    })
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({
      type: 'eip7702',
      status: 'success',
    })
    expect(await client.getTransaction({ hash })).toMatchObject({ authorizationList: [{ chainId: 33 }] })
    expect(await client.getCode({ address: authority.address })).toBe(`0xef0100${contractAddress!.slice(2)}`)
    const stored = await client.readContract({ abi, address: authority.address, functionName: 'value' })
    expect(stored).toBe(9n)
  }))
