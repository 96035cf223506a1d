/** A running Hardhat 2, which is a dependency of the tests. */

import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { askWhileRunning } from './peer-process.ts'
import type { Ask } from './peer-process.ts'

const installed = dirname(createRequire(import.meta.url).resolve('hardhat/package.json'))

/** Runs Hardhat's node during a task, with a configuration of its network. */
export async function withHardhat2(
  network: object,
  run: (ask: Ask, url: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-hardhat-'))
  // It runs only in a project that has it installed.
  await mkdir(join(folder, 'node_modules'))
  await symlink(installed, join(folder, 'node_modules', 'hardhat'), 'junction')
  const config = { solidity: '0.8.28', networks: { hardhat: { ...network, loggingEnabled: false } } }
  await writeFile(join(folder, 'hardhat.config.cjs'), `module.exports = ${JSON.stringify(config)}`)
  const command = join(folder, 'node_modules', 'hardhat', 'internal', 'cli', 'cli.js')
  const child = spawn(process.execPath, [command, 'node', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await askWhileRunning(child, (line) => /JSON-RPC server at (http:\S+)/.exec(line)?.[1], run)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
