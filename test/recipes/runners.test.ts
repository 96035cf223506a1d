/** The guide to Jest, Mocha, Vitest and node:test: every worker has to use a chain of its own. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { VITEST } from '../support/packages.ts'
import { createProject, createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { countByWorld, receivedRequests, recipe, runShell } from '../support/recipes.ts'

let node: RunningNode

beforeAll(async () => {
  node = await startDevNode(['--verbose'])
})

afterAll(() => node.stop())

const [SETTING, ...COMMANDS] = recipe(
  'docs/test-runners.md#on-a-running-node',
  'sh',
  'http://127.0.0.1:4444',
)[0]!
  .trim()
  .split('\n')

/** A test file that checks that no other file changed its chain, and changes the chain itself. */
const PAYMENT = `
test('begins with the chain of its worker as it was', async () => {
  assert.equal(await chain.rpc('eth_blockNumber'), '0x0')
  const [from, to] = await chain.rpc('eth_accounts')
  await chain.rpc('eth_sendTransaction', [{ from, to, value: '0x1' }])
  assert.equal(await chain.rpc('eth_blockNumber'), '0x1')
})
`

const FILES = ['one', 'two', 'three', 'four']

/** Writes four files of tests that begin alike. */
async function writeTests(project: Project, folder: string, suffix: string, start: string): Promise<void> {
  for (const name of FILES) await project.write(`${folder}/${name}${suffix}`, `${start}\n${PAYMENT}`)
}

/** Runs a command of the recipe; returns its exit code and how many transactions each chain was sent. */
async function run(project: Project, command: string) {
  const printedBefore = node.stdout().length
  const setting = SETTING!.replace(/http.*/, node.url)
  const { exitCode, output } = await runShell(`${setting}\n${command}`, project.folder, {
    JEST_WORKER_ID: undefined,
    NODE_OPTIONS: undefined,
  })
  const sent = countByWorld(await receivedRequests(node, printedBefore), 'eth_sendTransaction')
  return { failure: exitCode === 0 ? '' : output, sent }
}

const total = (sent: Readonly<Record<string, number>>): number =>
  Object.values(sent).reduce((sum, count) => sum + count, 0)

describe('on a running node', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject()
  })

  afterAll(() => project.remove())

  const [connecting] = recipe('docs/test-runners.md#on-a-running-node', 'js', 'http://127.0.0.1:4444')
  const start = `import assert from 'node:assert/strict'\n${connecting}`

  test('Mocha', async () => {
    // Mocha's own limit of two seconds is too short for a busy machine.
    const options = { ui: 'tdd', jobs: 2, timeout: 60_000, spec: ['test/*.spec.js'] }
    await project.write('.mocharc.json', JSON.stringify(options))
    await writeTests(project, 'test', '.spec.js', start.replace('before(', 'suiteSetup('))
    const { failure, sent } = await run(project, COMMANDS[0]!)
    expect(failure).toBe('')
    expect(Object.keys(sent).toSorted()).toEqual(['worker-0', 'worker-1'])
    expect(total(sent)).toBe(FILES.length)
  })

  test('node:test', async () => {
    await writeTests(project, 'node', '.test.js', `import { before, test } from 'node:test'\n${start}`)
    const { failure, sent } = await run(project, `${COMMANDS[2]} node/one.test.js node/two.test.js`)
    expect(failure).toBe('')
    // A process for each file.
    expect(Object.values(sent)).toEqual([1, 1])
  })

  test('Jest', async () => {
    const [configuration, use] = recipe('docs/test-runners.md#jest', 'js', node.url)
    await project.write('jest.config.js', `${configuration}`)
    const test = `const bytecode = '0x'\ntest('uses the chain of its worker', async () => {\n${use}\n
      expect(chain.url).toMatch(new RegExp('/w/worker-' + process.env.JEST_WORKER_ID + '$'))\n})`
    for (const name of FILES) await project.write(`jest/${name}.test.js`, test)
    const jest =
      'node --experimental-vm-modules node_modules/jest/bin/jest.js --testTimeout=60000 --maxWorkers=2 jest/'
    // The run starts a node of its own.
    expect(await run(project, jest)).toEqual({ failure: '', sent: {} })
  })
})

/** Prints the chain of a worker. */
const PRINT = `
test('prints its chain', () => void process.stderr.write('chain at ' + chain.url + '\\n'))
`

