/** The pages under docs/start: the first project in each tool, its failure, a fork and a peg, typed as the pages say. */
import { cp, mkdir, rm, stat, symlink } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import { commandPath, packagesFolder, startDevNode } from '../support/packed-command.ts'
import { HARDHAT_3, VITEST, pathWithNewerNode } from '../support/packages.ts'
import { createProject, createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

const URL_OF_GUIDE = 'http://127.0.0.1:4444'
const [BANK = ''] = recipe('docs/start/first-project.md#a-contract', 'solidity', URL_OF_GUIDE)
const [REASON = ''] = recipe('docs/start/first-project.md#a-contract', 'text', URL_OF_GUIDE)
const [COMPILE = ''] = recipe('docs/start/first-project.md#compile-without-hardhat', 'js', URL_OF_GUIDE)

let project: Project

beforeAll(() => commandPath())

afterEach(() => project.remove())

/** Runs lines of a shell as a user whose terminal is not that of Jest; each line has to end with its code. */
async function run(lines: string, codes: readonly number[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const outside = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined, CI: undefined, ...env }
  let printed = ''
  for (const [index, line] of lines.trim().split('\n').entries()) {
    const typed = line.replaceAll('npx dev-node', `"${await commandPath()}"`)
    const { exitCode, output } = await runShell(typed, project.folder, outside)
    expect({ line, exitCode, output }).toMatchObject({ exitCode: codes[index] })
    printed += output
  }
  return printed
}

/** Expects the lines of a page in an output, in their order. Runners indent them in ways of their own. */
function expectLines(output: string, shown: string): void {
  const lines = output.split('\n').map((line) => line.trim())
  let from = 0
  for (const line of shown.split('\n').filter((text) => text.trim() !== '')) {
    const at = lines.findIndex((printed, index) => index >= from && printed.startsWith(line.trim()))
    if (at < 0) throw new Error(`the output lacks "${line.trim()}":\n${output}`)
    from = at + 1
  }
}

async function writePackage(type: 'commonjs' | 'module', ...packages: readonly string[]): Promise<void> {
  const devDependencies = Object.fromEntries(packages.map((name) => [name, '*']))
  await project.write('package.json', JSON.stringify({ name: 'bank', type, devDependencies }))
}

/** Links packages of this checkout into the project. */
async function link(...packages: readonly string[]): Promise<void> {
  for (const name of packages)
    await symlink(join(process.cwd(), 'node_modules', name), join(project.folder, 'node_modules', name))
}

/** Copies Mocha: a linked package would not find dev-node in the project. */
async function copyMocha(): Promise<void> {
  const folder = join(project.folder, 'node_modules', 'mocha')
  await rm(folder)
  await cp('node_modules/mocha', folder, { recursive: true })
}

/** A config of Hardhat 2 with the compiler of npm, because Hardhat would download one. */
const HARDHAT_2_CONFIG = `require('@nomicfoundation/hardhat-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const { version } = require('solc/package.json')
const compilerPath = require.resolve('solc/soljson.js')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({ version, longVersion: version, compilerPath, isSolcJs: true }))

module.exports = { solidity: version }
`

describe('the first project', () => {
  test('in Hardhat 2, and its failure after the run', async () => {
    const [suite = ''] = recipe('docs/start/first-project.md#hardhat-2', 'js', URL_OF_GUIDE)
    const [commands = ''] = recipe('docs/start/first-project.md#hardhat-2', 'sh', URL_OF_GUIDE)
    const [failure = ''] = recipe('docs/start/first-failure.md#read-the-reason', 'text', URL_OF_GUIDE)
    const [explain = ''] = recipe('docs/start/first-failure.md#ask-for-more', 'sh', URL_OF_GUIDE)
    const [explained = ''] = recipe('docs/start/first-failure.md#ask-for-more', 'text', URL_OF_GUIDE)
    const [share = ''] = recipe('docs/start/first-failure.md#share-it', 'sh', URL_OF_GUIDE)
    project = await createProject()
    await writePackage('commonjs', 'hardhat', 'dev-node')
    await project.write('hardhat.config.js', HARDHAT_2_CONFIG)
    await project.write('contracts/Bank.sol', BANK)
    await project.write('test/bank.js', suite)
    const env = { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' }
    const output = await run(commands, [0, 1], env)
    expectLines(output, REASON)
    expectLines(output, failure)
    expectLines(await run(explain, [0, 0]), explained)
    await run(share, [0])
    const { size } = await stat(join(project.folder, 'failed-tests', 'index.html'))
    expect(size).toBeGreaterThan(100_000)
  })

  test('in Hardhat 3', async () => {
    const [suite = ''] = recipe('docs/start/first-project.md#hardhat-3', 'ts', URL_OF_GUIDE)
    const [commands = ''] = recipe('docs/start/first-project.md#hardhat-3', 'sh', URL_OF_GUIDE)
    project = await createProjectWith(HARDHAT_3)
    await writePackage('module', 'hardhat', 'dev-node')
    await project.write(
      'hardhat.config.ts',
      `import hardhatToolboxViem from '@nomicfoundation/hardhat-toolbox-viem'
import { defineConfig } from 'hardhat/config'

export default defineConfig({
  plugins: [hardhatToolboxViem],
  solidity: { version: '0.8.28', path: '${join(project.folder, 'node_modules', 'solc', 'soljson.js')}' },
})
`,
    )
    await project.write('contracts/Bank.sol', BANK)
    await project.write('test/bank.ts', suite)
    const PATH = pathWithNewerNode(await packagesFolder(HARDHAT_3))
    expectLines(await run(commands, [0, 1], { PATH }), REASON)
  })

  test('in Vitest', async () => {
    const [suite = ''] = recipe('docs/start/first-project.md#vitest-and-viem', 'js', URL_OF_GUIDE)
    const [commands = ''] = recipe('docs/start/first-project.md#vitest-and-viem', 'sh', URL_OF_GUIDE)
    project = await createProjectWith(VITEST)
    await writePackage('module', 'vitest', 'dev-node')
    await link('solc', 'viem')
    await project.write('contracts/Bank.sol', BANK)
    await project.write('compile.js', COMPILE)
    await project.write('test/bank.test.js', suite)
    expectLines(await run(commands, [0, 0, 1]), REASON)
  })

  test('in Mocha', async () => {
    const [suite = ''] = recipe(
      'docs/start/first-project.md#mocha-jest-and-nodetest-with-ethers',
      'js',
      URL_OF_GUIDE,
    )
    const [commands = ''] = recipe(
      'docs/start/first-project.md#mocha-jest-and-nodetest-with-ethers',
      'sh',
      URL_OF_GUIDE,
    )
    project = await createProject()
    await copyMocha()
    await writePackage('module', 'mocha', 'dev-node')
    await project.write('contracts/Bank.sol', BANK)
    await project.write('compile.js', COMPILE)
    await project.write('test/bank.js', suite)
    expectLines(await run(commands, [0, 1]), REASON)
  })
})

describeFoundry('Foundry', () => {
  test('the first project', async () => {
    const [script = ''] = recipe('docs/start/first-project.md#foundry', 'solidity', URL_OF_GUIDE)
    const [init = '', refusal = ''] = recipe('docs/start/first-project.md#foundry', 'text', URL_OF_GUIDE)
    const [commands = ''] = recipe('docs/start/first-project.md#foundry', 'sh', URL_OF_GUIDE)
    project = await createProject()
    const foundry = await openFoundry({
      FOUNDRY_SOLC: join(process.cwd(), 'test', 'clients', 'foundry', 'solc.mjs'),
    })
    await writePackage('commonjs', 'dev-node')
    await project.write('foundry.toml', '[profile.default]\nsrc = "src"\n')
    await project.write('src/Bank.sol', BANK)
    await project.write('script/Pay.s.sol', script)
    const [setUp = '', start = ''] = init.trim().split('\n')
    await run(setUp, [0])
    const node = await startDevNode(start.split(' ').slice(3), {}, project.folder)
    try {
      const [forge, { env }] = foundry.start('forge')
      const [cast] = foundry.start('cast')
      const PATH = [dirname(forge), dirname(cast), env['PATH']].join(delimiter)
      await run(`sed -i.old s/4444/${node.ready.port}/ foundry.toml`, [0])
      expectLines(await run(commands, [0, 1], { ...env, PATH }), refusal)
    } finally {
      await node.stop()
      await foundry.remove()
    }
  })
})

test('the first fork, with its provider and without', async () => {
  const remote = await startDevNode(['--network', 'ethereum', '--number', '20000000'])
  const [online = ''] = recipe('docs/start/first-fork.md#start', 'sh', URL_OF_GUIDE)
  const [offline = ''] = recipe('docs/start/first-fork.md#run-again-without-the-provider', 'sh', URL_OF_GUIDE)
  const [shown = ''] = recipe('docs/start/first-fork.md#act-as-someone-else', 'text', URL_OF_GUIDE)
  project = await createProject()
  await mkdir(join(project.folder, 'cache'))
  for (const line of [online.replace('"$RPC_URL"', remote.url), offline]) {
    const cache = { DEV_NODE_FORK_CACHE: join(project.folder, 'cache') }
    const node = await startDevNode(line.trim().split(' ').slice(3), cache)
    const [code = ''] = recipe('docs/start/first-fork.md#act-as-someone-else', 'js', node.url)
    await project.write('fork.mjs', code)
    expectLines(await run('node fork.mjs', [0]), shown)
    await node.stop()
    if (line !== offline) await remote.stop()
  }
})

test('the first peg', async () => {
  project = await createProject()
  const node = await startDevNode()
  const [code = ''] = recipe('docs/start/first-peg.md#coins-in-coins-out', 'js', node.url)
  const [shown = ''] = recipe('docs/start/first-peg.md#coins-in-coins-out', 'text', node.url)
  await project.write('peg.mjs', code)
  expect(await run('node peg.mjs', [0])).toBe(shown)
  await node.stop()
})
