/** A failing suite as a new user sees it, in each runner, and its failures afterwards in a folder that has nothing but their file. */

import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readReport } from '../../lib/cli/asked-report.ts'
import { decodeReport } from '../../lib/modules/report/report-file.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { commandPath, packagesFolder } from '../support/packed-command.ts'
import { NEWER_VITEST, pathWithNewerNode, VITEST } from '../support/packages.ts'
import { createProject, createProjectWith, type Project } from '../support/project.ts'
import { runShell } from '../support/recipes.ts'
import { content, lineOf, PATH, plain } from '../support/shop.ts'

const { abi, evm }: any = plain.output.contracts[PATH]!['Shop']!
const token: any = plain.output.contracts[PATH]!['Token']!

/** A suite: one test expects a revert, one fails by one, one fails by itself. `url` is where the chain is. `more`: what other runners lack. */
const suite = (start: string, url: string, more = ''): string => `${start}
import assert from 'node:assert/strict'
import { ContractFactory, JsonRpcProvider } from 'ethers'

describe('Shop', () => {
  const sell = async (count) => {
    const provider = new JsonRpcProvider(${url}, undefined, { staticNetwork: true, cacheTimeout: -1 })
    try {
      const signer = await provider.getSigner(0)
      const deploy = async (abi, code, ...given) => {
        const contract = await new ContractFactory(abi, code, signer).deploy(...given)
        return contract.waitForDeployment()
      }
      const token = await deploy(${JSON.stringify(token.abi)}, '${token.evm.bytecode.object}', 1000)
      const shop = await deploy(${JSON.stringify(abi)}, '${evm.bytecode.object}', await token.getAddress())
      await (await token.approve(await shop.getAddress(), 5000)).wait()
      await (await shop.buy(count)).wait()
    } finally {
      provider.destroy()
    }
  }
  test('expects a revert', () => assert.rejects(sell(20)))
  test('sells thirty', () => sell(30))
  test('fails by itself', async () => {
    await sell(2)
    assert.equal(1, 2)
  })
  let attempts = 0
  const passLater = () => attempts++ === 0 && sell(30)
  ${more}
})
`

/** Hooks of Mocha that fail, and a test that passes when it runs again. */
const IN_MOCHA = `
  it('passes later', passLater).retries(2)
  describe('Opening', () => {
    before('opens', () => sell(30))
    it('is never run', () => undefined)
  })
  describe('Filling', () => {
    beforeEach('fills', () => sell(30))
    it('is not filled', () => undefined)
  })`
const HOOKS_IN_MOCHA = [`Filling "before each" hook: fills`, `Opening "before all" hook: opens`]

/** A hook of Jest and Vitest that fails before all tests, and tests that are not run. */
const OPENING = `
  describe('Opening', () => {
    beforeAll(() => sell(30))
    test('is never run', () => undefined)
    describe('again', () => test('is never run', () => undefined))
  })`
const HOOK_OF_OPENING = 'Opening "before all" hook'

const IN_VITEST = `test('passes later', { retry: 1 }, passLater)${OPENING}`
const IN_JEST = `test('passes later', passLater)${OPENING}`
const JEST_RETRIES = "import { jest } from '@jest/globals'\njest.retryTimes(1)"

/** Purchases that fail in a transaction and in a call of viem and of web3. */
const LIBRARIES = `
import { createPublicClient, createWalletClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { Web3 } from 'web3'

const url = process.env['DEV_NODE_URL']
const [abi, tokenAbi] = [${JSON.stringify(abi)}, ${JSON.stringify(token.abi)}]
const web3 = new Web3(url)
const clients = { transport: http(url), chain: foundry, pollingInterval: 10 }
const [node, wallet] = [createPublicClient(clients), createWalletClient(clients)]
let account, shop, address, functionName = 'buy', args = [30n]

before(async () => {
  ;[account] = await wallet.getAddresses()
  const deploy = (abi, data, given) =>
    new web3.eth.Contract(abi).deploy({ data, arguments: given }).send({ from: account, gas: '3000000' })
  const token = await deploy(tokenAbi, '0x${token.evm.bytecode.object}', [1000])
  shop = await deploy(abi, '0x${evm.bytecode.object}', [token.options.address])
  address = shop.options.address
  await token.methods.approve(address, 5000).send({ from: account })
})
it('writes with viem', () => wallet.writeContract({ abi, address, functionName, args, account }))
it('reads with viem', () => node.simulateContract({ abi, address, functionName, args, account }))
it('sends with web3', () => shop.methods.buy(30).send({ from: account, gas: '500000' }))
it('calls with web3', () => shop.methods.buy(30).call({ from: account }))
`

