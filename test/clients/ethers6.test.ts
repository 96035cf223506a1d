/** ethers 6 against the packed command: provider, signers and contracts over HTTP, with the node's default errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  AbiCoder,
  Contract,
  ContractFactory,
  JsonRpcProvider,
  Transaction,
  Wallet,
  getAddress,
  isError,
  keccak256,
  toBeHex,
} from 'ethers'
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
  test('deploys with an account of the node', async () => {
    const { provider, token } = await withToken()
    expect(await provider.getCode(token)).toHaveLength(contracts.GameToken.deployedBytecode.length)
  })

  test('mints and transfers', async () => {
    const { token, alice, bob, transfer } = await withToken()
    expect(await transfer(story.transferred)).toMatchObject({ status: 1, from: alice.address })
    expect(await token['balanceOf']!(bob)).toBe(story.transferred)
    expect(await token['balanceOf']!(alice)).toBe(story.minted - story.transferred)
  })

  test('reads the state of an earlier block', async () => {
    const { token, alice, transfer } = await withToken()
    const { blockNumber } = await transfer(story.transferred)
    expect(await token['balanceOf']!(alice, { blockTag: blockNumber - 1 })).toBe(story.minted)
  })

  test('estimates the gas that suffices exactly', async () => {
    const { token, alice, bob } = await withToken()
    const gasLimit = await as(alice, token)['transfer']!.estimateGas(bob, 1n)
    const receipt = await mined(as(alice, token)['transfer']!(bob, 1n, { gasLimit }))
    expect(receipt.status).toBe(1)
    expect(receipt.gasUsed).toBeLessThanOrEqual(gasLimit)
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

test('reads the pending block', async () => {
  const provider = connect()
  const { number, hash } = (await provider.getBlock('latest'))!
  expect(await provider.getBlock('pending')).toMatchObject({ number: number + 1, parentHash: hash })
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

  test('moves with a raw transaction, whose hash is known before it is sent', async () => {
    const { provider, traveller, bob } = await withTraveller()
    const request = await traveller.populateTransaction({ to: bob, value: 1n })
    const raw = await traveller.signTransaction(request)
    expect(await provider.send('eth_sendRawTransaction', [raw])).toBe(Transaction.from(raw).hash)
    expect(await traveller.getNonce()).toBe(request.nonce! + 1)
  })

  test('deploys with a key of its own', async () => {
    const { traveller } = await withTraveller()
    const storage = await deploy('Storage', traveller, 7n)
    expect(await storage['value']!()).toBe(7n)
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

describe('time and snapshots', () => {
  test('reverts to a snapshot', async () => {
    const { provider, token, bob, transfer } = await withToken()
    const blockNumber = await provider.getBlockNumber()
    const id: string = await provider.send('evm_snapshot', [])
    const { hash } = await transfer(story.transferred)
    expect(await provider.send('evm_revert', [id])).toBe(true)
    expect(await provider.getBlockNumber()).toBe(blockNumber)
    expect(await token['balanceOf']!(bob)).toBe(0n)
    expect(await provider.getTransactionReceipt(hash)).toBeNull()
  })

  test('moves the clock on', async () => {
    const provider = connect()
    const before = (await provider.getBlock('latest'))!
    await provider.send('evm_increaseTime', [story.secondsPerDay])
    await provider.send('evm_mine', [])
    const after = (await provider.getBlock('latest'))!
    expect(after.timestamp - before.timestamp).toBeGreaterThanOrEqual(story.secondsPerDay)
    expect(after.parentHash).toBe(before.hash)
  })

  test('gives the next block a timestamp', async () => {
    const { provider, transfer } = await withToken()
    const { timestamp } = (await provider.getBlock('latest'))!
    await provider.send('evm_setNextBlockTimestamp', [timestamp + 1000])
    const block = await (await transfer(1n)).getBlock()
    expect(block.timestamp).toBe(timestamp + 1000)
  })
})

test('proves an account and a storage slot', async () => {
  const { provider, token, alice } = await withToken()
  // The balances of an OpenZeppelin token are the mapping in slot 0.
  const slot = keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [alice.address, 0n]))
  const proof = await provider.send('eth_getProof', [token.target, [slot], 'latest'])
  const codeHash = keccak256(await provider.getCode(token))
  expect({ ...proof, address: getAddress(proof.address) }).toMatchObject({
    address: token.target,
    balance: '0x0',
    nonce: '0x0',
    codeHash,
    storageProof: [{ value: toBeHex(story.minted) }],
  })
  expect(await provider.getStorage(token, slot)).toBe(toBeHex(story.minted, 32))
})

/** An account without a key in the node, funded for a few payments. */
async function withTraveller() {
  const provider = connect()
  const { owner, bob } = await actors(provider)
  const traveller = new Wallet(travellerKey, provider)
  await (await owner.sendTransaction({ to: traveller, value: 5n * story.paid })).wait()
  return { provider, traveller, bob }
}
