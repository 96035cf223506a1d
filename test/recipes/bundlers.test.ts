/** The guide to account abstraction: its commands start a bundler, and its program sends operations to each entry point. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { encodeErrorResult, parseAbi } from 'viem'
import { toHex } from '../../lib/base/hex.ts'
import { CONTRACTS } from '../support/bytecode.ts'
import { BUNDLER_PACKAGES } from '../support/packages.ts'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { recipe, runShell } from '../support/recipes.ts'
import { freePort } from '../support/free-port.ts'
import { installProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'

const PAYEE = '0x00000000000000000000000000000000000000aa'
/** A contract that reverts with its call data. */
const REVERTS = `0x${'dd'.repeat(20)}`
const REASON = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['nothing for you'] })

/** After the program of the guide: an estimate, an operation that the bundler refuses, and one that fails in its block. */
const MORE = `
const limits = { callGasLimit: 100_000n, verificationGasLimit: 500_000n, preVerificationGas: 100_000n }
const gas = await bundler.estimateUserOperationGas({ calls })
const failing = { calls: [{ to: '${REVERTS}', data: '${REASON}' }] }
const refused = await bundler.sendUserOperation(failing).catch(({ details }) => details)
const failed = await bundler.waitForUserOperationReceipt({
  hash: await bundler.sendUserOperation({ ...failing, ...limits }),
})
const entryPoints = await bundler.getSupportedEntryPoints()
const shown = { success, receipt, gas, refused, failed, entryPoints, sender: account.address }
console.log('RESULT' + JSON.stringify(shown, (_, value) => (typeof value === 'bigint' ? Number(value) : value)))
`

let node: RunningNode
let bundler: ChildProcess
let bundlerUrl: string
let project: Project
let snapshot: string

beforeAll(async () => {
  project = await installProject(BUNDLER_PACKAGES)
  const [start = ''] = recipe('docs/ethereum.md#account-abstraction', 'sh', 'http://127.0.0.1')
  node = await startDevNode(start.trim().split(' ').slice(3))
  const [, install = ''] = recipe('docs/ethereum.md#account-abstraction', 'sh', node.url)
  const [packageLine = '', run = ''] = install.trim().split('\n')
  const named = packageLine.split(' ').slice(3)
  for (const name of named.filter((one) => one.lastIndexOf('@') > 0)) {
    const at = name.lastIndexOf('@')
    expect(BUNDLER_PACKAGES.dependencies[name.slice(0, at)]).toBe(name.slice(at + 1))
  }
  const port = await freePort()
  bundlerUrl = `http://127.0.0.1:${port}`
  const args = run.replace('--port 4337', `--port ${port}`).split(' ').slice(2)
  bundler = spawn(join(project.folder, 'node_modules', '.bin', 'alto'), args, {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await listening(bundler)
})

afterAll(async () => {
  bundler.kill('SIGKILL')
  await node.stop()
  await project.remove()
})

beforeEach(async () => {
  snapshot = await request(node.url, 'evm_snapshot')
  await request(node.url, 'hardhat_setCode', [REVERTS, toHex(CONTRACTS.revert)])
})

afterEach(async () => {
  const height = Number(await request(node.url, 'eth_blockNumber'))
  expect(await request(node.url, 'evm_revert', [snapshot])).toBe(true)
  // As the guide says: the bundler waits for a block above those that it has seen.
  const undone = height - Number(await request(node.url, 'eth_blockNumber'))
  await request(node.url, 'hardhat_mine', [`0x${(undone + 1).toString(16)}`])
})

/** Waits until the bundler accepts requests. */
function listening(started: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (text: Buffer): void => {
      printed += text.toString()
      if (printed.includes('Server listening at')) resolve()
    }
    started.stdout!.on('data', read)
    started.stderr!.on('data', read)
    started.once('exit', (code) => reject(new Error(`the bundler ended with ${code}: ${printed}`)))
  })
}

/** Runs the program of the guide for an entry point, with more lines. */
async function runProgram(version: string) {
  const [code = ''] = recipe('docs/ethereum.md#account-abstraction', 'js', node.url)
  const program = code
    .replaceAll('entryPoint08Address', `entryPoint${version.replace('.', '')}Address`)
    .replace("version: '0.8'", `version: '${version}'`)
    .replace('@account-abstraction/contracts', `entry-point-${version}`)
    .replace('http://127.0.0.1:4337', bundlerUrl)
  await project.write('operation.mjs', program + MORE)
  const { exitCode, output } = await runShell('node operation.mjs', project.folder)
  expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining('true 0x') })
  return JSON.parse(output.slice(output.indexOf('RESULT') + 6))
}

// Each version takes a quarter of a minute. 0.6 and 0.7 differ from it for the bundler, not for the node.
describe.each(['0.8'])('entry point %s', (version) => {
  test('operations are bundled, estimated, and refused with their reason', async () => {
    const { success, receipt, gas, refused, failed, entryPoints, sender } = await runProgram(version)
    expect(success).toBe(true)
    expect(entryPoints).toHaveLength(3)
    expect(receipt.status).toBe('success')
    expect(await request(node.url, 'eth_getBalance', [PAYEE])).toBe('0x5')
    expect(await request(node.url, 'eth_getCode', [sender])).not.toBe('0x')
    expect(gas).toMatchObject({ callGasLimit: expect.any(Number), preVerificationGas: expect.any(Number) })
    expect(refused).toContain(`reverted during simulation with reason: ${REASON}`)
    expect(failed).toMatchObject({ success: false, receipt: { status: 'success' } })
    // The trace of the bundle has the failure and its reason.
    const items = await request<any[]>(node.url, 'trace_transaction', [failed.receipt.transactionHash])
    const reverted = items.find(({ action }) => action.to === REVERTS)
    expect(reverted).toMatchObject({ action: { input: REASON }, error: 'Reverted' })
  })

  test('the revert of the test before has undone its operations', async () => {
    expect(await request(node.url, 'eth_getBalance', [PAYEE])).toBe('0x0')
  })
})
