/** ethers 6 against the packed command: provider, signers and contracts over HTTP, with the node's default errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers'
import type { ContractTransactionReceipt, EventLog, InterfaceAbi, Signer } from 'ethers'
import { loadContracts } from '../support/contracts.ts'
import type { ContractName, Contracts } from '../support/contracts.ts'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { firstReport, story, travellerKey } from './story.ts'

let node: RunningNode
let contracts: Contracts
const providers: JsonRpcProvider[] = []

beforeAll(async () => {
  contracts = await loadContracts()
  node = await startDevNode()
})

afterAll(async () => {
  for (const provider of providers) provider.destroy()
  await node.stop()
})

/** Without the cache of 250 ms, in which a balance does not change, and without the poll of four seconds. */
function connect(url = node.url): JsonRpcProvider {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, pollingInterval: 20 })
  providers.push(provider)
  return provider
}

async function actors(provider: JsonRpcProvider) {
  const [owner, alice, bob] = await Promise.all([0, 1, 2].map((index) => provider.getSigner(index)))
  return { owner: owner!, alice: alice!, bob: bob! }
}

async function deploy(name: ContractName, signer: Signer, ...args: unknown[]): Promise<Contract> {
  const abi = contracts[name].abi as InterfaceAbi
  const deployed = await new ContractFactory(abi, contracts[name].bytecode, signer).deploy(...args)
  await deployed.waitForDeployment()
  return new Contract(deployed.target, abi, signer)
}

/** A token whose whole supply Alice holds. */
async function withToken() {
  const provider = connect()
  const { owner, alice, bob } = await actors(provider)
  const token = await deploy('GameToken', owner, owner.address)
  await mined(token['mint']!(alice.address, story.minted))
  const transfer = (amount: bigint) => mined(as(alice, token)['transfer']!(bob.address, amount))
  return { provider, owner, alice, bob, token, transfer }
}

function as(signer: Signer, { target, interface: abi }: Contract): Contract {
  return new Contract(target, abi, signer)
}

async function mined(
  sending: Promise<{ wait(): Promise<ContractTransactionReceipt | null> }>,
): Promise<ContractTransactionReceipt> {
  const sent = await sending
  return (await sent.wait())!
}

describe('contracts', () => {
  test('mints and transfers', async () => {
    const { token, alice, bob, transfer } = await withToken()
    expect(await transfer(story.transferred)).toMatchObject({ status: 1, from: alice.address })
    expect(await token['balanceOf']!(bob)).toBe(story.transferred)
    expect(await token['balanceOf']!(alice)).toBe(story.minted - story.transferred)
  })
})

describe('events', () => {
  test('finds logs by their indexed arguments', async () => {
    const { token, alice, bob, transfer } = await withToken()
    const { hash } = await transfer(story.transferred)
    const filter = token.filters['Transfer']!(alice, bob)
    const events = (await token.queryFilter(filter, 0)) as EventLog[]
    expect(events.map(({ transactionHash, args }) => [transactionHash, ...args])).toEqual([
      [hash, alice.address, bob.address, story.transferred],
    ])
  })

  test('listens to a contract', async () => {
    const { token, alice, bob, transfer } = await withToken()
    const filter = token.filters['Transfer']!(alice)
    const args = await firstReport<unknown[]>(
      (report) => {
        void token.on(filter, (log: { args: unknown[] }) => report([...log.args]))
        return () => token.off(filter)
      },
      () => transfer(1n),
    )
    expect(args).toEqual([alice.address, bob.address, 1n])
  })

  test('listens to blocks', async () => {
    const provider = connect()
    const number = await firstReport<number>(
      (report) => {
        void provider.on('block', report)
        return () => provider.off('block')
      },
      () => provider.send('evm_mine', []),
    )
    expect(number).toBeLessThanOrEqual(await provider.getBlockNumber())
  })
})

describe('native currency', () => {
  test('moves with a transaction of an account of the node', async () => {
    const provider = connect()
    const { alice, bob } = await actors(provider)
    const before = { alice: await provider.getBalance(alice), bob: await provider.getBalance(bob) }
    const { fee } = (await (await alice.sendTransaction({ to: bob, value: story.paid })).wait())!
    expect(await provider.getBalance(bob)).toBe(before.bob + story.paid)
    expect(await provider.getBalance(alice)).toBe(before.alice - story.paid - fee)
  })

  test('moves with a transaction signed here', async () => {
    const { provider, traveller, bob } = await withTraveller()
    const before = await provider.getBalance(bob)
    const sent = await traveller.sendTransaction({ to: bob, value: story.paid })
    expect((await sent.wait())?.status).toBe(1)
    expect(await provider.getBalance(bob)).toBe(before + story.paid)
    expect(await provider.getTransaction(sent.hash)).toMatchObject({
      from: traveller.address,
      value: story.paid,
      chainId: BigInt(node.ready.chainId),
    })
  })

  test('is refused to a sender without enough of it', async () => {
    const { traveller } = await withTraveller()
    const refused = traveller.sendTransaction({ to: traveller, value: 10n ** 40n, gasLimit: 21_000n })
    await expect(refused).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('is refused with a nonce used before', async () => {
    const { traveller, bob } = await withTraveller()
    const nonce = await traveller.getNonce()
    await (await traveller.sendTransaction({ to: bob, value: 1n, nonce })).wait()
    const refused = traveller.sendTransaction({ to: bob, value: 2n, nonce })
    await expect(refused).rejects.toMatchObject({ code: 'NONCE_EXPIRED' })
  })
})

/** An account without a key in the node, funded for a few payments. */
async function withTraveller() {
  const provider = connect()
  const { owner, bob } = await actors(provider)
  const traveller = new Wallet(travellerKey, provider)
  await (await owner.sendTransaction({ to: traveller, value: 5n * story.paid })).wait()
  return { provider, traveller, bob }
}
