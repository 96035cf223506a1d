/** The cache of a fork on another machine: the commands and workflows of the guide, with a node on this machine as the remote. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { receivedRequests, recipe, runShell } from '../support/recipes.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<'path' | 'key' | 'restore-keys', string>>
}

interface Workflow {
  readonly jobs: { readonly test: { readonly env: Record<string, unknown>; readonly steps: readonly Step[] } }
}

const NOWHERE = 'http://127.0.0.1'
const [kept, committed] = recipe('docs/forking.md#in-ci', 'yaml', NOWHERE).map(
  (text) => (parse(text) as Workflow).jobs.test,
)
const FIXTURE = 'fixtures/fork-1-20000000.cache'

/** Writes a suite that reads balances, and passes if the node answers all of them. */
const writeSuite = (addresses: readonly string[]): void =>
  writeFileSync(
    join(folder, 'suite.js'),
    `for (const address of ${JSON.stringify(addresses)}) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] })
      const headers = { 'content-type': 'application/json' }
      const { error } = await (await fetch(process.env.DEV_NODE_URL, { method: 'POST', headers, body })).json()
      if (error === undefined) continue
      console.error(error.message)
      process.exit(1)
    }`,
  )

/** Runs a line of the guide in the folder of the suite. */
const run = async (line: string, env: NodeJS.ProcessEnv) =>
  runShell(line.replaceAll('npx dev-node', `"${await commandPath()}"`), folder, env)

const ACCOUNTS = ['aa', 'bb'].map((digits) => `0x${digits.repeat(20)}`)
const ANOTHER = `0x${'cc'.repeat(20)}`

let remote: RunningNode
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dev-node-fork-cache-'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { test: 'node suite.js' } }),
  )
  writeSuite(ACCOUNTS)
  mkdirSync(join(folder, 'fixtures'))
  remote = await startDevNode(['--network', 'ethereum', '--chain-id', '1', '--verbose'])
  await request(remote.url, 'hardhat_mine', ['0x1312d64'])
})

afterAll(async () => {
  await remote.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The variables of a workflow, as the service sets them. */
const envOf = ({ env }: { readonly env: Record<string, unknown> }): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      String(value).replace('${{ secrets.RPC_URL }}', remote.url),
    ]),
  )

/** Runs the commands of a workflow in the project, but for the installation, up to the first one that fails. */
async function runWorkflow(workflow: Workflow['jobs']['test']) {
  const lines = workflow.steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run]))
  return run(lines.join(' && '), envOf(workflow))
}

/** Methods that the remote was asked while a task ran. */
async function askedBy(task: () => Promise<unknown>): Promise<readonly string[]> {
  const before = remote.stdout().length
  await task()
  return (await receivedRequests(remote, before)).map(({ method }) => method)
}

const passed = { exitCode: 0 }

test('the key names the fork, and an older cache of the same block is restored', () => {
  const cache = kept!.steps.find(({ uses }) => uses?.startsWith('actions/cache@'))?.with
  const { DEV_NODE_FORK_CACHE, DEV_NODE_FORK_BLOCK_NUMBER } = envOf(kept!)
  expect(cache?.path).toBe(DEV_NODE_FORK_CACHE)
  const prefix = `fork-1-${DEV_NODE_FORK_BLOCK_NUMBER}-`
  expect(cache?.['restore-keys']).toBe(prefix)
  expect(cache?.key.startsWith(prefix)).toBe(true)
})

test('the first run fills the cache, and the second one asks for no state', async () => {
  const runs: (readonly string[])[] = []
  while (runs.length < 2)
    runs.push(await askedBy(async () => expect(await runWorkflow(kept!)).toMatchObject(passed)))
  const states = runs.map((asked) => asked.filter((method) => /Balance|Code|TransactionCount/.test(method)))
  expect(states.map(({ length }) => length > 0)).toEqual([true, false])
})

test('a committed file is enough for a run without the remote, and a new read is named', async () => {
  const [, atHome] = recipe('docs/forking.md#in-ci', 'sh', NOWHERE).join('').trim().split('\n')
  expect(await run(atHome!, envOf(kept!))).toMatchObject(passed)
  expect(await remote.stop()).toBe(0)
  rmSync(join(folder, '.fork-cache'), { recursive: true })
  expect(await runWorkflow(committed!)).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('of them new'),
  })
  writeSuite([...ACCOUNTS, ANOTHER])
  const { exitCode, output } = await runWorkflow(committed!)
  expect(exitCode).toBe(1)
  expect(output).toContain(`the fork cache lacks account ${ANOTHER} at block 20000000`)
  expect(output).toContain(`the fork cache lacked account ${ANOTHER} at block 20000000:`)
})

test('the file is found again by another export, and goes into another cache', async () => {
  const [exported = '', imported = ''] = recipe('docs/forking.md#one-file-per-block', 'sh', NOWHERE)
    .join('')
    .trim()
    .split('\n')
  const [here, other] = ['.fork-cache', '.other-cache'].map((cache) => ({ DEV_NODE_FORK_CACHE: cache }))
  expect(await run(exported, here!)).toMatchObject(passed)
  const file = join(folder, exported.split(' ')[4]!)
  expect(readFileSync(file)).toEqual(readFileSync(join(folder, FIXTURE)))
  expect(await run(imported, other!)).toMatchObject(passed)
})
