/** The command tells the user that the remote of a fork asks to wait. */

import { expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { ProxyFault } from '../support/fault-proxy.ts'
import { fakeProcess } from './fake-server.ts'

const SLOW: ProxyFault = { status: 429, headers: { 'retry-after': '2' } }

test.each([[[]], [['--json']], [['--quiet']]])('a start with %j says so before it ends', (argv) =>
  withFaultProxy([SLOW], async ({ port, httpUrl }) => {
    const url = `http://my-name:pass-word@127.0.0.1:${port}/path-key`
    const flags = ['--port', '0', '--no-fork-cache', '--fork-url', url, ...argv]
    const { io, written, begun, signal } = fakeProcess(flags, startWithOptions)
    const code = main(io)
    await begun
    while (written.stdout + written.stderr === '') await new Promise(setImmediate)
    const sentence = `the remote ${httpUrl} answered eth_chainId with HTTP 429, which --fork-rate <n> avoids; it asks to wait, and is asked again in 2 s`
    const event = { event: 'error', code: 'DN-REMOTE', message: sentence }
    const stdout = argv.includes('--json') ? `${JSON.stringify(event)}\n` : ''
    expect(written).toEqual({ stdout, stderr: `dev-node: ${sentence} (see: npx dev-node help DN-REMOTE)\n` })
    while (written.stdout === stdout) await new Promise(setImmediate)
    signal()
    expect(await code).toBe(0)
    expect(written.stdout).not.toMatch(/my-name|pass-word|path-key/)
  }),
)
