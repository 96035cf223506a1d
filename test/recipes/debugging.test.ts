/** The guide to the debugger: suites and scripts of each tool, which wait for it, stop at a line of Solidity, and go on. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { withEditor } from '../support/editor.ts'
import { describeFoundry, networks, openFoundry } from '../support/foundry.ts'
import { freePort } from '../support/free-port.ts'
import { commandPath, packagesFolder } from '../support/packed-command.ts'
import { HARDHAT_3, pathWithNewerNode } from '../support/packages.ts'
import { createProject, createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe } from '../support/recipes.ts'
import { PATH, content, lineOf, plain } from '../support/shop.ts'

const SOLD = lineOf('sold += count')

/** A suite or a script of a tool, in a folder. */
interface Suite {
  readonly folder: string
  /** A line of a shell. */
  readonly command: string
  readonly env?: NodeJS.ProcessEnv
  /** The file with the shop; that of the folder if left out. */
  readonly file?: string
  /** Printed by a suite that has passed. */
  readonly passed: string
}

/** Starts a suite, attaches to its node, looks at the statement where the purchase stops, and lets the suite go on to its end. */
async function debug(url: string, { folder, command, env, file = PATH, passed }: Suite): Promise<void> {
  const suite = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output = Promise.all([text(suite.stdout), text(suite.stderr)])
  const ended = once(suite, 'close')
  try {
    await withEditor(async (editor) => {
      await editor.begin('attach', { url }, { lines: { [join(folder, file)]: [{ line: SOLD }] } })
      const stopped = editor.nextStop()
      await editor.client.configurationDoneRequest()
      const stop = await stopped
      expect(stop).toMatchObject({ reason: 'breakpoint', line: SOLD })
      expect((await editor.scope('Locals', stop)).get('count')).toMatchObject({ value: '2' })
      expect(await editor.evaluate('sold + count', stop)).toBe('2')
      const { threadId } = stop
      expect((await editor.step('stepBack', { threadId })).line).toBeLessThan(SOLD)
      expect((await editor.step('continue', { threadId })).line).toBe(SOLD)
      await editor.client.continueRequest({ threadId })
      expect({ code: (await ended)[0], output: (await output).join('\n') }).toEqual({
        code: 0,
        output: expect.stringContaining(passed),
      })
    }, folder)
  } finally {
    // With the programs that it started. A group that has ended is not there.
    if (suite.exitCode === null) process.kill(-suite.pid!)
  }
}

const GUIDE = 'http://127.0.0.1:8545'

const [IN_PROCESS = ''] = recipe('docs/debugging.md#hardhat-2-and-3', 'sh', GUIDE)

/** A command of the guide beside a node on another port, which waits for the debugger. */
async function besideNode(line: string, port: string): Promise<string> {
  const words = line.trim().replaceAll('127.0.0.1:8545', `127.0.0.1:${port}`)
  return words.replace('npx dev-node exec', `${await commandPath()} exec --port ${port}`)
}

/** The statements of a suite, which buys two. */
const PURCHASE = `
  const token = await deploy('Token', [1000n])
  const shop = await deploy('Shop', [await addressOf(token)])
  await send(token, 'approve', [await addressOf(shop), 1000n])
  await send(shop, 'buy', [2n])
  if (await read(shop, 'sold') !== 2n) throw new Error('not sold')`

/** Ways of ethers to do that. */
const ETHERS = `
  const addressOf = (contract) => contract.getAddress()
  const send = async (contract, name, args) => (await contract[name](...args)).wait()
  const read = (contract, name) => contract[name]()`

const HARDHAT_2_SUITE = `
const { ethers } = require('hardhat')
it('buys', async () => {
  const deploy = (name, args) => ethers.deployContract(name, args)${ETHERS}${PURCHASE}
})`

const HARDHAT_3_SUITE = `
import { test } from 'node:test'
import { network } from 'hardhat'
const { viem } = await network.create()
test('buys', async () => {
  const deploy = (name, args) => viem.deployContract(name, args)
  const addressOf = (contract) => contract.address
  const send = (contract, name, args) => contract.write[name](args)
  const read = (contract, name) => contract.read[name]()${PURCHASE}
})`

const ARTIFACT = `
import { readFileSync } from 'node:fs'
const url = process.env.DEV_NODE_URL
const artifact = (name) => JSON.parse(readFileSync('artifacts/contracts/Shop.sol/' + name + '.json', 'utf8'))`

const ETHERS_SCRIPT = `${ARTIFACT}
import { ContractFactory, FetchRequest, JsonRpcProvider } from 'ethers'
const request = new FetchRequest(url)
request.timeout = 86_400_000
const provider = new JsonRpcProvider(request, undefined, { cacheTimeout: -1 })
const signer = await provider.getSigner(0)
const deploy = async (name, args) => {
  const { abi, bytecode } = artifact(name)
  return (await new ContractFactory(abi, bytecode, signer).deploy(...args)).waitForDeployment()
}${ETHERS}${PURCHASE}
console.log('bought')
provider.destroy()`

