/** The guide to Hardhat 3, with the packages installed for it: all of its requests have to reach the node. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { packagesFolder, request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { HARDHAT_3, pathWithNewerNode } from '../support/packages.ts'
import { createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { countByWorld, receivedRequests, recipe, runShell } from '../support/recipes.ts'

const ALICE = '0x00000000000000000000000000000000000a11ce'

/** A test file as the recipe describes it. */
const NODE_TEST = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { network } from 'hardhat'

const { viem, networkHelpers } = await network.getOrCreate()

test('transactions, assertions and helpers', async () => {
  const publicClient = await viem.getPublicClient()
  const testClient = await viem.getTestClient()
  const [sender, receiver] = await viem.getWalletClients()
  const { address } = receiver.account
  const paid = sender.sendTransaction({ to: address, value: 7n })
  await viem.assertions.balancesHaveChanged(paid, [{ address, amount: 7n }])
  const before = await publicClient.getBlockNumber()
  await networkHelpers.mine(3)
  assert.equal(await publicClient.getBlockNumber(), before + 3n)
  await testClient.setBalance({ address, value: 5n })
  assert.equal(await publicClient.getBalance({ address }), 5n)
})
`

/** Resets to a remote, by requests and by viem. */
const FORK_TEST = `
import assert from 'node:assert/strict'
import { network } from 'hardhat'

const { provider, viem } = await network.getOrCreate()
const jsonRpcUrl = process.env.FORK_URL
const address = '${ALICE}'

it('resets to a remote', async () => {
  const publicClient = await viem.getPublicClient({ cacheTime: 0 })
  const testClient = await viem.getTestClient()
  const state = async () => [await publicClient.getBlockNumber(), await publicClient.getBalance({ address })]
  const begun = await state()
  await provider.request({ method: 'hardhat_reset', params: [{ forking: { jsonRpcUrl, blockNumber: 1 } }] })
  assert.deepEqual(await state(), [1n, 7n])
  await testClient.reset({ jsonRpcUrl, blockNumber: 2n })
  assert.deepEqual(await state(), [2n, 8n])
  const [sender] = await viem.getWalletClients()
  await viem.assertions.balancesHaveChanged(sender.sendTransaction({ to: address, value: 5n }), [{ address, amount: 5n }])
  assert.deepEqual(await state(), [3n, 13n])
  await provider.request({ method: 'hardhat_reset', params: [] })
  assert.deepEqual(await state(), begun)
})
`

const MOCHA_TEST = `
import { network } from 'hardhat'

it('sends a transaction', async () => {
  const { provider } = await network.getOrCreate()
  const [from, to] = await provider.request({ method: 'eth_accounts' })
  await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
})
`

let node: RunningNode
let project: Project

beforeAll(async () => {
  node = await startDevNode(['--verbose'])
  project = await createProjectWith(HARDHAT_3)
  const [configuration] = recipe('docs/hardhat.md#hardhat-3', 'ts', node.url)
  await project.write('hardhat.config.ts', configuration!)
  const mocha = configuration!
    .replace('import', "import hardhatMocha from '@nomicfoundation/hardhat-mocha'\nimport")
    .replace('plugins: [', '$&hardhatMocha, ')
    .replace('defineConfig({', 'defineConfig({ test: { mocha: { parallel: true, jobs: 2 } },')
  await project.write('mocha.config.ts', mocha)
  await project.write('mocha/one.ts', MOCHA_TEST)
  await project.write('mocha/reset.ts', FORK_TEST)
  for (const name of ['one', 'two']) await project.write(`test/${name}.ts`, NODE_TEST)
}, 600_000)

afterAll(async () => {
  await node.stop()
  await project.remove()
})

/** Runs a command of the recipe; returns its exit code, and how many transactions each chain was sent. */
async function run(command: string, env: NodeJS.ProcessEnv = {}) {
  const printedBefore = node.stdout().length
  const PATH = pathWithNewerNode(await packagesFolder(HARDHAT_3))
  // There is no contract to compile; without the flag Hardhat asks the network for its compiler all the same.
  const { exitCode, output } = await runShell(`${command} --no-compile`, project.folder, { PATH, ...env })
  const sent = countByWorld(await receivedRequests(node, printedBefore), 'eth_sendTransaction')
  return { failure: exitCode === 0 ? '' : output, sent }
}

const [COMMAND] = recipe('docs/hardhat.md#hardhat-3', 'sh', 'http://127.0.0.1:4444')

test('node:test uses the default chain', async () => {
  expect(await run(COMMAND!.trim())).toEqual({ failure: '', sent: { '': 2 } })
})

test('each worker of Mocha uses a chain of its own, which a reset makes a fork', async () => {
  const remote = await startDevNode()
  try {
    const [from] = remote.ready.accounts
    for (const value of ['0x7', '0x1'])
      await request(remote.url, 'eth_sendTransaction', [{ from, to: ALICE, value }])
    const command = COMMAND!.trim().replace('test', 'test mocha mocha/one.ts mocha/reset.ts')
    const outcome = await run(`${command} --config mocha.config.ts`, { FORK_URL: remote.url })
    expect(outcome).toEqual({ failure: '', sent: { 'mocha-0': 1, 'mocha-1': 1 } })
  } finally {
    await remote.stop()
  }
})
