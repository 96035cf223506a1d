/** ethers 5 against the packed command: provider, signers and contracts over HTTP, with the errors of Hardhat and geth. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { BigNumber, ContractFactory, Wallet, errors, providers } from 'ethers5'
import type { Contract, ContractReceipt, ContractTransaction, Signer } from 'ethers5'
import { loadContracts } from '../support/contracts.ts'
import type { ContractName, Contracts } from '../support/contracts.ts'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { firstReport, story, travellerKey } from './story.ts'

const dialects = ['hardhat', 'ethereum'] as const
type Dialect = (typeof dialects)[number]

let node: RunningNode
let contracts: Contracts

beforeAll(async () => {
  contracts = await loadContracts()
  node = await startDevNode()
})

afterAll(() => node.stop())

/** Without the poll of four seconds. */
function connect(dialect: Dialect = 'hardhat'): providers.JsonRpcProvider {
  const provider = new providers.JsonRpcProvider(withDialect(node.url, dialect))
  provider.pollingInterval = 20
  return provider
}

async function actors(provider: providers.JsonRpcProvider) {
  const [owner, alice, bob] = await provider.listAccounts()
  return {
    owner: { signer: provider.getSigner(0), address: owner! },
    alice: { signer: provider.getSigner(1), address: alice! },
    bob: { signer: provider.getSigner(2), address: bob! },
  }
}

async function deploy(name: ContractName, signer: Signer, ...args: unknown[]): Promise<Contract> {
  const { abi, bytecode } = contracts[name]
  const contract = await new ContractFactory(JSON.stringify(abi), bytecode, signer).deploy(...args)
  return contract.deployed()
}

/** A token whose whole supply Alice holds. */
async function withToken(dialect?: Dialect) {
  const provider = connect(dialect)
  const { owner, alice, bob } = await actors(provider)
  const token = await deploy('GameToken', owner.signer, owner.address)
  await mined(token['mint']!(alice.address, story.minted))
  const transfer = (amount: bigint) => mined(token.connect(alice.signer)['transfer']!(bob.address, amount))
  const balanceOf = async (holder: string) => ((await token['balanceOf']!(holder)) as BigNumber).toBigInt()
  return { provider, owner, alice, bob, token, transfer, balanceOf }
}

async function withReverter(dialect?: Dialect) {
  const provider = connect(dialect)
  const { owner } = await actors(provider)
  return { provider, owner, reverter: await deploy('Reverter', owner.signer) }
}

async function mined(sending: Promise<ContractTransaction>): Promise<ContractReceipt> {
  const sent = await sending
  return sent.wait()
}

