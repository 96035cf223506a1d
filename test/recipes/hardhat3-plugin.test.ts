/** The guide to Hardhat 3 in one process, with the packages installed for it. EDR may make no chain. */
import { spawn } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gasReportObject } from '../../lib/modules/gas-report/results.ts'
import { untilHeld } from './held-process.ts'
import { commandPath, packagesFolder, request } from '../support/packed-command.ts'
import { HARDHAT_3, pathWithNewerNode } from '../support/packages.ts'
import { createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

/** Hardhat loads EDR, the code of its own chain, in any case. */
const NO_EDR = `
const { dlopen } = process
process.dlopen = (module, file, ...rest) => {
  dlopen(module, file, ...rest)
  const { EdrContext } = module.exports
  if (EdrContext === undefined) return
  EdrContext.prototype.createProvider = () => { throw new Error('EDR made a chain') }
}`

const COUNTER = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "hardhat/console.sol";
contract Counter {
  event Increased(uint256 by);
  uint256 public count;
  function increase(uint256 by) public {
    require(by > 0, "nothing to add");
    count += by;
    emit Increased(by);
    console.log("count is %s", count);
  }
  function seen() external pure returns (bool) {
    return true;
  }
}`

const VIEM_TEST = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { network } from 'hardhat'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import config from '../hardhat.config.ts'

const { viem, provider } = await network.getOrCreate()

test('a contract', async () => {
  const counter = await viem.deployContract('Counter')
  await viem.assertions.emitWithArgs(counter.write.increase([3n]), counter, 'Increased', [3n])
  await viem.assertions.revertWith(counter.write.increase([0n]), 'nothing to add')
})

test('errors', async () => {
  const counter = await viem.deployContract('Counter')
  const [from] = await provider.request({ method: 'eth_accounts' })
  const send = { from, gas: '0x186a0', to: counter.address, data: '0x30f3f0db' + '0'.repeat(64) }
  const reverted = await provider.request({ method: 'eth_sendTransaction', params: [send] }).catch((error) => error)
  assert.equal(reverted.name, 'SolidityError')
  assert.equal(reverted.code, 3)
  assert.match(reverted.stack, /^SolidityError: VM Exception.*\\n    at Counter.increase \\(contracts.Counter.sol:9\\)\\n/)
  assert.equal(reverted.solidityStack, 'Counter.increase (contracts/Counter.sol:9)')
  assert.match(reverted.data, /^0x08c379a0/)
  const { status } = await provider.request({ method: 'eth_getTransactionReceipt', params: [reverted.transactionHash] })
  assert.equal(status, '0x0')
  const unknown = await provider.request({ method: 'eth_nothing' }).catch((error) => error)
  assert.deepEqual([unknown.name, unknown.code, unknown._isProviderError], ['ProviderError', -32004, true])
})

test('several connections', async () => {
  const one = await network.create()
  const events = []
  for (const name of ['message', 'notification']) one.provider.on(name, () => events.push(name))
  await one.provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
  await one.networkHelpers.mine(2)
  const other = await network.create({ chainType: 'l1', override: { chainId: 99, forking: undefined } })
  const blockNumber = async ({ provider }) => Number(await provider.request({ method: 'eth_blockNumber' }))
  assert.deepEqual([await blockNumber(one), await blockNumber(other)], [2, 0])
  assert.equal(await (await other.viem.getPublicClient()).getChainId(), 99)
  assert.deepEqual(events, ['message', 'notification', 'message', 'notification'])
  await one.close()
  await assert.rejects(one.provider.request({ method: 'eth_chainId' }), /closed/)
  await assert.rejects(network.create({ network: 'default', chainType: 'op' }), /has no rules of Optimism/)
  await assert.rejects(network.create({ override: { blokTime: 1 } }), /unknown option blokTime; did you mean blockTime/)
})

test('settings', async () => {
  const { provider, viem } = await network.create('settings')
  const [wallet, ...others] = await viem.getWalletClients()
  const client = await viem.getPublicClient()
  const { address } = wallet.account
  assert.deepEqual([address, others.length], ['0x829d6340219fdb6805b8a5c8c3baec3ee0d6debb', 1])
  assert.equal(await client.getBalance({ address }), 10n ** 19n)
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ to: address }] })
  assert.equal(await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }), null)
  await provider.request({ method: 'evm_mine' })
  const { gas, gasPrice, from } = await client.getTransaction({ hash })
  assert.deepEqual([gas, gasPrice, from], [200_000n, 7n, address])
  const { gasLimit, miner, timestamp, baseFeePerGas } = await client.getBlock()
  assert.deepEqual([gasLimit, miner, baseFeePerGas], [1_000_000n, '0x00000000000000000000000000000000000a11ce', 0n])
  assert.equal(new Date(Number(timestamp) * 1000).getUTCFullYear(), 2030)
})

test('a flag whose report Hardhat reads from its own chain names that of the node', async () => {
  const flagged = await createHardhatRuntimeEnvironment(config, { gasStats: true })
  await assert.rejects(flagged.network.create(), /--gas-stats: .* set gasReport: true in the network [(]see: npx dev-node help DN-PAIR[)]$/)
})

test('closed connections free their memory', async () => {
  const heap = () => (globalThis.gc(), process.memoryUsage().heapUsed)
  let before
  for (let count = 0; count < 500; count++) {
    if (count === 100) before = heap()
    const { provider, close } = await network.create()
    await provider.request({ method: 'hardhat_mine', params: ['0x3'] })
    await close()
  }
  const bytes = (heap() - before) / 400
  assert.ok(bytes < 10000, bytes + ' bytes per connection')
})
`

const SETTINGS = `
    settings: {
      type: 'dev-node',
      accounts: { count: 2, initialIndex: 3, passphrase: 'p', accountsBalance: 10n ** 19n },
      allowUnlimitedContractSize: true, blockGasLimit: 1_000_000, coinbase: '0x00000000000000000000000000000000000a11ce',
      from: '0x829d6340219fdb6805b8a5c8c3baec3ee0d6debb', gas: 200_000, gasPrice: 7, initialBaseFeePerGas: 0,
      initialDate: '2030-01-01T00:00:00Z', mining: { auto: false },
    },`

const ETHERS_TEST = `
import { expect } from 'chai'
import { network } from 'hardhat'

const { ethers, networkHelpers, provider } = await network.create()
const deploy = () => ethers.deployContract('Counter')

for (const round of [1, 2])
  it('starts from the fixture, round ' + round, async () => {
    const counter = await networkHelpers.loadFixture(deploy)
    await expect(counter.increase(3n)).to.emit(counter, 'Increased').withArgs(3n)
    await expect(counter.increase(0n)).to.be.revertedWith('nothing to add')
    expect(await counter.count()).to.equal(3n)
    expect(await counter.seen()).to.equal(true)
    expect(await provider.request({ method: 'web3_clientVersion' })).to.match(/dev-node/)
  })
`

/** Tests whose transaction and whose estimate fail, and one after them. */
const FAILING_TEST = `
import { after, test } from 'node:test'
import { network } from 'hardhat'

const { viem } = await network.create()
const counter = await viem.deployContract('Counter')
test('fails', () => counter.write.increase([0n], { gas: 100_000n }))
test('fails at its estimate', () => counter.write.increase([0n]))
test('passes', () => counter.write.increase([1n]))
after(() => process.exit(3))
`

let project: Project

beforeAll(async () => {
  project = await createProjectWith(HARDHAT_3)
  const [written] = recipe('docs/hardhat.md#hardhat-3-in-one-process', 'ts', 'http://127.0.0.1:4444')
  const viem = written!
    .replace("'0.8.28'", "{ version: '0.8.28', path: import.meta.dirname + '/node_modules/solc/soljson.js' }")
    .replace('networks: {', `networks: {${SETTINGS}`)
  const ethers = viem
    .replace('hardhat-toolbox-viem', 'hardhat-toolbox-mocha-ethers')
    .replace('plugins:', 'test: { mocha: { parallel: true, jobs: 2 } },\n  plugins:')
  await project.write('hardhat.config.ts', viem)
  await project.write('no-edr.cjs', NO_EDR)
  await project.write('contracts/Counter.sol', COUNTER)
  await project.write('test/counter.ts', VIEM_TEST)
  for (const name of ['one', 'two']) await project.write(`mocha/${name}.ts`, ETHERS_TEST)
  await project.write('held/failing.ts', FAILING_TEST)
  await project.write('unknown.config.ts', viem.replace("default: { type: 'dev-node'", "$&, covrage: 'c'"))
  const reports =
    "$&, coverage: 'reports/coverage', gasReport: 'reports/gas.json', gasEstimationMode: 'topLevelSuccess'"
  await project.write('reports.config.ts', ethers.replace("default: { type: 'dev-node'", reports))
}, 600_000)

afterAll(() => project.remove())

async function run(command: string, options = '') {
  return runShell(command, project.folder, {
    PATH: pathWithNewerNode(await packagesFolder(HARDHAT_3)),
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    NODE_OPTIONS: `--require ./no-edr.cjs ${options}`,
  })
}

const [COMMAND] = recipe('docs/hardhat.md#hardhat-3-in-one-process', 'sh', 'http://127.0.0.1:4444')

test('node:test and viem', async () => {
  const { exitCode, output } = await run(COMMAND!.trim(), '--expose-gc')
  expect({ exitCode, output: output.includes('6 passing') ? '' : output }).toEqual({
    exitCode: 0,
    output: '',
  })
  expect(output).toContain('count is 3')
})

test('Mocha and ethers: parallel workers add up to one coverage; settings without effect are named once', async () => {
  const { exitCode, output } = await run(
    'npx hardhat test mocha mocha/one.ts mocha/two.ts --config reports.config.ts',
  )
  const warnings = output.match(/networks.default.gasEstimationMode has no effect/g) ?? []
  expect({ exitCode, output, warnings: warnings.length }).toEqual({
    exitCode: 0,
    output: expect.stringContaining('4 passing'),
    warnings: 1,
  })
  const reports = join(project.folder, 'reports')
  const coverage = JSON.parse(await readFile(join(reports, 'coverage', 'coverage-final.json'), 'utf8'))
  const [{ s: statements }] = Object.values<any>(coverage)
  // The last one runs once in each of two rounds of two workers.
  expect(Object.values(statements).at(-1)).toBe(4)
  const { contracts } = gasReportObject.parse(JSON.parse(await readFile(join(reports, 'gas.json'), 'utf8')))
  // One fixture for each of the two workers.
  expect(contracts.map(({ deployments }) => deployments?.count)).toEqual([2])
  expect((await readdir(reports)).toSorted()).toEqual(['coverage', 'gas.json'])
})

test('a process that is held explains a failed test, serves its chain until Ctrl-C, and ends with the code of process.exit', async () => {
  const PATH = pathWithNewerNode(await packagesFolder(HARDHAT_3))
  const cli = join(project.folder, 'node_modules', 'hardhat', 'dist', 'src', 'cli.js')
  const hardhat = spawn('node', [cli, 'test', 'nodejs', 'held/failing.ts'], {
    cwd: project.folder,
    env: { ...process.env, PATH, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', DEV_NODE_HOLD: '1' },
  })
  const { output, ended } = await untilHeld(hardhat)
  const [sent, estimated, ...others] = [...output.matchAll(/npx dev-node (explain .*)/g)].map(
    ([, words]) => words,
  )
  for (const explain of [sent, estimated])
    expect(await runShell(`${await commandPath()} ${explain}`, project.folder)).toEqual({
      exitCode: 0,
      output: expect.stringContaining('nothing to add'),
    })
  expect([sent === estimated, others]).toEqual([false, []])
  const url = /http:\S+/.exec(output)?.[0] ?? ''
  expect(await request(`${url}/w/connection-1`, 'eth_blockNumber')).toBe('0x3')
  const { requests } = await request<any>(url, 'dev_requests', [{ world: 'connection-1' }])
  expect(requests.map(({ method }: any) => method)).toContain('eth_sendTransaction')
  hardhat.kill('SIGINT')
  expect(await ended).toBe(3)
})

test('an unknown option is an error of the config', async () => {
  const { exitCode, output } = await run('npx hardhat --config unknown.config.ts help')
  expect(exitCode).toBe(1)
  expect(output).toContain('networks.default: unknown option covrage; did you mean coverage?')
})

test('a config without a network of its type is told so', async () => {
  await project.write(
    'none.config.ts',
    "export default { plugins: [(await import('dev-node/hardhat')).default] }\n",
  )
  const { output } = await run('npx hardhat --config none.config.ts help')
  expect(output).toContain("add networks: { default: { type: 'dev-node' } }")
})

test('a config is checked by its types', async () => {
  await project.write(
    'checked.ts',
    `
import devNode from 'dev-node/hardhat'
import { defineConfig } from 'hardhat/config'
export default defineConfig({ plugins: [devNode], networks: { default: { type: 'dev-node', chainId: 5, coverage: 'c' } } })
// @ts-expect-error
defineConfig({ networks: { default: { type: 'dev-node', chainId: 'five' } } })
// @ts-expect-error
defineConfig({ networks: { default: { type: 'dev-node', coverige: 'c' } } })
`,
  )
  const tsc = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    'node',
    'checked.ts',
  ]
  const { output } = await runShell(`node ${tsc} ${flags.join(' ')}`, project.folder, {})
  expect(output).toBe('')
})
