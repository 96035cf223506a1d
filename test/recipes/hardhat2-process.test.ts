/** A Hardhat 2 process with the plugin, to its end: reports, the explorer, and commands that need no chain. */
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { gasReportObject } from '../../lib/modules/gas-report/results.ts'
import { untilHeld } from './held-process.ts'
import { commandPath, request } from '../support/packed-command.ts'
import { recipe, runShell } from '../support/recipes.ts'

const project = join(import.meta.dirname, '..', 'clients', 'hardhat')

/** Two files of tests, one for each worker of a parallel run. */
const FILES = 'test/vault.js test/reverter.js'
const PASSING_TESTS = 28

/** The command line of Hardhat. */
const HARDHAT = createRequire(import.meta.url).resolve('hardhat/internal/cli/bootstrap')

const [GUIDE] = recipe('docs/hardhat.md#coverage-gas-and-the-explorer', 'js', 'http://127.0.0.1:4444')

const freshFolder = () => mkdtempSync(join(tmpdir(), 'hardhat2-process-'))

const environment = async (more: Readonly<Record<string, string>> = {}) => ({
  DEV_NODE_COMMAND: await commandPath(),
  HARDHAT_RECIPE: "require('dev-node/hardhat')",
  HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  ...more,
})

/** The folder of the package under test. */
const packageFolder = async () => dirname(createRequire(await commandPath()).resolve('dev-node/package.json'))

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** A config that alone has the plugin: without it, a worker would load EDR. */
const OTHER_CONFIG = `
require(require('module').createRequire(process.env.DEV_NODE_COMMAND).resolve('dev-node/hardhat'))
const config = require('../hardhat.config.cjs')
module.exports = {
  ...config,
  paths: { ...config.paths, root: '${join(project, '..', '..', '..')}' },
  networks: { hardhat: { enableRip7212: true } },
}
`

/** Runs the tests with coverage, gas report and the other config, and returns the folder of both reports, and the output. */
async function reportsOf(flags: string) {
  const folder = freshFolder()
  const env = await environment({
    HARDHAT_RECIPE: '',
    NODE_OPTIONS: `--require ${join(project, 'no-edr.cjs')}`,
    DEV_NODE_COVERAGE: join(folder, 'coverage'),
    DEV_NODE_GAS_REPORT: join(folder, 'gas.json'),
  })
  const line = `npx hardhat --config cache/other.config.cjs test ${flags} ${FILES}`
  const { exitCode, output } = await runShell(line, project, env)
  expect({ exitCode, output }).toEqual({
    exitCode: 0,
    output: expect.stringContaining(`${PASSING_TESTS} passing`),
  })
  return { folder, output }
}

describe('reports', () => {
  test('are written at the end, and workers of a parallel run with --config add up to the same coverage', async () => {
    mkdirSync(join(project, 'cache'), { recursive: true })
    writeFileSync(join(project, 'cache', 'other.config.cjs'), OTHER_CONFIG)
    const { folder: serial } = await reportsOf('')
    const { folder: parallel, output } = await reportsOf('--parallel')
    // A setting without effect is named once, by the process that the user started.
    expect(output.split('\n').filter((line) => line.startsWith('dev-node:'))).toEqual([
      'dev-node: networks.hardhat.enableRip7212 has no effect: the rules are those of the hard fork',
    ])
    const coverage = readJson(join(serial, 'coverage', 'coverage-final.json'))
    expect(JSON.stringify(coverage)).toMatch(/"s":\{"0":[1-9]/)
    expect(readJson(join(parallel, 'coverage', 'coverage-final.json'))).toEqual(coverage)
    expect(readdirSync(join(parallel, 'coverage')).sort()).toEqual([
      'coverage-final.json',
      'html',
      'lcov.info',
    ])
    const gas = gasReportObject.parse(readJson(join(serial, 'gas.json')))
    expect(gas.contracts.length).toBeGreaterThan(1)
    expect(readJson(join(parallel, 'gas.json'))).toEqual(gas)
    expect(readdirSync(parallel).sort()).toEqual(['coverage', 'gas.json'])
  })

  test('would fail with EDR', async () => {
    const load = `node --require ./no-edr.cjs -e "require('@nomicfoundation/edr')"`
    expect((await runShell(load, project)).output).toContain('EDR was loaded')
  })
})

/** A test whose transaction fails, and one that reverts it. */
const FAILING = `
const { loadFixture } = require('@nomicfoundation/hardhat-network-helpers')
const { vaultFixture } = require('${join(project, 'test', 'fixtures.js')}')
it('fails', async () => {
  const { vault, keeper } = await loadFixture(vaultFixture)
  await vault.connect(keeper).payOut(keeper.address, 6n, { gasLimit: 100000n })
})
it('passes', () => loadFixture(vaultFixture))
`

describe('a process that is held', () => {
  test('serves the chain until Ctrl-C, and has a command that explains a failed test', async () => {
    const file = join(project, 'cache', 'failing.js')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, FAILING)
    const folder = freshFolder()
    const code = GUIDE!
      .replace("'coverage'", `'${folder}/coverage'`)
      .replace("'gas.json'", `'${folder}/gas.json'`)
    const env = await environment({ HARDHAT_RECIPE: code })
    const hardhat = spawn(process.execPath, [HARDHAT, 'test', file], {
      cwd: project,
      env: { ...process.env, ...env },
    })
    const { output, ended } = await untilHeld(hardhat)
    const url = /http:\S+/.exec(output)?.[0] ?? ''
    expect(await request(url, 'eth_blockNumber')).toBe('0x2')
    const { requests } = await request<any>(url, 'dev_requests', [{ method: 'eth_sendTransaction' }])
    expect(requests.length).toBeGreaterThan(0)
    const explain = /npx dev-node (explain .*)/.exec(output)?.[1] ?? ''
    expect(await runShell(`${env.DEV_NODE_COMMAND} ${explain}`, project)).toEqual({
      exitCode: 0,
      output: expect.stringContaining("reverted with custom error 'VaultTooEmpty(0, 6)'"),
    })
    hardhat.kill('SIGINT')
    expect(await ended).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['coverage', 'gas.json'])
  })
})

