/** viem against the packed command: public, wallet and test client over HTTP, with geth's errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createPublicClient,
  createTestClient,
  defineChain,
  encodeAbiParameters,
  http,
  keccak256,
  parseEventLogs,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import type { Address, Hash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { loadContracts } from '../support/contracts.ts'
import type { Contracts } from '../support/contracts.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { firstReport, story, travellerKey } from './story.ts'

/** Chosen by the watcher test, so that it takes milliseconds instead of viem's four seconds. */
const POLLING_INTERVAL_MS = 20

let node: RunningNode
let contracts: Contracts

beforeAll(async () => {
  contracts = await loadContracts()
  node = await startDevNode()
})

afterAll(() => node.stop())

function connect(dialect: Dialect = 'ethereum') {
  const url = withDialect(node.url, dialect)
  const chain = defineChain({
    id: node.ready.chainId,
    name: node.ready.network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const settings = { chain, transport: http(url), pollingInterval: POLLING_INTERVAL_MS }
  return createTestClient({ ...settings, mode: 'hardhat' })
    .extend(publicActions)
    .extend(walletActions)
}

type Client = ReturnType<typeof connect>

async function actors(client: Client): Promise<{ owner: Address; alice: Address; bob: Address }> {
  const [owner, alice, bob] = await client.getAddresses()
  return { owner: owner!, alice: alice!, bob: bob! }
}

async function deployed(client: Client, hash: Hash): Promise<Address> {
  const receipt = await client.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  return receipt.contractAddress!
}

/** A token whose whole supply Alice holds. */
async function withToken(dialect?: 'ethereum' | 'hardhat') {
  const client = connect(dialect)
  const { owner, alice, bob } = await actors(client)
  const { abi, bytecode } = contracts.GameToken
  const hash = await client.deployContract({
    abi,
    bytecode,
    account: owner,
    args: [owner],
  })
  const address = await deployed(client, hash)
  await client.writeContract({
    address,
    abi,
    functionName: 'mint',
    args: [alice, story.minted],
    account: owner,
  })
  const balanceOf = (holder: Address) =>
    client.readContract({ address, abi, functionName: 'balanceOf', args: [holder] })
  const transfer = (from: Address, to: Address, amount: bigint) =>
    client.writeContract({ address, abi, functionName: 'transfer', args: [to, amount], account: from })
  return { client, owner, alice, bob, address, abi, balanceOf, transfer }
}

async function withReverter(dialect?: 'ethereum' | 'hardhat') {
  const client = connect(dialect)
  const { owner } = await actors(client)
  const { abi, bytecode } = contracts.Reverter
  const address = await deployed(client, await client.deployContract({ abi, bytecode, account: owner }))
  return { client, owner, address, abi }
}

describe('contracts', () => {
  test('mints and transfers', async () => {
    const { client, alice, bob, balanceOf, transfer } = await withToken()
    const receipt = await client.waitForTransactionReceipt({
      hash: await transfer(alice, bob, story.transferred),
    })
    expect(receipt).toMatchObject({ status: 'success', from: alice.toLowerCase() })
    expect(await balanceOf(bob)).toBe(story.transferred)
    expect(await balanceOf(alice)).toBe(story.minted - story.transferred)
  })

  test('reads the state of an earlier block', async () => {
    const { client, address, abi, alice, bob, transfer } = await withToken()
    const blockNumber = await client.getBlockNumber()
    await transfer(alice, bob, story.transferred)
    const before = { address, abi, functionName: 'balanceOf', args: [alice], blockNumber }
    expect(await client.readContract(before)).toBe(story.minted)
  })

  test('asks in batches', async () => {
    const { address, abi, alice, bob, owner } = await withToken()
    const client = createPublicClient({ transport: http(node.url, { batch: true }) })
    const balances = await Promise.all(
      [alice, bob, owner].map((holder) =>
        client.readContract({ address, abi, functionName: 'balanceOf', args: [holder] }),
      ),
    )
    expect(balances).toEqual([story.minted, 0n, 0n])
  })
})

describe('events', () => {
  test('finds logs by their indexed arguments', async () => {
    const { client, address, abi, alice, bob, transfer } = await withToken()
    const hash = await transfer(alice, bob, story.transferred)
    const events = await client.getContractEvents({
      address,
      abi,
      eventName: 'Transfer',
      args: { from: alice, to: bob },
      fromBlock: 0n,
    })
    expect(events).toMatchObject([
      { transactionHash: hash, args: { from: alice, to: bob, value: story.transferred } },
    ])
  })

  test('decodes the logs of a receipt', async () => {
    const { client, abi, alice, bob, transfer } = await withToken()
    const { logs } = await client.waitForTransactionReceipt({ hash: await transfer(alice, bob, 1n) })
    expect(parseEventLogs({ abi, logs })).toMatchObject([
      { eventName: 'Transfer', args: { from: alice, to: bob, value: 1n }, logIndex: 0, removed: false },
    ])
  })

  test('watches events', async () => {
    const { client, address, abi, alice, bob, transfer } = await withToken()
    const watched = { address, abi, eventName: 'Transfer', args: { from: alice } } as const
    const [first] = await firstReport<readonly unknown[]>(
      (onLogs, onError) => client.watchContractEvent({ ...watched, onLogs, onError }),
      () => transfer(alice, bob, 1n),
    )
    expect(first).toMatchObject({ args: { from: alice, to: bob, value: 1n } })
  })

  test('watches block numbers', async () => {
    const client = connect()
    const start = await client.getBlockNumber()
    const number = await firstReport<bigint>(
      (report, onError) =>
        client.watchBlockNumber({
          // The first poll may come before the block.
          onBlockNumber: (number) => number > start && report(number),
          onError,
        }),
      () => client.mine({ blocks: 1 }),
    )
    expect(number).toBeGreaterThan(start)
  })
})

describe('reverts', () => {
  test('returns the hash of a failing transaction as geth does', async () => {
    const { client, owner, address, abi } = await withReverter('ethereum')
    const hash = await client.writeContract({
      address,
      abi,
      functionName: 'withReason',
      args: [story.reason],
      account: owner,
      gas: story.plentyOfGas,
    })
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] })
  })
})

