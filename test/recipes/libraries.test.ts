/** The guides to client libraries, to Truffle's network and to a node in the process: runs their code, and checks that its requests reach the node. */
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { countByWorld, receivedRequests, recipe, runShell } from '../support/recipes.ts'

let project: Project
let node: RunningNode

beforeAll(async () => {
  project = await createProject()
  node = await startDevNode(['--verbose'])
})

afterAll(async () => {
  await node.stop()
  await project.remove()
})

/** Runs code as a module of the project; returns its output, and the number of its requests for a method by chain. */
async function run(code: readonly string[], method: string, env: NodeJS.ProcessEnv = {}) {
  const printedBefore = node.stdout().length
  await project.write('program.js', code.join('\n'))
  const { exitCode, output } = await runShell('node program.js', project.folder, env)
  return { exitCode, output, received: countByWorld(await receivedRequests(node, printedBefore), method) }
}

test('viem', async () => {
  const code = [
    ...recipe('docs/libraries.md#viem', 'ts', node.url),
    'console.log(await client.getGasPrice())',
  ]
  expect(await run(code, 'eth_gasPrice')).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^\d+n\n$/),
    received: { '': 1 },
  })
})

test('ethers', async () => {
  const code = [
    ...recipe('docs/libraries.md#ethers', 'js', node.url),
    'const sent = await signer.sendTransaction({ to: signer.address, value: 7n })',
    'console.log((await sent.wait()).status)',
  ]
  expect(await run(code, 'eth_sendTransaction')).toEqual({ exitCode: 0, output: '1\n', received: { '': 1 } })
})

test('web3.js', async () => {
  const code = [
    ...recipe('docs/libraries.md#web3js', 'js', node.url),
    "const sent = await web3.eth.sendTransaction({ from: account, to: account, value: '7' })",
    'console.log(sent.status)',
    'process.exit()',
  ]
  expect(await run(code, 'eth_sendTransaction')).toEqual({ exitCode: 0, output: '1n\n', received: { '': 1 } })
})

test('web3.js sends nothing on network 33 without the type, and with a gas price instead', async () => {
  const code = [
    ...recipe('docs/libraries.md#web3js', 'js', node.url).map((block) =>
      block.replace(/^web3\.default.*$/m, ''),
    ),
    'const payment = { from: account, to: account }',
    'await web3.eth.sendTransaction(payment).catch(({ message }) => console.log(message))',
    'console.log((await web3.eth.sendTransaction({ ...payment, gasPrice: 0n })).status)',
  ]
  expect(await run(code, 'eth_sendTransaction')).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/1559[^]*\n1n\n$/),
    received: { '': 1 },
  })
})

test('a local socket', async () => {
  const own = await startDevNode(['--ipc', 'node.ipc'], {}, project.folder)
  const code = [
    ...recipe('docs/libraries.md#a-local-socket', 'js', node.url),
    'console.log(await ethers.getBlockNumber(), await viem.getBlockNumber())',
    'process.exit()',
  ]
  expect(await run(code, 'eth_blockNumber')).toEqual({ exitCode: 0, output: '0 0n\n', received: {} })
  await own.stop()
})

test('a snapshot between tests', async () => {
  const [between] = recipe('docs/libraries.md#snapshots-between-tests', 'js', node.url)
  const code = [
    ...recipe('docs/libraries.md#ethers', 'js', node.url),
    'const before = await provider.getBlockNumber()',
    between!.replace('// ... a test ...', "await provider.send('evm_mine', [])"),
    'console.log((await provider.getBlockNumber()) === before)',
  ]
  expect(await run(code, 'evm_revert')).toEqual({ exitCode: 0, output: 'true\n', received: { '': 1 } })
})

test('a world for each worker', async () => {
  const code = [
    "import { JsonRpcProvider } from 'ethers'",
    ...recipe('docs/state.md#worlds-a-chain-for-every-test-worker', 'js', node.url),
    "console.log(await provider.send('evm_snapshot', []))",
  ]
  expect(await run(code, 'evm_snapshot', { JEST_WORKER_ID: '3' })).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^0x/),
    received: { 'worker-3': 1 },
  })
})

test('subscriptions', async () => {
  const code = [
    ...recipe('docs/libraries.md#websocket', 'js', node.url),
    "provider.on('block', () => process.exit())",
    // The subscription begins in its own time.
    "for (;;) await provider.send('evm_mine', [])",
  ]
  expect(await run(code, 'eth_subscribe')).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^\d+\n$/),
    received: { '': 1 },
  })
})

test('snapshots with names', async () => {
  const [named] = recipe('docs/state.md#snapshots', 'js', node.url)
  const code = [...recipe('docs/libraries.md#ethers', 'js', node.url), named!]
  expect(await run(code, 'dev_snapshots')).toEqual({ exitCode: 0, output: '', received: { '': 1 } })
})

test('the network of Truffle is the default chain', async () => {
  const [configuration] = recipe('docs/hardhat.md#truffle', 'js', node.url)
  const module = { exports: { networks: { development: { url: '' } } } }
  runInNewContext(configuration!, { module })
  expect(await request(module.exports.networks.development.url, 'eth_accounts')).toEqual(node.ready.accounts)
})

describe('in the process', () => {
  test('a node without a port', async () => {
    const [code] = recipe('docs/test-runners.md#a-node-without-a-port', 'js', node.url)
    const shown = 'console.log(height)\nawait node.close()'
    const outcome = await run([code!.replace('await node.close()', shown)], 'eth_blockNumber')
    expect(outcome).toEqual({ exitCode: 0, output: '0x0\n', received: {} })
  })

  test('a node of a test file', async () => {
    const [own] = recipe('docs/test-runners.md#a-node-in-a-test-file', 'js', node.url)
    const code = [own!, "console.log(await chain.rpc('eth_blockNumber'))", 'await close()']
    expect(await run(code, 'eth_blockNumber')).toEqual({ exitCode: 0, output: '0x0\n', received: {} })
  })
})
