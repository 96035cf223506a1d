/** Runs that leave out the files of tests which no change affects, with the packed command and real runners. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { commandPath } from '../support/packed-command.ts'
import { VITEST } from '../support/packages.ts'
import { createProject, createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

const [HARDHAT, JEST] = recipe('docs/affected.md#switch-it-on', 'js', 'http://127.0.0.1:4444')
const [WATCH] = recipe('docs/affected.md#run-tests-while-you-write', 'sh', 'http://127.0.0.1:4444')

/** Without the variables of the run that this file is a part of. */
const ENV = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined, CI: undefined, NO_COLOR: '1' } as const

const COUNTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
  uint256 public count;
  function up() external { count += 3; }
}
`
const FACTORY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./Counter.sol";
interface INumber { function number() external view returns (uint256); }
contract Factory {
  Counter public made;
  function make() external { made = new Counter(); made.up(); }
}
contract Other { uint256 public value = 7; }
`

const HARDHAT_TEST = (name: string, body: string): string => `
const { expect } = require('chai')
const { ethers, artifacts } = require('hardhat')
it('${name}', async () => { ${body} })
`

/** The project of the guide, with the compiler of this checkout. */
async function hardhatProject(): Promise<Project> {
  const project = await createProject()
  await project.write('package.json', '{ "name": "project", "private": true }')
  await project.write('package-lock.json', '{}')
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'solc', 'soljson.js')
  // A config that reads files is no reason to run tests.
  const config = `require('node:fs').existsSync('.env')
const { subtask } = require('hardhat/config')
subtask('compile:solidity:solc:get-build', async ({ solcVersion }) => ({
  compilerPath: '${compiler}', isSolcJs: true, version: solcVersion, longVersion: solcVersion,
}))
require('@nomicfoundation/hardhat-ethers')
`
  await project.write('hardhat.config.js', config + HARDHAT!)
  await project.write('contracts/Counter.sol', COUNTER)
  await project.write('contracts/Factory.sol', FACTORY)
  await project.write(
    'test/counter.js',
    HARDHAT_TEST(
      'counts',
      `const counter = await ethers.deployContract('Counter'); await counter.up(); expect(await counter.count()).to.equal(3n)`,
    ),
  )
  await project.write(
    'test/factory.js',
    HARDHAT_TEST('makes', `const factory = await ethers.deployContract('Factory'); await factory.make()`),
  )
  await project.write(
    'test/other.js',
    `const { deployOther } = require('./helpers/other')
    ${HARDHAT_TEST('has a value', 'expect(await (await deployOther()).value()).to.equal(7n)')}`,
  )
  await project.write(
    'test/helpers/other.js',
    `const { ethers } = require('hardhat')\nexports.deployOther = () => ethers.deployContract('Other')\n`,
  )
  await project.write(
    'test/interface.js',
    HARDHAT_TEST(
      'has one function',
      `expect((await artifacts.readArtifact('INumber')).abi.length).to.equal(1)`,
    ),
  )
  return project
}

const lines = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => /^dev-node: .*(?:files? run|has to run)|passing|failing/.test(line))
    .map((line) => line.trim())

const TIME = String.raw`\d\d:\d\d`

