/** The guide to Hardhat 2 in one process, run with a real project. EDR, the chain of Hardhat, may not be loaded. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { commandPath, startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { recipe, runShell } from '../support/recipes.ts'

const project = join(import.meta.dirname, '..', 'clients', 'hardhat')

/** Tests of the project; one that silently disappears is noticed here. */
const PASSING_TESTS = 55 + 22 + 6

let remote: RunningNode

beforeAll(async () => {
  remote = await startDevNode(['--network', 'ethereum'])
})

afterAll(async () => {
  await remote.stop()
})

const [configuration] = recipe('docs/hardhat.md#hardhat-2-in-one-process', 'js', 'http://127.0.0.1:4444')
const [serial, parallel] = recipe(
  'docs/hardhat.md#hardhat-2-in-one-process',
  'sh',
  'http://127.0.0.1:4444',
)[0]!
  .trim()
  .split('\n')

test('all tests of a project pass', async () => {
  const env = {
    DEV_NODE_COMMAND: await commandPath(),
    FORK_URL: withDialect(remote.url, 'hardhat'),
    HARDHAT_RECIPE: configuration!,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    NODE_OPTIONS: `--require ${join(project, 'no-edr.cjs')}`,
  }
  const { exitCode, output } = await runShell(serial!, project, env)
  expect({
    exitCode,
    passing: Number(/(\d+) passing/.exec(output)?.[1]),
    output: failuresIn(output),
  }).toEqual({
    exitCode: 0,
    passing: PASSING_TESTS,
    output: '',
  })
  // hardhat2-process.test.ts has runs in parallel.
  expect(parallel).toBe(`${serial!} --parallel`)
})

/** What failed, or everything where no test ran, so that the difference shows it. */
const failuresIn = (output: string): string =>
  output.includes(' passing') ? (/\d+ (failing|pending)[^]*/.exec(output)?.[0] ?? '') : output
