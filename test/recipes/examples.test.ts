/** The projects of examples/, copied by `dev-node init --example`: `npm test` in each, and what its README says that it prints. */
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { SOLC_OF_NPM } from '../support/compiling-tools.ts'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import { commandPath, packagesFolder } from '../support/packed-command.ts'
import { HARDHAT_3, VITEST, pathWithNewerNode } from '../support/packages.ts'
import type { PackageSet } from '../support/packages.ts'
import { addPackages } from '../support/project.ts'
import { codeBlocks, recipe, runShell } from '../support/recipes.ts'

const modules = join(import.meta.dirname, '..', '..', 'node_modules')
const SOLJSON = createRequire(import.meta.url).resolve('solc/soljson.js')

let folder: string

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Copies an example as its reader does. Its packages are those that the run has, in the versions that it names. */
async function copy(name: string, set?: PackageSet): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-example-'))
  const [line] = recipe('docs/configuration.md#a-complete-project', 'sh', 'http://127.0.0.1')[0]!.split('\n')
  const init = line!
    .replace('npx dev-node', `"${await commandPath()}"`)
    .replace('vitest-viem my-project', name)
  const { exitCode, output } = await runShell(init, folder)
  expect({ exitCode, output }).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/npm install\n  npm test\n$/),
  })
  await addPackages(folder, set)
  const installed = join(folder, 'node_modules')
  await unlink(join(installed, '.bin'))
  await mkdir(join(installed, '.bin'))
  const { devDependencies } = await manifestOf(folder)
  for (const [dependency, version] of Object.entries<string>(devDependencies)) {
    if (dependency === 'dev-node') expect(version).toMatch(/^file:.*\.tgz$/)
    else await choose(dependency, version)
    const { bin = {} } = await manifestOf(join(installed, dependency))
    for (const [command, file] of Object.entries<string>(
      typeof bin === 'string' ? { [dependency]: bin } : bin,
    ))
      await symlink(join('..', dependency, file), join(installed, '.bin', command))
  }
}

/** Takes a package from this project, unless the set of the example has the version. */
async function choose(dependency: string, version: string): Promise<void> {
  const place = join(folder, 'node_modules', dependency)
  const found = await manifestOf(place).catch(() => undefined)
  if (found?.version === version) return
  // Never a folder: what is not of the project is linked.
  if (found !== undefined) await unlink(place)
  await symlink(join(modules, dependency), place)
  expect(await manifestOf(place)).toMatchObject({ name: dependency, version })
}

const manifestOf = async (path: string): Promise<any> =>
  JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))

/** Runs the second command of the README. */
async function run(name: string, env: NodeJS.ProcessEnv) {
  const [install, command] = codeBlocks(`examples/${name}/README.md`)[0]!.code.trim().split('\n')
  expect(install).toBe('npm install')
  return runShell(command!, folder, {
    JEST_WORKER_ID: undefined,
    NODE_OPTIONS: undefined,
    CI: undefined,
    ...env,
  })
}

/** Runs the tests as they are and, if the README changes a file, with its change. */
async function check(name: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const [, excerpt] = codeBlocks(`examples/${name}/README.md`)
  const first = await run(name, env)
  expect({ name, ...first }).toMatchObject({ exitCode: 0 })
  const [, before, after, file] = /Change `(.+?)` to `(.+?)` in `(.+?)`/.exec(readme) ?? []
  if (before === undefined) return expectIn(first.output, excerpt!.code)
  const text = await readFile(join(folder, file!), 'utf8')
  expect(text.split(before)).toHaveLength(2)
  await writeFile(join(folder, file!), text.replace(before, after!))
  const { exitCode, output } = await run(name, env)
  expect({ exitCode, output }).toMatchObject({ exitCode: 1 })
  expectIn(output, excerpt!.code)
}

/** Expects the lines of an excerpt in their order. Three dots leave something out. */
function expectIn(output: string, excerpt: string): void {
  let rest = output
  for (const part of excerpt.split(/\n|\.\.\./).map((line) => line.trim())) {
    expect(rest).toContain(part)
    rest = rest.slice(rest.indexOf(part) + part.length)
  }
}

test('all examples are tested', async () => {
  folder = ''
  const text = await readFile(import.meta.filename, 'utf8')
  const names = (await readdir('examples')).filter((name) => !name.includes('.'))
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([])
})

/** The task by which Hardhat 2 gets its compiler: it would download one. */
const HARDHAT_2_CONFIG = `
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const config = require('./hardhat.config.js')
const version = config.solidity
const build = { version, longVersion: version + '-npm', compilerPath: ${JSON.stringify(SOLJSON)}, isSolcJs: true }
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => build)
module.exports = config`

test('hardhat2-ethers', async () => {
  await copy('hardhat2-ethers')
  await writeFile(join(folder, 'offline.config.js'), HARDHAT_2_CONFIG)
  await check('hardhat2-ethers', {
    HARDHAT_CONFIG: 'offline.config.js',
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  })
})

const HARDHAT_3_CONFIG = `
import config from './hardhat.config.ts'
export default { ...config, solidity: { version: config.solidity, path: ${JSON.stringify(SOLJSON)} } }`

test('hardhat3-viem', async () => {
  await copy('hardhat3-viem', HARDHAT_3)
  await writeFile(join(folder, 'offline.config.ts'), HARDHAT_3_CONFIG)
  const PATH = pathWithNewerNode(await packagesFolder(HARDHAT_3))
  await check('hardhat3-viem', { HARDHAT_CONFIG: 'offline.config.ts', PATH })
})

test('vitest-viem', async () => {
  await copy('vitest-viem', VITEST)
  await check('vitest-viem')
})

test('jest-ethers', async () => {
  await copy('jest-ethers')
  await check('jest-ethers')
})

test('mocha-ethers', async () => {
  await copy('mocha-ethers', HARDHAT_3)
  // A linked package would not find dev-node in the project.
  const mocha = join(folder, 'node_modules', 'mocha')
  await unlink(mocha)
  await cp(join(await packagesFolder(HARDHAT_3), 'node_modules', 'mocha'), mocha, { recursive: true })
  await check('mocha-ethers')
})

describeFoundry('Foundry', () => {
  test('foundry-cast', async () => {
    await copy('foundry-cast')
    const foundry = await openFoundry({ FOUNDRY_SOLC: SOLC_OF_NPM })
    try {
      const [forge, { env }] = foundry.start('forge')
      const [cast] = foundry.start('cast')
      await check('foundry-cast', {
        ...env,
        PATH: [dirname(forge), dirname(cast), env['PATH']].join(delimiter),
      })
    } finally {
      await foundry.remove()
    }
  })
})

// Node 20 prints TAP where there is no terminal.
const SPEC = { NODE_OPTIONS: '--test-reporter=spec' }

test('peg-in', async () => {
  await copy('peg-in')
  await check('peg-in', SPEC)
})

test('two-chains', async () => {
  await copy('two-chains')
  await check('two-chains', SPEC)
})
