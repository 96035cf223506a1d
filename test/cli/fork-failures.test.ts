/** A story of failures of a remote: no key of its URL or headers is printed, answered or written. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { readFacts } from '../../lib/fork/fact-store.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { ProxiedMessage, ProxyFault } from '../support/fault-proxy.ts'
import { ask, rpc } from '../support/server.ts'
import { fakeProcess } from './fake-server.ts'

const BASIC = Buffer.from('my-name:pass-word').toString('base64')
const SECRETS = ['my-name', 'pass-word', 'path-key', 'query-key', 'header-key', BASIC]
const PATH = '/v2/path-key?token=query-key'
const RICH = '0x00000000000000000000000000000000000000aa'

const shown = (text: string): readonly string[] => SECRETS.filter((secret) => text.includes(secret))

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))))
afterEach(() => rm(folder, { recursive: true }))

/** A remote that repeats in its errors all that it was sent. */
function echoing({ path, headers, rawHeaders, requests }: ProxiedMessage, kind: string): ProxyFault {
  const text = `refused ${path} ${headers.authorization ?? ''} ${rawHeaders.join(' ')} ${requests[0]?.method ?? ''}`
  switch (kind) {
    case 'an error':
      return { error: { code: -32000, message: text, data: text } }
    case 'a revert':
      return { error: { code: 3, message: `execution reverted: ${text}` } }
    case 'a status':
      return { status: 403, body: text.slice(0, 190) }
    case 'a status with JSON':
      return { status: 401, body: JSON.stringify({ error: { message: text } }) }
    case 'a redirection':
      return { status: 302, headers: { location: `http://my-name:pass-word@127.0.0.1:1${path}` } }
    default:
      return 'reset'
  }
}

/** Bodies that hold the secrets where they belong, and elsewhere. */
function bodiesWith(url: string): readonly string[] {
  const httpHeaders = { authorization: 'Bearer header-key' }
  const bare = url.replace(/^\w+:\/\//, '')
  const requests: readonly (readonly [string, unknown])[] = [
    ['hardhat_reset', [{ forking: { jsonRpcUrl: url, httpHeaders } }]],
    ['hardhat_reset', [{ forking: { jsonRpcUrl: bare, httpHeaders } }]],
    ['hardhat_reset', [{ forking: { jsonRpcUrl: `htp://${bare}` } }]],
    ['hardhat_reset', [{ forking: { jsonRpcURL: url, headers: 'authorization: Bearer header-key' } }]],
    ['hardhat_reset', [{ forking: { jsonRpcUrl: url, httpHeaders: ['Bearer header-key'] } }]],
    ['hardhat_reset', [{ forking: { jsonRpcUrl: url, httpHeaders: 'Bearer header-key' } }]],
    ['hardhat_reset', [{ forking: url }]],
    ['hardhat_reset', [{ forking: bare }]],
    ['hardhat_reset', [url]],
    ['hardhat_reset', { forking: { jsonRpcUrl: url, httpHeaders } }],
    ['hardhat_rest', [{ forking: { jsonRpcUrl: url, httpHeaders } }]],
    ['dev_createWorld', [{ id: 'w', fork: { url, headers: ['authorization: Bearer header-key'] } }]],
    ['dev_createWorld', [{ id: 'w', fork: { url: bare, headers: httpHeaders } }]],
    ['dev_createWorld', [{ id: 'w', fork: url }]],
    ['dev_createWorld', [{ id: 'w', fork: bare }]],
    ['dev_createWorld', [{ id: url }]],
    ['dev_createWorld', [{ id: 'w', from: url }]],
    ['dev_createWorld', url],
    ['anvil_setRpcUrl', [url]],
    ['anvil_setRpcUrl', { url }],
  ]
  const bodies = requests.map(([method, params]) => rpc(method, params))
  return [
    ...bodies,
    `[${bodies.join(',')}]`,
    `{"jsonrpc":"2.0","id":1,"method":"${url}`,
    rpc('eth_chainId', [], url),
  ]
}

/** All that is in the files of a folder, decompressed. */
async function writtenIn(place: string): Promise<string> {
  let text = ''
  for (const entry of await readdir(place, { withFileTypes: true, recursive: true })) {
    text += `${entry.name}\n`
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    text += bytes.toString('latin1')
    if (entry.name.startsWith('facts-'))
      text += [...(await readFacts(join(entry.parentPath, entry.name))).facts].join('\n')
    if (entry.name.endsWith('.state')) text += gunzipSync(bytes).toString()
  }
  return text
}

test.each([[['--verbose']], [['--json', '--verbose']], [['--verbose', '--dialect', 'hardhat']]])(
  'with %j',
  async (argv) => {
    let kind = 'none'
    await withFaultProxy(
      (message) => (kind === 'none' ? 'pass' : echoing(message, kind)),
      async ({ port, httpUrl }) => {
        const url = `http://my-name:pass-word@127.0.0.1:${port}${PATH}`
        const files = ['--fork-cache', join(folder, 'cache'), '--dump-state', join(folder, 'a.state')]
        const fork = ['--fork-url', url, '--fork-header', 'x-auth: Bearer header-key', '--fork-retries', '0']
        let server: RunningServer | undefined
        const fake = fakeProcess(['--port', '0', ...argv, ...fork, ...files], async (options, hooks) => {
          server = await startWithOptions(options, hooks)
          return server
        })
        const code = main(fake.io)
        await fake.started
        while (server === undefined) await new Promise(setImmediate)
        const running = server
        const answers: string[] = []
        const send = async (body: string) => answers.push((await ask(running, { body })).text)
        const kinds = ['an error', 'a revert', 'a status', 'a status with JSON', 'a redirection', 'a reset']
        for (const [index, each] of kinds.entries()) {
          kind = each
          const account = `0x${String(index).padStart(40, '0')}`
          await send(rpc('eth_getBalance', [account, 'latest']))
          await send(rpc('eth_getTransactionByHash', [`0x${String(index).padStart(64, '0')}`]))
          await send(rpc('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x0' }]))
          await send(rpc('eth_call', [{ to: account }, 'latest']))
          await send(
            rpc('hardhat_reset', [{ forking: { jsonRpcUrl: url, httpHeaders: ['x: Bearer header-key'] } }]),
          )
        }
        const failed = answers.length
        expect(answers.filter((text) => text.includes('"error"'))).toHaveLength(failed)
        expect(answers.filter((text) => text.includes(httpUrl))).not.toEqual([])
        kind = 'none'
        for (const body of bodiesWith(url)) await send(body)
        await send(rpc('eth_getBalance', [RICH, 'latest']))
        for (const method of [
          'hardhat_metadata',
          'anvil_metadata',
          'anvil_nodeInfo',
          'rpc_discover',
          'dev_worlds',
        ])
          await send(rpc(method))
        await send(rpc('dev_dumpState'))
        answers.push((await ask(running, { method: 'GET', path: '/openrpc.json' })).text)
        answers.push((await ask(running, { method: 'GET', path: '/' })).text)
        fake.fault(new Error('a fault'))
        fake.signal()
        expect(await code).toBe(0)
        // A client gets what it sent as an id.
        const ids = answers.filter((text) => text.includes(`"id":${JSON.stringify(url)}`))
        expect(ids).toHaveLength(1)
        const printed = fake.written.stdout + fake.written.stderr
        const texts = [...answers.filter((text) => !ids.includes(text)), ...printed.split('\n')]
        expect(texts.filter((text) => shown(text).length > 0)).toEqual([])
        const written = await writtenIn(folder)
        expect(written).toContain('eth_getBalance')
        expect(shown(written)).toEqual([])
      },
    )
  },
)
