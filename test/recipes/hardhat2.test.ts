/** The guide to Hardhat 2, run with a real project: all of its requests have to reach the node. */
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { countByWorld, receivedRequests, recipe, runShell } from '../support/recipes.ts'

/** Tests of the network helpers. */
const HELPER_TESTS = 22

/** Tests of test/vault.js. */
const VAULT_TESTS = 6

/** Tests of resets to a remote. */
const FORK_TESTS = 6

/** Tests of the project; one that silently disappears is noticed here. */
const PASSING_TESTS = 55 + HELPER_TESTS + FORK_TESTS

const project = join(import.meta.dirname, '..', 'clients', 'hardhat')

const [plain, parallel, parallelWithConfig] = recipe(
  'docs/hardhat.md#hardhat-2',
  'sh',
  'http://127.0.0.1:4444',
)[0]!
  .trim()
  .split('\n')

let node: RunningNode
/** The chain that the project forks. */
let remote: RunningNode

describe('on network 33', () => {
  beforeAll(async () => {
    node = await startDevNode(['--verbose'])
    remote = await startDevNode()
  })

  afterAll(stopBoth)

  test('a parallel run, with a config file of another name, uses a chain for each worker and no other', async () => {
    await copyFile(join(project, 'hardhat.config.cjs'), join(project, 'other.config.cjs'))
    try {
      // Without the variable it is the line before.
      expect(parallelWithConfig).toBe(parallel!.replace(' npx', ' HARDHAT_CONFIG=other.config.js npx'))
      const line = parallelWithConfig!.replace('other.config.js', 'other.config.cjs')
      const { outcome, sent } = await run(line)
      expect(outcome).toEqual(allPass(PASSING_TESTS))
      expect(sent).toEqual({ 'mocha-0': expect.any(Number), 'mocha-1': expect.any(Number) })
    } finally {
      await rm(join(project, 'other.config.cjs'))
    }
  })
})

test('on network 33 without the setting gas, hardhat-ethers estimates: its fixed amount is more than a block holds', async () => {
  node = await startDevNode(['--verbose'])
  remote = node
  const [configuration = ''] = recipe('docs/hardhat.md#hardhat-2', 'js', node.url)
  const { outcome } = await run(`${plain!} test/vault.js`, [configuration.replace(/\n.*gas:.*/, '')])
  await node.stop()
  expect(outcome).toEqual(allPass(VAULT_TESTS))
})

describe('on a chain whose blocks have a base fee', () => {
  beforeAll(async () => {
    node = await startDevNode(['--verbose', '--network', 'ethereum'])
    remote = await startDevNode(['--network', 'ethereum'])
  })

  afterAll(stopBoth)

  test('a run uses the default chain; the network helpers and resets to a remote work', async () => {
    const { outcome, sent } = await run(`${plain!} test/network-helpers.js test/forks.js`)
    expect(outcome).toEqual(allPass(HELPER_TESTS + FORK_TESTS))
    expect(sent).toEqual({ '': expect.any(Number) })
  })
})

async function stopBoth(): Promise<void> {
  await node.stop()
  await remote.stop()
}

interface SuiteOutcome {
  readonly exitCode: unknown
  readonly passing: number
  readonly failures: string
}

const allPass = (passing: number): SuiteOutcome => ({ exitCode: 0, passing, failures: '' })

/** Runs the project with the guide's configuration. Returns the outcome, and how many transactions each chain was sent. */
async function run(
  line: string,
  [configuration = ''] = recipe('docs/hardhat.md#hardhat-2', 'js', node.url),
): Promise<{ readonly outcome: SuiteOutcome; readonly sent: Readonly<Record<string, number>> }> {
  const printedBefore = node.stdout().length
  const env = {
    FORK_URL: withDialect(remote.url, 'hardhat'),
    HARDHAT_RECIPE: configuration,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  }
  const { exitCode, output } = await runShell(line, project, env)
  const passing = Number(/(\d+) passing/.exec(output)?.[1])
  // What failed, or everything where no test ran, so that the difference shows it.
  const failures = Number.isNaN(passing) ? output : (/\d+ (failing|pending)[^]*/.exec(output)?.[0] ?? '')
  const sent = countByWorld(await receivedRequests(node, printedBefore), 'eth_sendTransaction')
  return { outcome: { exitCode, passing, failures }, sent }
}