/** With a set-up, it names the chain of the worker, as `chain.url` does. */
const OWN = "process.env['DEV_NODE_URL']"

async function write(project: Project): Promise<void> {
  for (const [path, text] of hardhat2(plain)) await project.write(path, JSON.stringify(text))
  await project.write(PATH, content)
  await project.write('setup/mocha.js', suite('', 'chain.url', IN_MOCHA).replaceAll('test(', 'it('))
  await project.write('setup/jest.test.js', suite(JEST_RETRIES, OWN, IN_JEST))
  await project.write('plain/mocha.js', suite('', OWN, IN_MOCHA).replaceAll('test(', 'it('))
  await project.write('plain/jest.test.js', suite(JEST_RETRIES, OWN, IN_JEST))
  await project.write('plain/node.test.js', suite("import { describe, test } from 'node:test'", OWN))
  await project.write(
    'setup/vitest.js',
    suite("import { beforeAll, describe, test } from 'vitest'", OWN, IN_VITEST),
  )
  await project.write(
    'plain/vitest.js',
    suite("import { beforeAll, describe, test } from 'vitest'", OWN, IN_VITEST),
  )
  const jest = { transform: {}, testTimeout: 60_000 }
  const ends = { globalSetup: 'dev-node/jest/setup', globalTeardown: 'dev-node/jest/teardown' }
  await project.write('plain/jest.json', JSON.stringify({ ...jest, rootDir: '.' }))
  await project.write(
    'setup/jest.json',
    JSON.stringify({ ...jest, ...ends, testEnvironment: 'dev-node/jest' }),
  )
  const vitest = (name: string, more: object): Promise<void> =>
    project.write(
      `${name}/vitest.config.js`,
      `export default ${JSON.stringify({ test: { include: ['vitest.js'], testTimeout: 60_000, ...more } })}`,
    )
  await vitest('plain', {})
  await vitest('setup', { globalSetup: 'dev-node/vitest', setupFiles: 'dev-node/vitest/chain' })
}

const JEST = 'node --experimental-vm-modules node_modules/jest/bin/jest.js --testTimeout=120000'
const MOCHA = 'node node_modules/mocha/bin/mocha.js --timeout 120000'
const EXEC = 'DEV-NODE exec --port 0 --quiet --'

const RUNNERS: readonly (readonly [name: string, command: string])[] = [
  ['Mocha with its set-up', `${MOCHA} --require dev-node/mocha setup/mocha.js`],
  ['Mocha in dev-node exec', `${EXEC} ${MOCHA} plain/mocha.js`],
  ['Jest with its set-up', `${JEST} --config setup/jest.json`],
  ['Jest in dev-node exec', `${EXEC} ${JEST} --config plain/jest.json`],
  ['node:test in dev-node exec', `${EXEC} node --test plain/node.test.js`],
]

const WITH_VITEST: typeof RUNNERS = [
  ['with its set-up', 'npx vitest run --testTimeout=120000 --root setup'],
  ['in dev-node exec', `${EXEC} npx vitest run --testTimeout=120000 --root plain`],
]

const REASON = /reverted with custom error 'TooPoor\(account 0, 1000, 3000\)'/g

/** Runs a suite whose tests fail, then opens its file elsewhere. */
async function fails(project: Project, command: string, searchPath = process.env['PATH']): Promise<void> {
  const file = join(project.folder, 'failures.dnr')
  await rm(file, { force: true })
  const env = {
    JEST_WORKER_ID: undefined,
    NODE_OPTIONS: undefined,
    DEV_NODE_NETWORK: 'ethereum',
    PATH: searchPath,
  }
  const artifacts = { DEV_NODE_ARTIFACTS: join(project.folder, 'artifacts'), DEV_NODE_REPORT: file }
  const line = command.replace('DEV-NODE', `node ${await commandPath()}`)
  const { exitCode, output } = await runShell(line, project.folder, { ...env, ...artifacts })
  expect([exitCode === 0, output]).toEqual([
    false,
    expect.stringContaining(`Token._move (${PATH}:${lineOf('revert TooPoor')}:`),
  ])
  const hooks = command.includes('--test ')
    ? []
    : command.includes(MOCHA)
      ? HOOKS_IN_MOCHA
      : [HOOK_OF_OPENING]
  // Only the tests that failed by a revert, not the one that expected it; Vitest shows it in two places.
  const ids = [...output.matchAll(/npx dev-node explain \S+ (\d+)/g)].map(([, id]) => id!)
  expect([new Set(ids).size, output]).toEqual([1 + hooks.length, output])
  expect(output).toContain('if (balances[from] < value) revert TooPoor(from, balances[from], value);')
  expect(output).toContain(`${2 + hooks.length} failed tests: npx dev-node show ${file}`)
  await openedElsewhere(file, ids[0]!, [...hooks, 'fails by itself', 'sells thirty'])
}