/** The error of a rejected promise. */
async function failureOf(failing: Promise<unknown>): Promise<any> {
  return failing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

describe('contracts', () => {
  test('mints and transfers', async () => {
    const { alice, bob, transfer, balanceOf } = await withToken()
    expect(await transfer(story.transferred)).toMatchObject({ status: 1, from: alice.address })
    expect(await balanceOf(bob.address)).toBe(story.transferred)
    expect(await balanceOf(alice.address)).toBe(story.minted - story.transferred)
  })

  test('finds the transaction and its block', async () => {
    const { provider, alice, token, transfer } = await withToken()
    const { transactionHash, blockHash } = await transfer(1n)
    expect((await provider.getBlockWithTransactions(blockHash)).transactions).toMatchObject([
      { hash: transactionHash, from: alice.address, to: token.address, type: 0 },
    ])
  })
})

describe('events', () => {
  test('finds logs by their indexed arguments', async () => {
    const { token, alice, bob, transfer } = await withToken()
    const { transactionHash } = await transfer(story.transferred)
    const events = await token.queryFilter(token.filters['Transfer']!(alice.address, bob.address), 0)
    expect(events).toMatchObject([{ transactionHash, event: 'Transfer', logIndex: 0, removed: false }])
    expect(events[0]?.args?.['value'].toBigInt()).toBe(story.transferred)
  })

  test('decodes the logs of a receipt', async () => {
    const { alice, bob, transfer } = await withToken()
    const { events } = await transfer(1n)
    expect(events).toMatchObject([{ event: 'Transfer', logIndex: 0 }])
    expect(events?.[0]?.args?.slice(0, 2)).toEqual([alice.address, bob.address])
  })

  test('listens to a contract', async () => {
    const { token, alice, bob, transfer } = await withToken()
    const filter = token.filters['Transfer']!(alice.address)
    const args = await firstReport<unknown[]>(
      (report) => {
        token.on(filter, (from, to, value) => report([from, to, value.toBigInt()]))
        return () => token.removeAllListeners()
      },
      () => transfer(1n),
    )
    expect(args).toEqual([alice.address, bob.address, 1n])
  })
})

describe('reverts', () => {
  test.each(dialects)('decodes the error of a call: %s', async (dialect) => {
    const { owner, reverter } = await withReverter(dialect)
    const { code, text } = story.refusal
    const call = (name: string, ...args: unknown[]) => failureOf(reverter[name]!(...args))
    expect(await call('callWithReason', story.reason)).toMatchObject({
      code: errors.CALL_EXCEPTION,
      reason: story.reason,
    })
    const refused = await call('callWithCustomError', code, text)
    expect(refused).toMatchObject({ code: errors.CALL_EXCEPTION, errorName: 'Refused' })
    expect([...refused.errorArgs]).toEqual([owner.address, BigNumber.from(code), text])
    const panicked = await call('callWithPanic', 0)
    expect(panicked).toMatchObject({ code: errors.CALL_EXCEPTION, errorName: 'Panic' })
    expect(panicked.errorArgs[0].toBigInt()).toBe(story.divisionByZero)
    expect(await call('callWithoutReason')).toMatchObject({ code: errors.CALL_EXCEPTION, errorName: null })
  })

  test.each([
    ['hardhat', `VM Exception while processing transaction: reverted with reason string '${story.reason}'`],
    ['ethereum', `execution reverted: ${story.reason}`],
  ] as const)('says why an estimate failed, before anything is sent: %s', async (dialect, reason) => {
    const { reverter } = await withReverter(dialect)
    expect(await failureOf(reverter['withReason']!(story.reason))).toMatchObject({
      code: errors.UNPREDICTABLE_GAS_LIMIT,
      reason,
    })
  })

  test('decodes the data of a failed estimate', async () => {
    const { token, alice, bob } = await withToken()
    const failure = await failureOf(token.connect(bob.signer)['transfer']!(alice.address, 1))
    const custom = token.interface.parseError(failure.error.error.data)
    expect([custom.name, custom.args[0]]).toEqual(['ERC20InsufficientBalance', bob.address])
  })

  test('passes on the error of a sent transaction', async () => {
    const { reverter } = await withReverter('hardhat')
    const gasLimit = story.plentyOfGas
    const failure = await failureOf(reverter['withReason']!(story.reason, { gasLimit }))
    expect(failure.message).toContain(`reverted with reason string '${story.reason}'`)
  })

  test('waits for a transaction that fails as geth lets it', async () => {
    const { reverter } = await withReverter('ethereum')
    const sent = await reverter['withReason']!(story.reason, { gasLimit: story.plentyOfGas })
    expect(await failureOf(sent.wait())).toMatchObject({
      code: errors.CALL_EXCEPTION,
      receipt: { status: 0, transactionHash: sent.hash },
    })
  })
})

describe('native currency', () => {
  test('moves with a transaction of an account of the node', async () => {
    const provider = connect()
    const { alice, bob } = await actors(provider)
    const balances = () => Promise.all([alice, bob].map(({ address }) => provider.getBalance(address)))
    const [alicesBefore, bobsBefore] = await balances()
    const sent = await alice.signer.sendTransaction({ to: bob.address, value: story.paid })
    const { gasUsed, effectiveGasPrice } = await sent.wait()
    expect(await balances()).toEqual([
      alicesBefore!.sub(story.paid).sub(gasUsed.mul(effectiveGasPrice)),
      bobsBefore!.add(story.paid),
    ])
  })

  test('moves with a transaction signed here', async () => {
    const { provider, traveller, bob } = await withTraveller()
    const before = await provider.getBalance(bob.address)
    const sent = await traveller.sendTransaction({ to: bob.address, value: story.paid })
    expect((await sent.wait()).status).toBe(1)
    expect(await provider.getBalance(bob.address)).toEqual(before.add(story.paid))
    expect(await provider.getTransaction(sent.hash)).toMatchObject({
      from: traveller.address,
      chainId: node.ready.chainId,
    })
  })

  test('is refused to a sender without enough of it', async () => {
    const { traveller } = await withTraveller('ethereum')
    const refused = traveller.sendTransaction({
      to: traveller.address,
      value: BigNumber.from(10n ** 40n),
      gasLimit: 21_000,
    })
    expect(await failureOf(refused)).toMatchObject({ code: errors.INSUFFICIENT_FUNDS })
  })

  test('is refused with a nonce used before', async () => {
    const { traveller, bob } = await withTraveller('ethereum')
    const nonce = await traveller.getTransactionCount()
    const send = (value: number) =>
      traveller.sendTransaction({ to: bob.address, value, nonce, gasLimit: 21_000 })
    await (await send(1)).wait()
    expect(await failureOf(send(2))).toMatchObject({ code: errors.NONCE_EXPIRED })
  })
})

/** An account without a key in the node, funded for a few payments. */
async function withTraveller(dialect?: Dialect) {
  const provider = connect(dialect)
  const { owner, bob } = await actors(provider)
  const traveller = new Wallet(travellerKey, provider)
  const value = 5n * story.paid
  await (await owner.signer.sendTransaction({ to: traveller.address, value })).wait()
  return { provider, traveller, bob }
}
