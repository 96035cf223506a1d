/** Runs the Hardhat project beside this file against the packed command, with Hardhat's errors asked for. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

/** Tests of the network helpers. */
const HELPER_TESTS = 22

/** Tests of the project; one that silently disappears is noticed here. */
const PASSING_TESTS = 85 + HELPER_TESTS

const projectFolder = join(import.meta.dirname, 'hardhat')

describe('a Hardhat project with ethers, chai matchers and network helpers', () => {
  let node: RunningNode

  beforeAll(async () => {
    node = await startDevNode()
  }, 180_000)

  afterAll(() => node.stop())

  test('passes as it stands', async () => {
    expect(await outcome(withDialect(node.url, 'hardhat'))).toEqual(allPass(PASSING_TESTS))
  }, 300_000)
})

describe('the network helpers on a chain whose blocks have a base fee', () => {
  let node: RunningNode

  beforeAll(async () => {
    node = await startDevNode(['--network', 'ethereum'])
  }, 180_000)

  afterAll(() => node.stop())

  test('work all', async () => {
    const suite = await outcome(withDialect(node.url, 'hardhat'), [join('test', 'network-helpers.js')])
    expect(suite).toEqual(allPass(HELPER_TESTS))
  }, 300_000)
})

interface SuiteOutcome {
  readonly exitCode: number | string | null | undefined
  readonly passing: number
  readonly failures: string
}

const allPass = (passing: number): SuiteOutcome => ({ exitCode: 0, passing, failures: '' })

/** Runs the project's tests, or some of its files. */
async function outcome(url: string, files: readonly string[] = []): Promise<SuiteOutcome> {
  const { exitCode, output } = await runHardhat(url, files)
  const passing = Number(/(\d+) passing/.exec(output)?.[1])
  // What failed, or everything where it did not come so far, so that the difference shows it.
  const failures = Number.isNaN(passing) ? output : (/\d+ (failing|pending)[^]*/.exec(output)?.[0] ?? '')
  return { exitCode, passing, failures }
}

/** `npx hardhat test --network devnode`, without the start of npx. */
function runHardhat(
  url: string,
  files: readonly string[],
): Promise<{ exitCode: number | string | null | undefined; output: string }> {
  const hardhat = createRequire(import.meta.url).resolve('hardhat/internal/cli/bootstrap.js')
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [hardhat, 'test', '--network', 'devnode', ...files],
      {
        cwd: projectFolder,
        env: { ...process.env, DEV_NODE_URL: url, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', NO_COLOR: '1' },
        maxBuffer: 16 * 1024 * 1024,
      },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, output: stdout + stderr }),
    )
  })
}
