/** Rows of whole test suites: the ones that test this project's node, against every node. */

import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../folders.ts'
import { temporaryHome } from '../nodes/node.ts'
import type { NodeSession } from '../session.ts'
import type { Row } from '../workloads/row.ts'
import { HARDHAT_SUITE, contractTests, measureSuite, numberBefore, run } from './suite.ts'

const HARDHAT = join(ROOT, 'node_modules', 'hardhat', 'internal', 'cli', 'cli.js')

/** Blocks of network 33 hold less gas than Hardhat asks for. */
const NETWORK_33_GAS = 6_800_000

async function hardhatSuite(session: NodeSession) {
  const { node, url } = session.running
  const address = node.id.startsWith('dev-node') ? `${url}/?dialect=hardhat` : url
  const gas = node.id === 'dev-node' ? { gas: NETWORK_33_GAS } : {}
  const configuration = { networks: { localhost: { url: address, ...gas } } }
  const env = {
    HARDHAT_RECIPE: `module.exports = ${JSON.stringify(configuration)}`,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  }
  const command = (...args: readonly string[]) => ({
    file: process.execPath,
    args: [HARDHAT, ...args],
    cwd: HARDHAT_SUITE,
    env,
  })
  // The compiler's time is nobody's: it compiles what it has not compiled before.
  await run(command('compile'))
  const suite = command('test', '--no-compile', '--network', 'localhost', ...(await contractTests()))
  return measureSuite(session, suite, (output) => ({
    passed: numberBefore(output, /(\d+) passing/),
    failed: numberBefore(output, /(\d+) failing/),
  }))
}

const VIEM_SUITE = 'test/clients/viem.test.ts'

async function viemSuite(session: NodeSession) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js')
  const command = {
    file: process.execPath,
    args: [jest, '--config', join(ROOT, 'jest.slow.config.js'), VIEM_SUITE],
    env: { DEV_NODE_TEST_URL: session.running.url },
  }
  return measureSuite(session, command, (output) => ({
    passed: numberBefore(output, /^Tests:.* (\d+) passed/m),
    failed: numberBefore(output, /^Tests:.* (\d+) failed/m),
  }))
}

/** The program itself, from npm. */
function forgePath(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const require = createRequire(
    createRequire(join(ROOT, 'package.json')).resolve('@foundry-rs/forge/package.json'),
  )
  return require.resolve(`@foundry-rs/forge-${process.platform}-${architecture}/bin/forge`)
}

const FOUNDRY_PROJECT = join(ROOT, 'test', 'clients', 'foundry')

/** Sends 25 transactions at once, after a simulation; twice in one process, of which the second is measured. */
async function foundryScript(session: NodeSession) {
  const [sender] = await session.accounts()
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-bench-forge-'))
  try {
    await cp(FOUNDRY_PROJECT, folder, { recursive: true })
    const { url } = session.running
    const address = session.running.node.id.startsWith('dev-node') ? `${url}/?dialect=ethereum` : url
    const env = {
      ...temporaryHome(folder),
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      FOUNDRY_OFFLINE: 'true',
      FOUNDRY_SOLC: join(FOUNDRY_PROJECT, 'solc.mjs'),
      ETHEREUM_URL: address,
      NETWORK_33_URL: address,
    }
    const file = forgePath()
    await run({ file, args: ['build'], cwd: folder, env })
    const args = ['script', 'script/Deploy.s.sol:Many', '--rpc-url', 'ethereum', '--broadcast', '--legacy']
    const sending = [...args, '--unlocked', '--sender', sender]
    return await measureSuite(session, { file, args: sending, cwd: folder, env }, (output) => ({
      passed: output.includes('ONCHAIN EXECUTION COMPLETE & SUCCESSFUL') ? 1 : 0,
      failed: output.includes('Error') ? 1 : 0,
    }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The suites that this installation has. */
export async function suiteRows(): Promise<readonly Row[]> {
  const rows: Row[] = []
  const suite = (name: string, measure: Row['measure']) => rows.push({ name, process: 'fresh', measure })
  if ((await contractTests()).length > 0 && existsSync(HARDHAT))
    suite('OpenZeppelin suite of Hardhat', hardhatSuite)
  if (existsSync(join(ROOT, VIEM_SUITE))) suite('suite of viem', viemSuite)
  if (hasForge()) suite('script of Foundry, 25 transactions', foundryScript)
  return rows
}

function hasForge(): boolean {
  try {
    return existsSync(forgePath())
  } catch {
    return false
  }
}