describe('native currency', () => {
  test('moves with a transaction of an account of the node', async () => {
    const client = connect()
    const { alice, bob } = await actors(client)
    const before = { alice: await balance(client, alice), bob: await balance(client, bob) }
    const hash = await client.sendTransaction({ account: alice, to: bob, value: story.paid })
    const { gasUsed, effectiveGasPrice } = await client.waitForTransactionReceipt({ hash })
    expect(await balance(client, bob)).toBe(before.bob + story.paid)
    expect(await balance(client, alice)).toBe(before.alice - story.paid - gasUsed * effectiveGasPrice)
  })

  test('moves with a raw transaction, whose hash is known before it is sent', async () => {
    const { client, traveller } = await withTraveller()
    const { bob } = await actors(client)
    const request = await client.prepareTransactionRequest({ account: traveller, to: bob, value: 1n })
    const serializedTransaction = await client.signTransaction(request)
    const hash = await client.sendRawTransaction({ serializedTransaction })
    expect(hash).toBe(keccak256(serializedTransaction))
    expect(await client.getTransactionCount({ address: traveller.address })).toBe(request.nonce + 1)
  })

  test('is refused to a sender without enough of it', async () => {
    const { client, traveller } = await withTraveller()
    const value = 10n ** 40n
    const refused = client.sendTransaction({ account: traveller, to: traveller.address, value, gas: 21_000n })
    await expect(refused).rejects.toThrow(/exceeds the balance of the account/)
  })
})

describe('with the default errors of network 33', () => {
  test('deploys, and reads code, storage and nonce', async () => {
    const client = connect('node33')
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: story.paid })
    const { abi, bytecode, deployedBytecode } = contracts.Storage
    const address = await deployed(
      client,
      await client.deployContract({ abi, bytecode, account, args: [7n] }),
    )
    expect(await client.getStorageAt({ address, slot: '0x0' })).toBe(toHex(7n, { size: 32 }))
    expect(await client.getCode({ address })).toBe(deployedBytecode)
    expect(await client.getTransactionCount({ address: account.address })).toBe(1)
  })

  test('passes on the words for a sender that never had money', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const request = { account, to: account.address, gas: 21_000n, gasPrice: 1n }
    const details = "the sender account doesn't exist"
    await expect(connect('node33').sendTransaction(request)).rejects.toMatchObject({ details })
    const known = connect('ethereum').sendTransaction(request)
    await expect(known).rejects.toThrow(/exceeds the balance of the account/)
  })
})

test('proves an account and a storage slot', async () => {
  const { client, address, alice } = await withToken()
  // The balances of an OpenZeppelin token are the mapping in slot 0.
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [alice, 0n]))
  const proof = await client.getProof({ address, storageKeys: [slot] })
  const code = await client.getCode({ address })
  expect(proof).toMatchObject({ nonce: 0, balance: 0n, codeHash: keccak256(code!) })
  expect(proof.accountProof.length).toBeGreaterThan(0)
  expect(proof.storageProof).toMatchObject([{ value: story.minted }])
  expect(await client.getStorageAt({ address, slot })).toBe(toHex(story.minted, { size: 32 }))
})

function balance(client: Client, address: Address): Promise<bigint> {
  return client.getBalance({ address })
}

/** An account without a key in the node, funded for a few payments. */
async function withTraveller() {
  const client = connect()
  const { owner } = await actors(client)
  const traveller = privateKeyToAccount(travellerKey)
  const hash = await client.sendTransaction({
    account: owner,
    to: traveller.address,
    value: 5n * story.paid,
  })
  await client.waitForTransactionReceipt({ hash })
  return { client, traveller }
}