const VIEM_SCRIPT = `${ARTIFACT}
import { createWalletClient, http, publicActions } from 'viem'
import { foundry as chain } from 'viem/chains'
const client = createWalletClient({ chain, transport: http(url, { timeout: 86_400_000 }) }).extend(publicActions)
const [account] = await client.getAddresses()
const deploy = async (name, args) => {
  const { abi, bytecode } = artifact(name)
  const hash = await client.deployContract({ account, abi, bytecode, args })
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash })
  return { abi, address }
}
const addressOf = ({ address }) => address
const send = (contract, functionName, args) => client.writeContract({ account, ...contract, functionName, args })
const read = (contract, functionName) => client.readContract({ ...contract, functionName })${PURCHASE}
console.log('bought')`

describe('Hardhat 2, ethers and viem', () => {
  let project: Project
  let port = ''

  beforeAll(async () => {
    project = await createProject()
    port = await freePort()
    const [config = ''] = recipe('docs/debugging.md#hardhat-2-and-3', 'js', GUIDE)
    const own = `require('@nomicfoundation/hardhat-ethers')\n${config.replace('8545', port)}`
    await project.write('hardhat.config.cjs', own)
    const localhost = 'networks: { localhost: { url: process.env.DEV_NODE_URL, timeout: 86_400_000 } },'
    await project.write(
      'http.config.cjs',
      own.replace("require('dev-node/hardhat')", '').replace('devNode', `${localhost} devNode`),
    )
    await project.write('test/shop.cjs', HARDHAT_2_SUITE)
    await project.write('ethers.js', ETHERS_SCRIPT)
    await project.write('viem.js', VIEM_SCRIPT)
    await project.write(PATH, content)
    for (const [path, file] of hardhat2(plain)) await project.write(path, JSON.stringify(file))
  })

  afterAll(() => project.remove())

  test('Hardhat 2 in one process', () =>
    debug(`http://127.0.0.1:${port}`, {
      folder: project.folder,
      command: IN_PROCESS.replace('test', 'test --no-compile'),
      passed: '1 passing',
    }))

  const [exec = ''] = recipe('docs/debugging.md#a-node-of-its-own', 'sh', GUIDE)

  test.each([
    ['Hardhat 2 by HTTP', exec.replace('test', 'test --no-compile --config http.config.cjs'), '1 passing'],
    ['ethers', exec.replace('npx hardhat test', 'node ethers.js'), 'bought'],
    ['viem', exec.replace('npx hardhat test', 'node viem.js'), 'bought'],
  ])('%s', async (_name, line, passed) =>
    debug(`http://127.0.0.1:${port}`, {
      folder: project.folder,
      command: await besideNode(line, port),
      env: { HARDHAT_NETWORK: 'localhost' },
      passed,
    }),
  )
})

test('Hardhat 3 in one process', async () => {
  const project = await createProjectWith(HARDHAT_3)
  const port = await freePort()
  try {
    const [config = ''] = recipe('docs/debugging.md#hardhat-2-and-3', 'ts', GUIDE)
    const solc = "{ version: '0.8.28', path: import.meta.dirname + '/node_modules/solc/soljson.js' }"
    await project.write('hardhat.config.ts', config.replace("'0.8.28'", solc).replace('8545', port))
    await project.write(PATH, content)
    await project.write('test/shop.ts', HARDHAT_3_SUITE)
    await debug(`http://127.0.0.1:${port}`, {
      folder: project.folder,
      command: IN_PROCESS,
      env: { PATH: pathWithNewerNode(await packagesFolder(HARDHAT_3)) },
      passed: '1 passing',
    })
  } finally {
    await project.remove()
  }
}, 600_000)

/** A script that buys two. */
const BUY = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {Shop, Token} from "../src/Shop.sol";
interface Vm { function startBroadcast() external; }
contract Buy {
    bool public constant IS_SCRIPT = true;
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    function run() external {
        vm.startBroadcast();
        Token token = new Token(1000);
        Shop shop = new Shop(token);
        token.approve(address(shop), 1000);
        shop.buy(2);
    }
}`

describeFoundry('Foundry', () => {
  test('a script that broadcasts', async () => {
    const clients = join(import.meta.dirname, '..', 'clients', 'foundry')
    const foundry = await openFoundry({ FOUNDRY_SOLC: join(clients, 'solc.mjs') })
    const project = await createProject()
    try {
      await project.write('src/Shop.sol', content)
      await project.write('script/Deploy.s.sol', BUY)
      const [toml = ''] = recipe('docs/foundry.md#foundry', 'toml', GUIDE)
      await project.write('foundry.toml', toml)
      await cp(project.folder, foundry.folder, {
        recursive: true,
        filter: (path) => !path.includes('node_modules'),
      })
      await foundry.print('forge', 'build')
      const port = await freePort()
      const [line = ''] = recipe('docs/debugging.md#foundry-scripts-and-plain-clients', 'sh', GUIDE)
      const [forge, { env }] = foundry.start('forge')
      const PATH = [join(project.folder, 'node_modules', '.bin'), dirname(forge), env['PATH']].join(delimiter)
      await debug(`http://127.0.0.1:${port}`, {
        folder: foundry.folder,
        file: 'src/Shop.sol',
        command: await besideNode(line, port),
        env: { ...env, PATH, KEY: networks[0].key },
        passed: 'ONCHAIN EXECUTION COMPLETE & SUCCESSFUL',
      })
    } finally {
      await foundry.remove()
      await project.remove()
    }
  })
})