async function openedElsewhere(file: string, id: string, titles: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'elsewhere-'))
  try {
    await cp(file, join(folder, 'copied.dnr'))
    const command = `node ${await commandPath()}`
    const explained = await runShell(`${command} explain copied.dnr ${id}`, folder)
    expect(explained.output).toMatch(REASON)
    expect(explained.output).toContain(`${PATH}:${lineOf('revert TooPoor')}`)
    const listed = await runShell(`${command} explain copied.dnr --last 9 --json`, folder)
    const rows = JSON.parse(listed.output)
    // A runner has an order of its own for hooks.
    const shownTitles = rows.map(({ test }: any) => test.title.replace(/^Shop (> )?| for ".*/g, '')).sort()
    expect(shownTitles).toEqual([...titles].sort())
    const shown = await runShell(`${command} show copied.dnr --html page`, folder)
    expect(shown).toEqual({ exitCode: 0, output: `${join('page', 'index.html')}\n` })
    const page = await readFile(join(folder, 'page', 'index.html'), 'utf8')
    const [, inside = ''] = /<script id="report"[^>]*>([^<]*)</.exec(page) ?? []
    const content = decodeReport(Buffer.from(inside, 'base64'), 'the page', gunzipSync)
    expect(content).toEqual(await readReport(file))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('a failed test shows its reason with the line of Solidity, and its file opens elsewhere:', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject()
    // Linked packages would not find dev-node in the project.
    await rm(join(project.folder, 'node_modules', 'mocha'))
    await cp('node_modules/mocha', join(project.folder, 'node_modules', 'mocha'), { recursive: true })
    await write(project)
  })
  afterAll(() => project.remove())

  test.each(RUNNERS)('%s', (_, command) => fails(project, command))

  test('errors of viem and web3', async () => {
    await project.write('plain/libraries.mjs', LIBRARIES)
    const env = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined, DEV_NODE_NETWORK: 'ethereum' }
    const command = `node ${await commandPath()} exec --port 0 -- ${MOCHA} plain/libraries.mjs`
    const { output } = await runShell(command, project.folder, env)
    expect([output.match(REASON)?.length, output]).toEqual([4, output])
    expect(output).toContain('4 failed tests: npx dev-node show')
  })

  test('a run without failed tests removes the failures of the last one', async () => {
    const runner = `${MOCHA} plain/mocha.js --grep`
    const file = join(project.folder, 'node_modules', '.cache', 'dev-node', 'last-run.dnr')
    const env = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined, DEV_NODE_NETWORK: 'ethereum' }
    const run = async (program: string): Promise<boolean> => {
      await runShell(`node ${await commandPath()} exec --port 0 -- ${program}`, project.folder, env)
      return existsSync(file)
    }
    expect(await run(`${runner} sells`)).toBe(true)
    // No runner: it says nothing of tests.
    expect(await run('node --version')).toBe(true)
    expect(await run(`${runner} expects`)).toBe(false)
  })
})

describe.each([
  ['', VITEST],
  [' 5', NEWER_VITEST],
] as const)('the same in Vitest%s', (_, vitest) => {
  let project: Project
  let path: string | undefined

  beforeAll(async () => {
    const set = { ...vitest, dependencies: { ...vitest.dependencies, ethers: '6.17.0' } }
    project = await createProjectWith(set)
    if (vitest === NEWER_VITEST) path = pathWithNewerNode(await packagesFolder(set))
    await write(project)
  })
  afterAll(() => project.remove())

  test.each(WITH_VITEST)('%s', (__, command) => fails(project, command, path))
})
