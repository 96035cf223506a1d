/** Faults of a running process: missing parts of the program, unhandled errors, full memory. */

import { cp, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

let folder: string
let node: RunningNode | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-crash-'))
  await commandPath()
})

afterEach(async () => {
  await node?.stop()
  node = undefined
})

afterAll(() => rm(folder, { recursive: true }))

/** Waits until the process has written something to stderr. */
async function told(running: RunningNode, text: RegExp): Promise<string> {
  for (;;) {
    const match = text.exec(running.stderr())
    if (match !== null) return match[0]
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a missing part of the program', () => {
  /** A copy of the installed package, from which the test may remove files. */
  const copied = async (): Promise<string> => {
    const installed = dirname(dirname(realpathSync(await commandPath())))
    const copy = join(folder, 'copy')
    await cp(installed, copy, { recursive: true })
    const modules = dirname(installed)
    if (!existsSync(join(copy, 'node_modules'))) await symlink(modules, join(copy, 'node_modules'))
    return copy
  }

  // The command is one file; in a program, parts of the library are loaded when they are first needed.
  const SERVING = `#!/usr/bin/env node
import { startServer } from './dist/index.js'
const told = (error) => console.error(error.stack, error.cause && 'because of ' + error.cause.stack)
const onFault = (error, reference) => void (console.error('reference ' + reference + ':'), told(error))
const { url, port, close } = await startServer({ port: 0 }, { onFault })
console.log('{"event":"ready",' + JSON.stringify({ url, port }).slice(1))
process.on('SIGTERM', () => close().then(() => process.exit(0)))
`

  test('fails the requests that need it, with a reference that the log has, and no others', async () => {
    const copy = await copied()
    const program = join(copy, 'program.js')
    await writeFile(program, SERVING, { mode: 0o755 })
    node = await startDevNode([], {}, undefined, program)
    const { url } = node
    await request(url, 'evm_mine')
    const parts = (await readdir(join(copy, 'dist'))).filter((name) => /^express-.*\.cjs$/.test(name))
    expect(parts).toHaveLength(1)
    for (const part of parts) await rename(join(copy, 'dist', part), join(folder, part))
    const failed = await fetch(`${url}/openrpc.json`)
    expect(failed.status).toBe(500)
    const { error } = (await failed.json()) as { error: { code: number; message: string } }
    expect(error).toEqual({
      code: -32603,
      message: expect.stringMatching(
        /^Internal error \(reference [0-9a-f]{8}\): part express of dev-node could not be loaded: .* restart the node$/,
      ),
    })
    const reference = /reference ([0-9a-f]{8})/.exec(error.message)![1]
    await told(node, new RegExp(`reference ${reference}:[^]*because of [^]* at `))
    expect(await request(url, 'eth_blockNumber')).toBe('0x1')
    // The package is there again.
    for (const part of parts) await rename(join(folder, part), join(copy, 'dist', part))
    expect((await fetch(`${url}/openrpc.json`)).status).toBe(200)
    expect(await node.stop()).toBe(0)
  })
})

describe('an unhandled error', () => {
  /** Makes signals throw errors outside of requests, because the real code has no known one. */
  const withFaults = async (): Promise<Record<string, string>> => {
    const file = join(folder, 'faults.cjs')
    await writeFile(
      file,
      `process.on('SIGUSR2', () => { throw new Error('thrown in a listener') })
       process.on('SIGHUP', () => void Promise.reject(new Error('rejected')))`,
    )
    return { NODE_OPTIONS: `--require ${file}` }
  }

  test.each([
    ['SIGUSR2', 'thrown in a listener'],
    ['SIGHUP', 'rejected'],
  ] as const)('by %s ends the node with its message and writes the state file', async (signal, message) => {
    const state = join(folder, `${signal}.state`)
    node = await startDevNode(['--state', state], await withFaults())
    await request(node.url, 'evm_mine', [{ blocks: 7 }])
    process.kill(node.ready.pid, signal)
    expect(await node.exited).toBe(1)
    expect(node.stderr()).toMatch(/\ndev-node: the state file .* was written before the end\n$/)
    expect(node.stderr()).toMatch(
      new RegExp(
        `^dev-node: the node ends because of an error that nothing handled: Error: ${message}\n +at `,
      ),
    )
    node = await startDevNode(['--state', state])
    expect(await request(node.url, 'eth_blockNumber')).toBe('0x7')
  })
})

test('a node whose memory is nearly full warns and writes its state file', async () => {
  const state = join(folder, 'full.state')
  // Objects that fill half of the memory: blocks would take twice as long.
  const ballast = join(folder, 'ballast.cjs')
  await writeFile(ballast, 'globalThis.ballast = Array.from({ length: 500_000 }, (_, index) => ({ index }))')
  node = await startDevNode(['--network', 'ethereum', '--state', state], {
    NODE_OPTIONS: `--max-old-space-size=70 --require ${ballast}`,
    // Cross-checks load more than that.
    DEV_NODE_CROSS_CHECK: 'false',
  })
  const { url, ready } = node
  await request(url, 'eth_newBlockFilter')
  while (!existsSync(state)) {
    // After the warning the node writes the file without further allocations.
    if (/nearly full/.test(node.stderr())) await request(url, 'eth_blockNumber')
    else await request(url, 'hardhat_mine', ['0x100'])
  }
  expect(node.stderr()).toMatch(
    /^dev-node: the memory is nearly full: \d+ of \d+ MB are used; the node ends when it is full; /,
  )
  process.kill(ready.pid, 'SIGKILL')
  await node.exited
  node = await startDevNode(['--network', 'ethereum', '--load-state', state])
  expect(Number(await request(node.url, 'eth_blockNumber'))).toBeGreaterThan(256)
})
