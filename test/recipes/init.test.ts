/** `dev-node init` in projects that the initialisers of tools made. What it writes is run as it says. */
import { access, cp, mkdir, readFile, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from '@jest/globals'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'
import { VITEST } from '../support/packages.ts'
import { createProject, createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

const [ASKING, CONFIRMED] = recipe('docs/configuration.md#a-project', 'sh', 'http://127.0.0.1')[0]!
  .trim()
  .split('\n')

let project: Project

/** The package.json that npm writes into an empty folder. */
let emptyPackage: string

beforeAll(async () => {
  await commandPath()
  project = await createProject()
  await run('mkdir empty && cd empty && npm init -y')
  emptyPackage = await readFile(join(project.folder, 'empty', 'package.json'), 'utf8')
  await project.remove()
})

afterEach(() => project.remove())

/** Runs a line of a shell in a folder, as a user whose terminal is not that of Jest. */
async function run(line: string, cwd = project.folder, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const installed = line.replace('npx dev-node', `"${await commandPath()}"`)
  const outside = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined }
  const { exitCode, output } = await runShell(installed, cwd, { ...outside, ...env })
  expect({ line, failure: exitCode === 0 ? '' : output }).toEqual({ line, failure: '' })
  return output
}

const init = (network: string, cwd?: string): Promise<string> =>
  run(CONFIRMED!.replace('network-33', network), cwd)

/** Makes package.json as npm does, with packages that are in the project. */
async function npmInit(...packages: readonly string[]): Promise<void> {
  const devDependencies = Object.fromEntries(packages.map((name) => [name, '*']))
  await project.write(
    'package.json',
    JSON.stringify({ ...JSON.parse(emptyPackage), devDependencies }, undefined, 2),
  )
}

/** The parts of Hardhat's toolbox that its sample project uses, and the compiler of npm: Hardhat would download one. */
const TOOLBOX = `
require('@nomicfoundation/hardhat-chai-matchers')
require('@nomicfoundation/hardhat-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const { version } = require('solc/package.json')
const compilerPath = require.resolve('solc/soljson.js')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({ version, longVersion: version, compilerPath, isSolcJs: true }))
`

async function addToolbox(): Promise<void> {
  const scope = join(project.folder, 'node_modules', '@nomicfoundation')
  await rm(scope)
  await mkdir(scope)
  const all = join('node_modules', '@nomicfoundation')
  for (const name of await readdir(all)) await symlink(join(process.cwd(), all, name), join(scope, name))
  await project.write('node_modules/@nomicfoundation/hardhat-toolbox/index.js', TOOLBOX)
  await project.write(
    'node_modules/@nomicfoundation/hardhat-toolbox/network-helpers.js',
    `module.exports = require('@nomicfoundation/hardhat-network-helpers')`,
  )
}

test('the sample project of Hardhat 2 on Ethereum', async () => {
  project = await createProject()
  await npmInit('hardhat', 'dev-node')
  await cp('node_modules/hardhat/sample-projects/javascript', project.folder, { recursive: true })
  await addToolbox()
  expect(await init('ethereum')).toMatch(/This project uses Hardhat 2\.[^]*Next:\n  npx hardhat test\n$/)
  const noEdr = join(process.cwd(), 'test', 'clients', 'hardhat', 'no-edr.cjs')
  const env = { NODE_OPTIONS: `--require ${noEdr}`, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' }
  expect(await run('npm test', project.folder, env)).toContain('9 passing')
  expect(await init('ethereum')).toContain('Nothing has to be changed.')
})

/** A test of either runner, whose chain is that of its worker. */
const usesChain = (chainId: string): string => `
test('uses its chain', async () => {
  expect(await chain.rpc('eth_chainId')).toBe('${chainId}')
  expect(chain.url).toMatch(/worker-\\d+$/)
})`

test('a project with Vitest on network 33', async () => {
  project = await createProjectWith(VITEST)
  await npmInit('vitest', 'dev-node')
  expect(await init('network-33')).toMatch(/This project uses Vitest\.[^]*Next:\n  npx vitest run\n$/)
  await project.write('test/one.test.mjs', `import { expect, test } from 'vitest'\n${usesChain('0x21')}`)
  expect(await run('npm test')).toMatch(/Tests +1 passed/)
})

test('a project with Jest on Ethereum', async () => {
  project = await createProject()
  await npmInit('jest')
  expect(await init('ethereum')).toMatch(
    /This project uses Jest\.[^]*Next:\n  npm install --save-dev \.\/dev-node-.*\.tgz  # the file .*\n  npx jest\n$/,
  )
  await project.write('test/one.test.js', usesChain('0x7a69'))
  expect(await run('npm test')).toMatch(/Tests: +1 passed/)
})

test('a project without a tool', async () => {
  project = await createProject()
  await npmInit('dev-node')
  // Not a terminal.
  const refused = await runShell(ASKING!.replace('npx dev-node', `"${await commandPath()}"`), project.folder)
  expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining('Nothing was changed') })
  const output = await init('ethereum')
  const [, start] = /Next:\n  npx dev-node start (.*)\n$/.exec(output)!
  const { scripts } = JSON.parse(await readFile(join(project.folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(scripts['chain']).toBe(`dev-node start ${start}`)
  const node = await startDevNode(start!.split(' '))
  expect(node.ready.network).toBe('ethereum')
  await node.stop()
})

test('a project with Mocha on Ethereum', async () => {
  project = await createProject()
  // A linked package would not find dev-node in the project.
  await rm(join(project.folder, 'node_modules', 'mocha'))
  await cp('node_modules/mocha', join(project.folder, 'node_modules', 'mocha'), { recursive: true })
  await npmInit('mocha', 'dev-node')
  expect(await init('ethereum')).toMatch(/This project uses Mocha\.[^]*Next:\n  npx mocha\n$/)
  const body = `const assert = require('node:assert')
it('uses its chain', async () => assert.equal(await chain.rpc('eth_chainId'), '0x7a69'))`
  await project.write('test/one.spec.js', body)
  expect(await run('node node_modules/mocha/bin/mocha.js test/one.spec.js')).toContain('1 passing')
})

/** A script without the library that forge would download. */
const SCRIPT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;
import {Counter} from "../src/Counter.sol";
interface Vm { function startBroadcast() external; }
contract CounterScript {
  bool public IS_SCRIPT = true;
  function run() public {
    Vm(address(uint160(uint256(keccak256("hevm cheat code"))))).startBroadcast();
    new Counter();
  }
}`

describeFoundry('Foundry', () => {
  test.each(['ethereum', 'network-33'])('the printed command deploys on %s', async (network) => {
    project = await createProject()
    const solc = join(process.cwd(), 'test', 'clients', 'foundry', 'solc.mjs')
    const foundry = await openFoundry({ FOUNDRY_SOLC: solc })
    const node = await startDevNode(['--network', network])
    try {
      const [forge, { env }] = foundry.start('forge')
      await run(`"${forge}" init --no-git --offline made`, project.folder, env)
      const folder = join(project.folder, 'made')
      await rm(join(folder, 'test'), { recursive: true })
      await project.write('made/script/Counter.s.sol', SCRIPT)
      const output = await init(network, folder)
      const command = /\n  forge (script .*) {2}# in another terminal\n$/.exec(output)?.[1] ?? ''
      const port = `sed -i.old s/4444/${node.ready.port}/ foundry.toml`
      await run(`${port} && "${forge}" ${command}`, folder, env)
      expect(await request(node.url, 'eth_blockNumber')).toBe('0x1')
    } finally {
      await node.stop()
      await foundry.remove()
    }
  })

  test('a project that forge made', async () => {
    project = await createProject()
    const foundry = await openFoundry({})
    const node = await startDevNode(['--network', 'ethereum'])
    try {
      const [forge, { env }] = foundry.start('forge')
      await run(`"${forge}" init --no-git --offline made`, project.folder, env)
      const folder = join(project.folder, 'made')
      await access(join(folder, 'foundry.toml'))
      expect(await init('ethereum', folder)).toMatch(/This project uses Foundry\.[^]*--rpc-url devnode/)
      const port = `sed -i.old s/4444/${node.ready.port}/ foundry.toml`
      const [cast] = foundry.start('cast')
      expect(await run(`${port} && "${cast}" chain-id --rpc-url devnode`, folder, env)).toBe('31337\n')
      expect(await init('ethereum', folder)).toContain('Nothing has to be changed.')
    } finally {
      await node.stop()
      await foundry.remove()
    }
  })
})
