/** An Ethereum chain instead of network 33: base fee and typed transactions, as viem uses them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import type { Address, Hash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { loadContracts } from '../support/contracts.ts'
import type { Contracts } from '../support/contracts.ts'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { story, travellerKey } from './story.ts'

const traveller = privateKeyToAccount(travellerKey)

let node: RunningNode
let contracts: Contracts
let client: Client
let owner: Address
let bob: Address

beforeAll(async () => {
  contracts = await loadContracts()
  node = await startDevNode(['--network', 'ethereum'])
  client = connect(node.url)
  const accounts = await client.getAddresses()
  owner = accounts[0]!
  bob = accounts[1]!
  await mined(client.sendTransaction({ account: owner, to: traveller.address, value: 100n * story.paid }))
})

afterAll(() => node.stop())

/** Uses viem's chain with the id of development nodes. */
function connect(url: string) {
  const transport = http(withDialect(url, 'ethereum'))
  const settings = { chain: hardhat, transport, cacheTime: 0, pollingInterval: 20 }
  return createTestClient({ ...settings, mode: 'hardhat' })
    .extend(publicActions)
    .extend(walletActions)
}

type Client = ReturnType<typeof connect>

async function mined(sending: Promise<Hash>) {
  const receipt = await client.waitForTransactionReceipt({ hash: await sending })
  expect(receipt.status).toBe('success')
  return receipt
}

async function baseFeeOf(blockHash: Hash): Promise<bigint> {
  return (await client.getBlock({ blockHash })).baseFeePerGas!
}

describe('transactions', () => {
  test('of an account of the node have the type with two fees', async () => {
    const { transactionHash, type } = await mined(
      client.sendTransaction({ account: owner, to: bob, value: 1n }),
    )
    const transaction = await client.getTransaction({ hash: transactionHash })
    expect([type, transaction.type, transaction.chainId]).toEqual(['eip1559', 'eip1559', node.ready.chainId])
  })

  test('signed here pay the base fee and the tip', async () => {
    const before = await client.getBalance({ address: traveller.address })
    const maxPriorityFeePerGas = 2_000_000_000n
    const receipt = await mined(
      client.sendTransaction({ account: traveller, to: bob, value: story.paid, maxPriorityFeePerGas }),
    )
    expect(receipt.effectiveGasPrice).toBe((await baseFeeOf(receipt.blockHash)) + maxPriorityFeePerGas)
    const after = await client.getBalance({ address: traveller.address })
    expect(before - after).toBe(story.paid + receipt.gasUsed * receipt.effectiveGasPrice)
  })

  test.each([
    ['legacy', {}],
    ['eip2930', { accessList: [{ address: traveller.address, storageKeys: [] }] }],
  ] as const)('may still be of type %s', async (type, fields) => {
    const gasPrice = await client.getGasPrice()
    const sending = client.sendTransaction({ account: traveller, to: bob, value: 1n, gasPrice, ...fields })
    expect(await mined(sending)).toMatchObject({ type, effectiveGasPrice: gasPrice })
  })

  test('are refused below the base fee', async () => {
    const refused = client.sendTransaction({
      account: traveller,
      to: bob,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      gas: 21_000n,
    })
    await expect(refused).rejects.toMatchObject({ details: expect.stringMatching(/base ?fee/i) })
  })

  test('that create a contract need no gas named', async () => {
    const { abi, bytecode } = contracts.GameToken
    const receipt = await mined(client.deployContract({ abi, bytecode, account: owner, args: [owner] }))
    const address = receipt.contractAddress!
    const call = { address, abi, functionName: 'mint', args: [bob, story.minted], account: owner } as const
    await mined(client.writeContract(call))
    expect(await client.readContract({ address, abi, functionName: 'totalSupply' })).toBe(story.minted)
  })
})
