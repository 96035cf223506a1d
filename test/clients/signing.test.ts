/** Accounts and signatures of the node through client libraries over HTTP: web3.js 4, ethers 5 and 6, viem. */
import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider, verifyMessage, verifyTypedData } from 'ethers'
import { providers as providers5, utils as utils5 } from 'ethers5'
import { createWalletClient, defineChain, http, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { Web3 } from 'web3'
import type { RunningServer } from '../../lib/server/start.ts'
import { withServer } from '../support/server.ts'

const KEY = `0x${'42'.repeat(32)}`
const MESSAGE = 'a message, with a \u2603'
const MEBI_WEI = '1048576'

const TYPED = {
  domain: { name: 'Post', version: '1', chainId: 33, verifyingContract: `0x${'cc'.repeat(20)}` },
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'to', type: 'Person' },
      { name: 'amount', type: 'int64' },
      { name: 'note', type: 'bytes' },
    ],
  },
  primaryType: 'Mail',
  message: {
    to: { name: 'Bob', wallets: [`0x${'bb'.repeat(20)}`] },
    amount: -5n,
    note: '0x0102',
  },
} as const

describe('web3.eth.personal', () => {
  const connect = ({ url }: RunningServer) => {
    const web3 = new Web3(url)
    web3.setConfig({ defaultTransactionType: '0x0', transactionPollingInterval: 20 })
    return web3
  }

  /** A funded, locked account with the passphrase "secret". */
  async function withAccount(web3: Web3): Promise<string> {
    const account = await web3.eth.personal.newAccount('secret')
    const [from] = await web3.eth.getAccounts()
    await web3.eth.sendTransaction({ from: from!, to: account, value: MEBI_WEI })
    await web3.eth.personal.lockAccount(account)
    return account
  }

  test('makes, lists and imports accounts', () =>
    withServer({ crossCheck: true }, async (server) => {
      const web3 = connect(server)
      const made = await web3.eth.personal.newAccount('secret')
      const imported = await web3.eth.personal.importRawKey(KEY, 'secret')
      expect(web3.utils.toChecksumAddress(imported)).toBe(web3.eth.accounts.privateKeyToAccount(KEY).address)
      const listed = await web3.eth.personal.getAccounts()
      expect(listed.slice(-2)).toEqual([made, web3.utils.toChecksumAddress(imported)])
    }))

  test('unlocks for seconds, and locks', () =>
    withServer({ crossCheck: true }, async (server) => {
      const web3 = connect(server)
      const account = await withAccount(web3)
      const send = () => web3.eth.sendTransaction({ from: account, to: account, value: 1 })
      await expect(send()).rejects.toThrow(/Could not find account for address/)
      expect(await web3.eth.personal.unlockAccount(account, 'secret', 600)).toBe(true)
      expect(await send()).toMatchObject({ status: 1n })
      expect(await web3.eth.personal.lockAccount(account)).toBe(true)
      await expect(web3.eth.sign('0x01', account)).rejects.toThrow(/Account not found/)
    }))

  test('sends with a passphrase, and not with another', () =>
    withServer({ crossCheck: true }, async (server) => {
      const web3 = connect(server)
      const account = await withAccount(web3)
      const transaction = { from: account, to: account, value: 1, gas: 21_000, gasPrice: 1 }
      const hash = await web3.eth.personal.sendTransaction(transaction, 'secret')
      expect(await web3.eth.getTransactionReceipt(hash)).toMatchObject({ status: 1n })
      const refused = web3.eth.personal.sendTransaction(transaction, 'wrong')
      await expect(refused).rejects.toThrow(/could not decrypt key with given passphrase/)
    }))

  test('signs with a passphrase, and finds the signer', () =>
    withServer({ crossCheck: true }, async (server) => {
      const web3 = connect(server)
      const account = await withAccount(web3)
      const signature = await web3.eth.personal.sign(MESSAGE, account, 'secret')
      expect(verifyMessage(MESSAGE, signature)).toBe(account)
      const signer = await web3.eth.personal.ecRecover(MESSAGE, signature)
      expect(web3.utils.toChecksumAddress(signer)).toBe(account)
      const transaction = { from: account, to: account, value: 1, gas: 21_000, gasPrice: 1, nonce: 0 }
      const { raw } = (await web3.eth.personal.signTransaction(transaction, 'secret')) as unknown as {
        raw: string
      }
      expect(await web3.eth.sendSignedTransaction(raw)).toMatchObject({ status: 1n })
    }))
})

describe('ethers', () => {
  test('6 signs messages and typed data with an account of the node', () =>
    withServer({ crossCheck: true }, async ({ url }) => {
      const provider = new JsonRpcProvider(url)
      const signer = await provider.getSigner(1)
      const { domain, types, message } = TYPED
      const signature = await signer.signTypedData(domain, types as never, message)
      expect(verifyTypedData(domain, types as never, message, signature)).toBe(signer.address)
      expect(await recoverTypedDataAddress({ ...TYPED, signature: signature as never })).toBe(signer.address)
      expect(verifyMessage(MESSAGE, await signer.signMessage(MESSAGE))).toBe(signer.address)
      expect(await signer.unlock('')).toBe(false)
      provider.destroy()
    }))

  test('5 signs messages and typed data with an account of the node', () =>
    withServer({ crossCheck: true }, async ({ url }) => {
      const signer = new providers5.StaticJsonRpcProvider(url).getSigner(1)
      const address = await signer.getAddress()
      const { domain, types, message } = TYPED
      const signature = await signer._signTypedData(domain, types as never, message)
      expect(utils5.verifyTypedData(domain, types as never, message, signature)).toBe(address)
      expect(utils5.verifyMessage(MESSAGE, await signer.signMessage(MESSAGE))).toBe(address)
    }))
})

test('viem signs messages and typed data with an account of the node', () =>
  withServer({ crossCheck: true }, async ({ url }) => {
    const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
    const chain = defineChain({
      id: 33,
      name: 'local',
      nativeCurrency,
      rpcUrls: { default: { http: [url] } },
    })
    const client = createWalletClient({ chain, transport: http(url) })
    const [account] = await client.getAddresses()
    const signature = await client.signTypedData({ account: account!, ...TYPED })
    expect(await recoverTypedDataAddress({ ...TYPED, signature })).toBe(account)
    const signed = await client.signMessage({ account: account!, message: MESSAGE })
    expect(await recoverMessageAddress({ message: MESSAGE, signature: signed })).toBe(account)
  }))
