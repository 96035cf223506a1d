/**
 * Suites in Truffle's style, with web3.js 4 against the packed command: contracts made by `new`, a clean room around
 * every test, and the helpers for time, reverts and balances of such suites, with the same requests.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { HttpProvider, Web3 } from 'web3'
import { loadContracts } from '../support/contracts.ts'
import type { ContractName, Contracts } from '../support/contracts.ts'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { story } from './story.ts'

const NETWORKS = ['network-33', 'ethereum'] as const

const nodes = new Map<string, RunningNode>()
let contracts: Contracts

beforeAll(async () => {
  contracts = await loadContracts()
  for (const network of NETWORKS)
    nodes.set(network, await startDevNode(['--network', network, '--dialect', 'node33']))
})

afterAll(() => Promise.all([...nodes.values()].map((node) => node.stop())))

/** The environment that Truffle gives to a suite: accounts, contracts, and requests as its helpers send them. */
async function suiteOn(network: string, world: string) {
  const url = `${nodes.get(network)!.url}/w/${world}`
  const provider = new HttpProvider(url)
  const web3 = new Web3(provider)
  web3.setConfig({ transactionPollingInterval: 20 })
  if (network === 'network-33') web3.setConfig({ defaultTransactionType: '0x0' })
  const accounts = await web3.eth.getAccounts()
  // The gas Truffle gives to everything.
  const gas = '6721975'

  /** `Artifact.new(...args, { from })` */
  async function make(name: ContractName, ...args: unknown[]): Promise<any> {
    const { abi, bytecode } = contracts[name]
    const contract = new web3.eth.Contract(abi as any).deploy({ data: bytecode, arguments: args as never })
    return contract.send({ from: accounts[0]!, gas })
  }

  /** A request of a helper: a time as its id, and no params where there are none. */
  async function request(method: string, ...params: unknown[]): Promise<any> {
    const id = Date.now()
    const sent = { jsonrpc: '2.0' as const, id, method, ...(params.length === 0 ? {} : { params }) }
    const answer = (await provider.request(sent)) as any
    expect(answer).toMatchObject({ id, jsonrpc: '2.0' })
    return answer.result
  }

  /** `contract()` reverts between suites, and suites between tests. */
  async function inCleanRoom<Result>(run: () => Promise<Result>): Promise<Result> {
    const id = await request('evm_snapshot')
    try {
      return await run()
    } finally {
      expect(await request('evm_revert', id)).toBe(true)
    }
  }

  const latest = () => web3.eth.getBlock('latest')
  const options = (from: string) => ({ from, gas })
  return { web3, accounts, make, request, inCleanRoom, latest, options }
}

/** All texts of an error, in which `expectRevert` searches for the reason. */
async function wordsOf(failing: PromiseLike<unknown>): Promise<string> {
  const said: string[] = []
  let reason: any = await failing.then(
    () => undefined,
    (error: unknown) => error,
  )
  for (; reason !== undefined && reason !== null; reason = reason.cause) said.push(String(reason.message))
  return said.join('\n')
}

describe.each(NETWORKS)('a suite on %s', (network) => {
  test('creates a new contract for each test, and leaves no changes', async () => {
    const { web3, accounts, make, inCleanRoom, latest, options } = await suiteOn(network, 'rooms')
    const before = await latest()
    const run = () =>
      inCleanRoom(async () => {
        const token = await make('GameToken', accounts[0])
        await token.methods.mint(accounts[1], 5).send(options(accounts[0]!))
        expect(await token.methods.balanceOf(accounts[1]).call()).toBe(5n)
        return token.options.address as string
      })
    const [first, second] = [await run(), await run()]
    expect(second).toBe(first)
    expect(await web3.eth.getCode(first)).toBe('0x')
    expect((await latest()).hash).toBe(before.hash)
  })

  test('finds events in receipts, and in logs', async () => {
    const { accounts, make, options } = await suiteOn(network, 'events')
    const [owner, alice] = accounts
    const token = await make('GameToken', owner)
    const receipt = await token.methods.mint(alice, 7).send(options(owner!))
    expect(receipt.events.Transfer.returnValues).toMatchObject({ to: alice, value: 7n })
    const { blockNumber: fromBlock, transactionHash } = receipt
    const [logged] = await token.getPastEvents('Transfer', { filter: { to: alice }, fromBlock })
    expect(logged).toMatchObject({ transactionHash, event: 'Transfer', returnValues: { value: 7n } })
  })

  test('expects reverts by their text, of calls and of transactions', async () => {
    const { accounts, make, options } = await suiteOn(network, 'reverts')
    const reverter = await make('Reverter')
    const { withReason, callWithReason, withPanic } = reverter.methods
    const from = options(accounts[1]!)
    expect(await wordsOf(withReason(story.reason).send(from))).toContain(`revert ${story.reason}`)
    expect(await wordsOf(callWithReason(story.reason).call(from))).toContain(`revert ${story.reason}`)
    expect(await wordsOf(withPanic(0).send(from))).toContain('revert')
    expect(await reverter.methods.attempts().call()).toBe(0n)
  })

  test('moves time on in steps, and to a moment', async () => {
    const { request, latest } = await suiteOn(network, 'time')
    const { timestamp } = await latest()
    await request('evm_increaseTime', story.secondsPerDay)
    await request('evm_mine')
    const next = await latest()
    expect(next.timestamp - timestamp).toBeGreaterThanOrEqual(BigInt(story.secondsPerDay))
    // time.advanceBlockTo: a block by a block.
    for (let block = 0; block < 5; block++) await request('evm_mine')
    expect((await latest()).number).toBe(next.number + 5n)
    await request('evm_mine', 4_000_000_000)
    expect((await latest()).timestamp).toBe(4_000_000_000n)
  })

  test('tracks the balances of accounts', async () => {
    const { web3, accounts, make, options } = await suiteOn(network, 'balances')
    const [owner, alice, bob] = accounts
    const vault = await make('Vault', owner)
    const before = await web3.eth.getBalance(bob!)
    await web3.eth.sendTransaction({ from: alice!, to: bob!, value: story.paid })
    expect((await web3.eth.getBalance(bob!)) - before).toBe(story.paid)
    await web3.eth.sendTransaction({ ...options(alice!), to: vault.options.address, value: 3 })
    expect(await vault.methods.deposits(alice).call()).toBe(3n)
  })

  test('is isolated from a suite that runs at the same time', async () => {
    const [one, other] = [await suiteOn(network, 'left'), await suiteOn(network, 'right')]
    const token = await one.make('GameToken', one.accounts[0])
    expect(await other.web3.eth.getCode(token.options.address)).toBe('0x')
  })
})
