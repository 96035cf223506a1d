/** web3.js 4 against the packed command: contracts and transactions over HTTP, with the node's default errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Web3 } from 'web3'
import { loadContracts } from '../support/contracts.ts'
import type { ContractName, Contracts } from '../support/contracts.ts'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { story, travellerKey } from './story.ts'

let node: RunningNode
let contracts: Contracts

beforeAll(async () => {
  contracts = await loadContracts()
  node = await startDevNode()
})

afterAll(() => node.stop())

function connect(): Web3 {
  const web3 = new Web3(node.url)
  // web3 assumes fees by EIP-1559 and refuses to send where blocks carry no base fee.
  web3.setConfig({ defaultTransactionType: '0x0', transactionPollingInterval: 20 })
  return web3
}

async function actors(web3: Web3) {
  const [owner, alice, bob] = await web3.eth.getAccounts()
  return { owner: owner!, alice: alice!, bob: bob! }
}

/** A contract whose methods web3 cannot know at compile time. */
async function deploy(web3: Web3, name: ContractName, from: string, ...args: unknown[]): Promise<any> {
  const { abi, bytecode } = contracts[name]
  const deployment = new web3.eth.Contract(abi as any).deploy({ data: bytecode, arguments: args as never })
  return deployment.send({ from })
}

/** A token whose whole supply Alice holds. */
async function withToken() {
  const web3 = connect()
  const { owner, alice, bob } = await actors(web3)
  const token = await deploy(web3, 'GameToken', owner, owner)
  await token.methods.mint(alice, story.minted).send({ from: owner })
  const transfer = (value: bigint) => token.methods.transfer(bob, value).send({ from: alice })
  return { web3, owner, alice, bob, token, transfer }
}

describe('contracts', () => {
  test('mints and transfers', async () => {
    const { alice, bob, token, transfer } = await withToken()
    expect(await transfer(story.transferred)).toMatchObject({ status: 1n, from: alice.toLowerCase() })
    expect(await token.methods.balanceOf(bob).call()).toBe(story.transferred)
    expect(await token.methods.balanceOf(alice).call()).toBe(story.minted - story.transferred)
  })

  test('finds the transaction and its block', async () => {
    const { web3, alice, transfer } = await withToken()
    const { transactionHash, blockHash } = await transfer(1n)
    expect(await web3.eth.getTransaction(transactionHash)).toMatchObject({
      from: alice.toLowerCase(),
      type: 0n,
    })
    expect((await web3.eth.getBlock(blockHash)).transactions).toEqual([transactionHash])
  })

  test('asks in batches', async () => {
    const { web3, owner, alice } = await withToken()
    const batch = new web3.BatchRequest()
    const answers = [owner, alice].map((address) =>
      batch.add<string>({ method: 'eth_getBalance', params: [address, 'latest'] }),
    )
    await batch.execute()
    const balances = await Promise.all([owner, alice].map((address) => web3.eth.getBalance(address)))
    expect((await Promise.all(answers)).map(BigInt)).toEqual(balances)
  })
})

describe('events', () => {
  test('finds logs by their indexed arguments', async () => {
    const { alice, bob, token, transfer } = await withToken()
    const { transactionHash } = await transfer(story.transferred)
    const filter = { from: alice, to: bob }
    expect(await token.getPastEvents('Transfer', { filter, fromBlock: 0 })).toMatchObject([
      { transactionHash, event: 'Transfer', removed: false, returnValues: { value: story.transferred } },
    ])
  })
})

describe('native currency', () => {
  test('moves with a transaction of an account of the node', async () => {
    const web3 = connect()
    const { alice, bob } = await actors(web3)
    const before = { alice: await web3.eth.getBalance(alice), bob: await web3.eth.getBalance(bob) }
    const receipt = await web3.eth.sendTransaction({ from: alice, to: bob, value: story.paid })
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? 0)
    expect(await web3.eth.getBalance(bob)).toBe(before.bob + story.paid)
    expect(await web3.eth.getBalance(alice)).toBe(before.alice - story.paid - fee)
  })

  test('moves with a transaction of a wallet here', async () => {
    const { web3, traveller, bob } = await withTraveller()
    web3.eth.accounts.wallet.add(travellerKey)
    const before = await web3.eth.getBalance(bob)
    const receipt = await web3.eth.sendTransaction({
      from: traveller,
      to: bob,
      value: story.paid,
      gas: 21_000,
    })
    expect(receipt).toMatchObject({ status: 1n, from: traveller.toLowerCase() })
    expect(await web3.eth.getBalance(bob)).toBe(before + story.paid)
  })
})

/** An account without a key in the node, funded for a few payments. */
async function withTraveller() {
  const web3 = connect()
  const { owner, bob } = await actors(web3)
  const traveller = web3.eth.accounts.privateKeyToAccount(travellerKey).address
  await web3.eth.sendTransaction({ from: owner, to: traveller, value: 5n * story.paid })
  return { web3, traveller, bob }
}