/** Runs a command that starts nodes of its own; returns its exit code and the chains that its files used. */
async function runAlone(project: Project, command: string, env: NodeJS.ProcessEnv = {}) {
  const others = { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined }
  const { exitCode, output } = await runShell(command, project.folder, { ...others, ...env })
  const chains = [...output.matchAll(/chain at (http:\S+)\/w\/(\S+)/g)].map(([, url, world]) => ({
    url,
    world,
  }))
  return { failure: exitCode === 0 ? '' : output, chains }
}

describe('with Mocha', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject()
    // A linked package would not find dev-node in the project.
    await rm(join(project.folder, 'node_modules', 'mocha'))
    await cp('node_modules/mocha', join(project.folder, 'node_modules', 'mocha'), { recursive: true })
    const [setting] = recipe('docs/test-runners.md#mocha', 'json', 'http://127.0.0.1')
    await project.write('.mocharc.json', setting!)
    const checks = "test('has the chain id', async () => assert.equal(await chain.rpc('eth_chainId'), '0x5'))"
    await writeTests(project, 'test', '.js', `import assert from 'node:assert/strict'\n${PRINT}${checks}`)
  })

  afterAll(() => project.remove())

  const mocha = 'node node_modules/mocha/bin/mocha.js --ui tdd --timeout 60000'

  test('each worker uses a chain of its own on the node of the run, whose options are in the environment', async () => {
    const env = { DEV_NODE_CHAIN_ID: '5' }
    const { failure, chains } = await runAlone(project, `${mocha} --parallel --jobs 2`, env)
    expect(failure).toBe('')
    expect(chains).toHaveLength(FILES.length)
    expect(new Set(chains.map(({ world }) => world))).toEqual(new Set(['worker-0', 'worker-1']))
    expect(new Set(chains.map(({ url }) => url)).size).toBe(1)
  })
})

describe('with Vitest', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProjectWith(VITEST)
  })

  afterAll(() => project.remove())

  test('each worker uses a chain of its own', async () => {
    const [connecting] = recipe('docs/test-runners.md#on-a-running-node', 'js', 'http://127.0.0.1:4444')
    const start = `import assert from 'node:assert/strict'\nimport { beforeAll, test } from 'vitest'\n${connecting}`
    await writeTests(project, 'test', '.test.js', start.replace('before(', 'beforeAll('))
    const { failure, sent } = await run(project, `${COMMANDS[1]} --minWorkers=2 --maxWorkers=2`)
    expect(failure).toBe('')
    expect(Object.keys(sent).toSorted()).toEqual(['worker-1', 'worker-2'])
    expect(total(sent)).toBe(FILES.length)
  })

  test('each worker uses a chain of its own on the node of the run', async () => {
    const [configuration] = recipe('docs/test-runners.md#vitest', 'js', 'http://127.0.0.1')
    await project.write('own/vitest.config.js', configuration!)
    const start = `import assert from 'node:assert/strict'\nimport { test } from 'vitest'\n${PRINT}`
    await writeTests(project, 'own', '.test.js', start)
    const command = 'npx vitest run --root own --minWorkers=2 --maxWorkers=2'
    // The other pool, of processes, is that of the next test.
    const { failure, chains } = await runAlone(project, `${command} --pool=threads --no-isolate`)
    expect(failure).toBe('')
    expect(chains).toHaveLength(FILES.length)
    expect(new Set(chains.map(({ world }) => world))).toEqual(new Set(['worker-1', 'worker-2']))
    expect(new Set(chains.map(({ url }) => url)).size).toBe(1)
    await expect(fetch(chains[0]!.url!)).rejects.toThrow('fetch failed')
  })

  test('projects share the node, unless they ask for other options', async () => {
    const settings = (name: string, accounts: number) => ({
      test: {
        name,
        include: ['{one,two}.test.js'],
        globalSetup: 'dev-node/vitest',
        setupFiles: 'dev-node/vitest/chain',
        environmentOptions: { devNode: { accounts } },
      },
    })
    const write = (others: number) =>
      project.write(
        'own/projects.config.js',
        `export default { test: { projects: ${JSON.stringify([settings('one', 3), settings('two', others)])} } }`,
      )
    const command = 'npx vitest run --root own --config projects.config.js'
    await write(3)
    const { failure, chains } = await runAlone(project, command)
    expect(failure).toBe('')
    expect(chains).toHaveLength(4)
    expect(new Set(chains.map(({ url }) => url)).size).toBe(1)
    await write(4)
    // Either project may be the first.
    expect((await runAlone(project, command)).failure).toMatch(
      /one node serves all projects of a run, and was started with devNode {"accounts":"[34]"}; this project has {"accounts":"[34]"}/,
    )
  })
})