describe('Hardhat 2', () => {
  let project: Project
  const run = async (more = '', env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> => {
    const { output } = await runShell(`npx hardhat test ${more}`, project.folder, {
      ...ENV,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      ...env,
    })
    return lines(output).map((line) => line.replace(/ \(\d+m?s\)/, ''))
  }

  beforeAll(async () => {
    project = await hardhatProject()
  })
  afterAll(() => project.remove())

  test('runs each file once, then those that a change affects', async () => {
    expect(await run()).toEqual(['dev-node: 5 of 5 files run: 5 new', '4 passing'])
    const unaffected = await run()
    expect(unaffected).toEqual([
      expect.stringMatching(`^dev-node: no file has to run; 4 are unaffected since ${TIME}$`),
      '0 passing',
    ])

    // A comment is no change.
    await project.write('contracts/Counter.sol', COUNTER.replace('contract', '// A comment.\ncontract'))
    expect(await run()).toEqual(unaffected)

    // The factory creates the counter.
    await project.write('contracts/Counter.sol', COUNTER.replace('+= 3', '+= 4'))
    expect(await run()).toEqual([
      expect.stringMatching(
        `^dev-node: 2 of 4 files run: Counter, Factory changed; 2 are unaffected since ${TIME}$`,
      ),
      '1 passing',
      '1 failing',
    ])
    await project.write('contracts/Counter.sol', COUNTER)
    expect(await run()).toEqual([
      expect.stringMatching(/^dev-node: 2 of 4 files run: Counter, Factory changed, 1 failed; 2 are/),
      '2 passing',
    ])
  })

  test('runs a file whose helper or whose interface has changed, and one that is named', async () => {
    await project.write(
      'test/helpers/other.js',
      `const { ethers } = require('hardhat')\nexports.deployOther = async () => ethers.deployContract('Other')\n`,
    )
    await project.write('contracts/Factory.sol', FACTORY.replace('number()', 'otherNumber()'))
    expect(await run()).toEqual([
      expect.stringMatching(/^dev-node: 3 of 5 files run: other.js, INumber changed; 2 are/),
      '2 passing',
    ])
    expect(await run('test/counter.js')).toEqual(['1 passing'])
    expect(await run('--grep makes')).toEqual(['1 passing'])
    expect(await run('', { CI: 'true' })).toEqual(['4 passing'])
  })

  test('in parallel workers leaves out the same files, but for helpers, which run each time', async () => {
    await project.write('contracts/Factory.sol', FACTORY)
    await run('--parallel')
    await project.write('contracts/Counter.sol', COUNTER.replace('+= 3', '+= 4'))
    expect(await run('--parallel')).toEqual([
      expect.stringMatching(/^dev-node: 3 of 5 files run: Counter, Factory changed, 1 for other settings; 2/),
      '1 passing',
      '1 failing',
    ])
  })

  test('under watch, a change of a contract runs the file that it affects', async () => {
    await project.write('contracts/Counter.sol', COUNTER)
    await run()
    const [, ...words] = WATCH!.trim().split(' ')
    const child = spawn(process.execPath, [await commandPath(), ...words.slice(1)], {
      cwd: project.folder,
      env: { ...process.env, ...ENV, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    })
    let output = ''
    let seen = (): void => undefined
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
      seen()
    })
    const ended = once(child, 'exit')
    const printed = async (text: RegExp): Promise<void> => {
      const found = new Promise<void>((resolve) => {
        seen = () => text.test(output) && resolve()
        seen()
      })
      await Promise.race([found, ended.then(() => Promise.reject(new Error(output)))])
    }
    await printed(/no file has to run[^]*waits for a change/)
    output = ''
    await project.write('contracts/Counter.sol', COUNTER.replace('+= 3', '+= 5'))
    await printed(/2 of 4 files run: Counter, Factory changed[^]*1 failing[^]*waits for a change/)
    child.kill('SIGINT')
    await ended
  })
})

/** A file of tests that deploys the code of an artifact. It reads nothing but the chain. */
const DEPLOYING = (artifact: string): string =>
  `
test('deploys', async () => {
  const [from] = await chain.rpc('eth_accounts')
  await chain.rpc('eth_sendTransaction', [{ from, data: artifact.bytecode, gas: '0x100000' }])
})
`.replace('artifact.bytecode', artifact)

const artifactOf = (name: string, bytecode: string): string =>
  JSON.stringify({
    _format: 'hh-sol-artifact-1',
    contractName: name,
    sourceName: `contracts/${name}.sol`,
    abi: [],
    bytecode,
    deployedBytecode: `0x${bytecode.slice(-2)}`,
    linkReferences: {},
    deployedLinkReferences: {},
  })

