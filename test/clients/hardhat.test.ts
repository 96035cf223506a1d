/** Runs the Hardhat project beside this file against the packed command, with Hardhat's errors asked for. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

/** Tests of the project; one that silently disappears is noticed here. */
const PASSING_TESTS = 83

const projectFolder = join(import.meta.dirname, 'hardhat')

describe('a Hardhat project with ethers, chai matchers and network helpers', () => {
  let node: RunningNode

  beforeAll(async () => {
    node = await startDevNode()
  }, 180_000)

  afterAll(() => node.stop())

  test('passes as it stands', async () => {
    const { exitCode, output } = await runHardhat(withDialect(node.url, 'hardhat'))
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('passing') })
    expect(output).toContain(` ${PASSING_TESTS} passing`)
    expect(output).not.toMatch(/\d+ (failing|pending)/)
  }, 300_000)
})

/** `npx hardhat test --network devnode`, without the start of npx. */
function runHardhat(url: string): Promise<{ exitCode: number | string | null | undefined; output: string }> {
  const hardhat = createRequire(import.meta.url).resolve('hardhat/internal/cli/bootstrap.js')
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [hardhat, 'test', '--network', 'devnode'],
      {
        cwd: projectFolder,
        env: { ...process.env, DEV_NODE_URL: url, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', NO_COLOR: '1' },
        maxBuffer: 16 * 1024 * 1024,
      },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, output: stdout + stderr }),
    )
  })
}
