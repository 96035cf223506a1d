/** The Jest integration in a project: the packed package, a configuration, and test files run by several workers. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { CONSOLE_ADDRESS } from '../../../lib/evm/outcome.ts'
import { createProject } from '../../support/project.ts'
import type { Project } from '../../support/project.ts'

/** Creation code that logs a text with console.log, and creates an empty contract. */
function saying(text: string): string {
  const abi = [{ type: 'function', name: 'log', inputs: [{ type: 'string' }] }]
  const words = encodeFunctionData({ abi, args: [text] }).slice(2)
  const size = `60${(words.length / 2).toString(16)}`
  // Copies the bytes after it into memory, and calls with them.
  const call = `60006000${size}600073${CONSOLE_ADDRESS.slice(2)}61fffffa00`
  const start = (call.length / 2 + 7).toString(16)
  return `0x${size}60${start}600039${call}${words}`
}

/** Every file uses the chain of its worker, which must not have the changes of other files. */
const TEST_FILE = `
const pay = async (value) => {
  const [from, to] = await chain.rpc('eth_accounts')
  return chain.rpc('eth_sendTransaction', [{ from, to, value }])
}

test('begins at the beginning', async () => {
  expect(await chain.rpc('eth_blockNumber')).toBe('0x0')
  expect(chain.url).toMatch(new RegExp('/w/worker-' + process.env.JEST_WORKER_ID + '$'))
})

test('has a fixture', async () => {
  const hash = await chain.fixture('paid', async (mine) => {
    const [from, to] = await mine.rpc('eth_accounts')
    const hash = await mine.rpc('eth_sendTransaction', [{ from, to, value: '0x7' }])
    console.log('fixture was built')
    return hash
  })
  expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
})

test.each([1, 2, 3])('goes back to a snapshot (%d)', async () => {
  const id = await chain.snapshot()
  const before = await chain.rpc('eth_blockNumber')
  for (let n = 0; n < 20; n++) await pay('0x1')
  await chain.revert(id)
  expect(await chain.rpc('eth_blockNumber')).toBe(before)
  await pay('0x1')
})

test('calls a contract that says something', async () => {
  expect(await chain.rpc('eth_call', [{ data: '${saying('heard in a test')}' }])).toBe('0x')
})

test('hears of a revert that did not take', async () => {
  await expect(chain.revert('0x99')).rejects.toThrow('there is no snapshot 0x99 to revert to')
})
`

const FILES = ['one', 'two', 'three', 'four']

const CONFIG = {
  testEnvironment: 'dev-node/jest',
  globalSetup: 'dev-node/jest/setup',
  globalTeardown: 'dev-node/jest/teardown',
  transform: {},
  testTimeout: 60_000,
  // Jest would run files that were quick the last time in one process.
  workerIdleMemoryLimit: '1GB',
}

let project: Project

/** A project with this package and Jest. */
beforeAll(async () => {
  project = await createProject()
  await configure({})
  for (const name of FILES) await project.write(`${name}.test.js`, TEST_FILE)
})

afterAll(() => project.remove())

/** Changes the options of the node of the runs, and other options of the environment. */
async function configure(devNode: object, others: object = {}): Promise<void> {
  const config = { ...CONFIG, testEnvironmentOptions: { devNode: { accounts: 3, ...devNode }, ...others } }
  await project.write('jest.config.json', JSON.stringify(config))
}

/** Runs Jest in the project; returns its output and its exit code. */
function runJest(...more: readonly string[]): Promise<{ readonly code: unknown; readonly printed: string }> {
  const jest = join(project.folder, 'node_modules', 'jest', 'bin', 'jest.js')
  const args = ['--experimental-vm-modules', '--no-warnings', jest, '--ci', '--maxWorkers=2', ...more]
  // As from a shell: without the variables of this run of Jest.
  const env = { ...process.env, JEST_WORKER_ID: undefined }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project.folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, printed: `${stdout}${stderr}` })
    })
  })
}

test('runs a project with a world for each worker, on one node or several; a fixture is built once for all runs', async () => {
  const first = await runJest()
  expect(first).toMatchObject({ code: 0, printed: expect.stringMatching(/Tests: +28 passed, 28 total/) })
  expect(first.printed.match(/fixture was built/g)).toHaveLength(1)
  expect(
    first.printed.match(/console\.log of call of a new contract in world worker-\d\n  heard in a test\n/g),
  ).toHaveLength(4)
  // Other nodes, each in a process, have the fixture too.
  await configure({ quiet: true }, { processes: 2 })
  const printsUrl = `test('prints', () => void process.stderr.write('chain at ' + chain.url + '\\n'))`
  for (const name of FILES) await project.write(`${name}.test.js`, `${TEST_FILE}\n${printsUrl}`)
  const { code, printed } = await runJest()
  expect({ code, printed }).toEqual({
    code: 0,
    printed: expect.stringMatching(/Tests: +32 passed, 32 total/),
  })
  expect(printed).not.toMatch(/fixture was built|heard in a test/)
  const chains = [...printed.matchAll(/chain at (http:.*)\/w\/worker-(\d)/g)].map(([, url, worker]) => [
    worker,
    url,
  ])
  expect(chains).toHaveLength(4)
  const nodes = new Map(chains as [string, string][])
  expect(new Set(nodes.values()).size).toBe(nodes.size)
  expect([...nodes.keys()].toSorted()).toEqual(['1', '2'])
  for (const url of nodes.values()) await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('refuses a project with other node options in one run', async () => {
  const configured = (name: string, network: string) => ({
    ...CONFIG,
    displayName: name,
    testMatch: [`**/${name}.test.js`],
    testEnvironmentOptions: { devNode: { network, genesisTimestamp: 1_700_000_000, quiet: true } },
  })
  const projects = [
    configured('one', 'ethereum'),
    configured('two', 'ethereum'),
    configured('three', 'network-33'),
  ]
  await project.write('projects.config.json', JSON.stringify({ projects }))
  const { code, printed } = await runJest('--config=projects.config.json')
  expect(code).toBe(1)
  expect(printed).toMatch(/one node serves all projects of a run, and was started with devNode \{/)
  expect(printed).toMatch(/Test Suites: \d failed, \d passed, 3 total/)
})
