/** Asks Hardhat 2, on its in-process network or over HTTP, how calls of the contracts of fixtures/failures fail. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { toHex } from '../../../../lib/base/hex.ts'
import type { CompilerRun, CompilerSetup } from './failing-contracts.ts'
import type { FailingCall, FailureRuns } from './failure-runs.ts'
import { SENDER } from '../../../support/machine-runs.ts'

/** How Hardhat says that a call fails. */
export interface HardhatFailure {
  readonly message: string
  /** The message if it is sent as a transaction. */
  readonly sent: string
  /** Innermost function first, as `Failures.inner:12`. */
  readonly stack: readonly string[]
}

const installed = dirname(createRequire(import.meta.url).resolve('hardhat/package.json'))

/** Runs in the project: it reads the calls and writes the failures. */
const SCRIPT = `
const { readFileSync, writeFileSync } = require('fs')
const { network } = require('hardhat')
const ask = (method, ...params) => network.provider.request({ method, params })
// Hardhat demands a list of opcodes, and does not read it.
const withOpcodes = (key, value) => (/^(b|deployedB)ytecode$/.test(key) ? { opcodes: '', ...value } : value)
async function main() {
  const { sender, version, input, output, deployments, calls } = JSON.parse(readFileSync('calls.json', 'utf8'), withOpcodes)
  if (network.name === 'hardhat') await ask('hardhat_addCompilationResult', version, input, output)
  await ask('hardhat_impersonateAccount', sender)
  await ask('hardhat_setBalance', sender, '0xffffffffffffffffffff')
  for (const { nonce, data } of deployments) {
    await ask('hardhat_setNonce', sender, nonce)
    await ask('eth_sendTransaction', { from: sender, data, gas: '0x5b8d80' })
  }
  const failureOf = async (method, call) => {
    try {
      await ask(method, { from: sender, ...call })
      return { message: 'no failure' }
    } catch (error) {
      return error
    }
  }
  const failures = []
  for (const call of calls) {
    const { message, stackTrace: stack = [] } = await failureOf('eth_call', call)
    failures.push({ message, stack, sent: (await failureOf('eth_sendTransaction', call)).message })
  }
  writeFileSync('failures.json', JSON.stringify(failures, (_, one) => (typeof one === 'bigint' ? String(one) : one)))
}
main().catch((error) => { console.error(error); process.exitCode = 1 })
`

/** The failures of the calls in the order of the cases; of the node at a URL instead of Hardhat's own network. */
export async function hardhat2Failures(
  setup: CompilerSetup,
  { input, output }: CompilerRun,
  runs: FailureRuns,
  { cases, url }: { readonly cases: readonly FailingCall[]; readonly url?: string },
): Promise<readonly HardhatFailure[]> {
  const calls = cases
    .map((one) => runs.sendingOf(one))
    .map(({ to, data, value, gas }) => ({
      ...(to === undefined ? {} : { to }),
      data: toHex(data),
      value: `0x${value.toString(16)}`,
      gas: `0x${gas.toString(16)}`,
    }))
  const deployments = runs.deployments.map(({ nonce, data }) => ({
    nonce: `0x${nonce.toString(16)}`,
    data: toHex(data),
  }))
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-hardhat-'))
  try {
    await mkdir(join(folder, 'node_modules'))
    await symlink(installed, join(folder, 'node_modules', 'hardhat'), 'junction')
    const networks = { hardhat: { hardfork: 'cancun' }, ...(url === undefined ? {} : { node: { url } }) }
    const config = { solidity: '0.8.26', networks }
    await writeFile(join(folder, 'hardhat.config.cjs'), `module.exports = ${JSON.stringify(config)}`)
    await writeFile(join(folder, 'script.cjs'), SCRIPT)
    const asked = { sender: SENDER, version: setup.version, input, output, deployments, calls }
    await writeFile(join(folder, 'calls.json'), JSON.stringify(asked))
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      CI: 'true',
      ...(url === undefined ? {} : { HARDHAT_NETWORK: 'node' }),
    }
    // The node at the URL may be one of this process.
    const child = spawn(process.execPath, ['script.cjs'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
    if (status !== 0) throw new Error(stderr)
    const failures: any[] = JSON.parse(await readFile(join(folder, 'failures.json'), 'utf8'))
    return failures.map(({ stack, ...messages }) => ({ ...messages, stack: placesOf(stack) }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The places in sources, from Hardhat's entries, which begin with the outermost function. */
const placesOf = (stack: readonly any[]): readonly string[] =>
  stack
    .map(({ sourceReference }) => sourceReference)
    .filter((reference) => reference !== undefined)
    .map(
      (reference) =>
        `${[reference.contract, reference.function].filter(Boolean).join('.')}:${reference.line}`,
    )
    .toReversed()
