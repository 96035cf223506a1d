/** ethers 6 against the packed command: provider, signers and contracts over HTTP, with the node's default errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, JsonRpcProvider, Wallet, isError } from 'ethers'
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

async function withReverter() {
  const provider = connect()
  const { owner } = await actors(provider)
  return { provider, owner, reverter: await deploy('Reverter', owner) }
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

/** The error of a revert as ethers decodes it; undefined if it does not. */
async function revertOf(failing: Promise<unknown>) {
  const error: unknown = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isError(error, 'CALL_EXCEPTION')) return undefined
  const args: unknown[] = [...(error.revert?.args ?? [])]
  return { reason: error.reason, name: error.revert?.name, args, data: error.data }
}

/** The error of the node inside the error that ethers throws. */
async function answerOf(failing: Promise<unknown>) {
  const error: any = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error?.error as { code: number; message: string; data: string } | undefined
}

describe('contracts', () => {
  test('mints and transfers', async () => {
    const { token, alice, bob, transfer } = await withToken()
    expect(await transfer(story.transferred)).toMatchObject({ status: 1, from: alice.address })
    expect(await token['balanceOf']!(bob)).toBe(story.transferred)
    expect(await token['balanceOf']!(alice)).toBe(story.minted - story.transferred)
  })

  test('finds the transaction and its block', async () => {
    const { provider, alice, token, transfer } = await withToken()
    const receipt = await transfer(1n)
    const block = await provider.getBlock(receipt.blockHash, true)
    expect(block?.prefetchedTransactions).toMatchObject([
      { hash: receipt.hash, from: alice.address, to: token.target, index: 0, type: 0 },
    ])
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

  test('decodes the logs of a receipt', async () => {
    const { alice, bob, transfer } = await withToken()
    const [log] = (await transfer(1n)).logs as EventLog[]
    expect([log?.eventName, log?.index]).toEqual(['Transfer', 0])
    expect([...log!.args]).toEqual([alice.address, bob.address, 1n])
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

describe('reverts', () => {
  test('decodes the error of a call', async () => {
    const { owner, reverter } = await withReverter()
    const { code, text } = story.refusal
    expect(await revertOf(reverter['callWithReason']!(story.reason))).toMatchObject({ reason: story.reason })
    expect(await revertOf(reverter['callWithCustomError']!(code, text))).toMatchObject({
      name: 'Refused',
      args: [owner.address, code, text],
    })
    expect(await revertOf(reverter['callWithPanic']!(0n))).toMatchObject({
      name: 'Panic',
      // ethers decodes this one number as a number.
      args: [Number(story.divisionByZero)],
    })
    expect(await revertOf(reverter['callWithoutReason']!())).toMatchObject({ name: undefined })
  })

  test('decodes the error of a static call of a transaction', async () => {
    const { token, alice, bob } = await withToken()
    expect(await revertOf(as(bob, token)['transfer']!.staticCall(alice.address, 1n))).toMatchObject({
      name: 'ERC20InsufficientBalance',
      args: [bob.address, 0n, 1n],
    })
  })

  test('passes on the data of a failed estimate, before anything is sent', async () => {
    const { token, alice } = await withToken()
    const revert = await revertOf(as(alice, token)['mint']!(alice.address, 1n))
    const custom = token.interface.parseError(revert!.data!)
    expect([custom?.name, ...(custom?.args ?? [])]).toEqual(['OwnableUnauthorizedAccount', alice.address])
  })

  test('passes on the error of a sent transaction', async () => {
    const { owner, reverter } = await withReverter()
    const gasLimit = story.plentyOfGas
    const { code, text } = story.refusal
    expect(await answerOf(reverter['withReason']!(story.reason, { gasLimit }))).toMatchObject({
      code: -32015,
      message: `VM Exception while processing transaction: revert ${story.reason}`,
    })
    const refused = await answerOf(reverter['withCustomError']!(code, text, { gasLimit }))
    const custom = reverter.interface.parseError(refused!.data)
    expect([custom?.name, ...(custom?.args ?? [])]).toEqual(['Refused', owner.address, code, text])
  })

  test('finds the receipt of a transaction that failed', async () => {
    const { provider, reverter } = await withReverter()
    await answerOf(reverter['withReason']!(story.reason, { gasLimit: story.plentyOfGas }))
    const block = await provider.getBlock('latest')
    const receipt = await provider.getTransactionReceipt(block!.transactions[0]!)
    expect(receipt).toMatchObject({ status: 0, to: reverter.target, logs: [] })
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