test('DEV_NODE_EXPLORER prints the URL of the explorer and holds nothing', async () => {
  const ask = `node -e 'require("hardhat").network.provider.send("eth_chainId").then(console.log)'`
  const env = await environment({ DEV_NODE_EXPLORER: '1' })
  expect(await runShell(ask, project, env)).toEqual({
    exitCode: 0,
    output: expect.stringMatching(
      /^dev-node: the chains of this run and their explorer: http:\S+\n0x7a69\n$/,
    ),
  })
})

test('the node is loaded with the first request: a plugin without its node compiles', async () => {
  const plugin = join(freshFolder(), 'plugin')
  cpSync(join(await packageFolder(), 'dist', 'hardhat2'), plugin, { recursive: true })
  const env = await environment({ HARDHAT_RECIPE: `require('${plugin}/plugin.js')` })
  expect(await runShell('npx hardhat compile', project, env)).toMatchObject({ exitCode: 0 })
})

/** The rules of a hard fork that is too old. */
const BERLIN = "module.exports = { networks: { hardhat: { hardfork: 'berlin' } } }"

/** Asks two configs of one process, as tests of plugins load them. */
const TWO_CONFIGS = `
const { resetHardhatContext } = require('hardhat/internal/reset')
const ask = () => require('hardhat').network.provider.send('web3_clientVersion').finally(resetHardhatContext)
ask().then(console.log).then(ask).then(console.log)
`

test('a project that was never compiled, and a second config of its process, run on this node', async () => {
  const folder = freshFolder()
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'))
  const plugin = join(await packageFolder(), 'dist', 'hardhat2', 'plugin.js')
  writeFileSync(join(folder, 'package.json'), '{}')
  // Hardhat unloads files with this ending.
  writeFileSync(join(folder, 'hardhat.config.js'), `require('${plugin}')\n${BERLIN}`)
  writeFileSync(join(folder, 'run.js'), TWO_CONFIGS)
  const { output } = await runShell('node run.js', folder, await environment())
  expect(output).toMatch(/^(Hardhat.*dev-node.*\n){2}/)
  expect(output).toContain('networks.hardhat.hardfork: london, not berlin, is the oldest')
})

const NODE_33 = "require('dev-node/hardhat')\nmodule.exports = { devNode: { network: 'network-33' } }"

/** Deploys code that ends at once, with the gas that hardhat-ethers chooses. */
const DEPLOY = `const { ethers } = require("hardhat")
ethers.getSigners().then(([signer]) => new ethers.ContractFactory([], "0x00", signer).deploy())
  .then((contract) => contract.deploymentTransaction().wait()).then(({ status }) => console.log("status", status))`

test('the task node serves network 33, and the first deployment over HTTP needs no setting for gas', async () => {
  const env = { ...process.env, ...(await environment({ HARDHAT_RECIPE: NODE_33 })) }
  const hardhat = spawn(process.execPath, [HARDHAT, 'node', '--port', '0'], { cwd: project, env })
  try {
    const { output } = await untilHeld(hardhat, 'Accounts')
    const url = /http:\/\/\S+/.exec(output)![0].replace('0.0.0.0', '127.0.0.1')
    const client = await environment({
      HARDHAT_NETWORK: 'localhost',
      HARDHAT_RECIPE: `module.exports = { networks: { localhost: { url: '${url}' } } }`,
    })
    expect(await runShell(`node -e '${DEPLOY}'`, project, client)).toMatchObject({
      output: expect.stringContaining('status 1'),
    })
  } finally {
    hardhat.kill()
  }
})