/** Creates a contract whose code is one byte. */
const creationOf = (byte: string): string => `0x60${byte}5f5360015ff3${byte}`

const jest = async (): Promise<Project> => {
  const project = await createProject()
  await project.write('jest.config.js', JEST!)
  return project
}

const mocha = async (): Promise<Project> => {
  const project = await createProject()
  // A linked package would not find dev-node in the project.
  await rm(join(project.folder, 'node_modules', 'mocha'))
  await cp('node_modules/mocha', join(project.folder, 'node_modules', 'mocha'), { recursive: true })
  return project
}

const vitest = async (): Promise<Project> => {
  const project = await createProjectWith(VITEST)
  await project.write(
    'vitest.config.js',
    `export default { test: { include: ['*.test.js'], globals: true, globalSetup: 'dev-node/vitest', setupFiles: 'dev-node/vitest/chain',
      environmentOptions: { devNode: { affected: true } } } }`,
  )
  return project
}

const RUNNERS = [
  ['Jest', jest, 'node --experimental-vm-modules node_modules/jest/bin/jest.js --testTimeout=120000'],
  [
    'Mocha',
    mocha,
    'DEV_NODE_AFFECTED=1 node node_modules/mocha/bin/mocha.js --timeout 120000 --ui tdd --require dev-node/mocha "*.test.js"',
  ],
  ['Vitest', vitest, 'node node_modules/vitest/vitest.mjs run --testTimeout=120000'],
] as const

describe.each(RUNNERS)('%s', (_name, create, command) => {
  let project: Project

  afterAll(() => project.remove())

  test('runs the file whose contract has changed', async () => {
    project = await create()
    await project.write('package-lock.json', '{}')
    for (const [name, byte] of [
      ['One', '00'],
      ['Two', '5b'],
    ] as const) {
      await project.write(`artifacts/contracts/${name}.sol/${name}.json`, artifactOf(name, creationOf(byte)))
      await project.write(
        `${name.toLowerCase()}.test.js`,
        `import artifact from './artifacts/contracts/${name}.sol/${name}.json' with { type: 'json' }\n${DEPLOYING('artifact.bytecode')}`,
      )
    }
    const run = async (): Promise<string> => (await runShell(command, project.folder, { ...ENV })).output
    expect(await run()).toContain('dev-node: 2 of 2 files run: 2 new')
    await project.write('artifacts/contracts/Two.sol/Two.json', artifactOf('Two', creationOf('59')))
    expect(await run()).toMatch(/dev-node: 1 of 2 files run: Two changed; 1 is unaffected since/)
    expect(await run()).toMatch(/dev-node: no file has to run; 2 are unaffected since/)
  })
})

describe('hooks for all tests', () => {
  let project: Project

  afterAll(() => project.remove())

  test('of Mocha let all files run, because it does not tell where they are', async () => {
    project = await mocha()
    await project.write('package-lock.json', '{}')
    await project.write('artifacts/contracts/One.sol/One.json', artifactOf('One', creationOf('00')))
    const begin = `import artifact from './artifacts/contracts/One.sol/One.json' with { type: 'json' }
setup(async () => {
  const [from] = await chain.rpc('eth_accounts')
  await chain.rpc('eth_sendTransaction', [{ from, data: artifact.bytecode, gas: '0x100000' }])
})
test('is empty', () => {})`
    await project.write('a.test.js', begin)
    await project.write('b.test.js', `suite('b', () => { test('is empty too', () => {}) })`)
    await project.write('c.test.js', `test('fails', () => {})`)
    const [, , command] = RUNNERS[1]
    const run = async (): Promise<string> => (await runShell(command, project.folder, { ...ENV })).output
    expect(await run()).toContain('dev-node: 3 of 3 files run: 3 new')
    expect(await run()).toContain('dev-node: 3 of 3 files run: 3 each time (hooks for all tests)\n')
  })
})
