/** The guide of forks: its commands, with a node on this machine as the remote. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { recipe, runShell } from '../support/recipes.ts'

let remote: RunningNode
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dev-node-fork-'))
  remote = await startDevNode(['--network', 'ethereum'])
  await request(remote.url, 'hardhat_mine', ['0x1312d64'])
}, 180_000)

afterAll(async () => {
  await remote.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the node continues the chain of the remote, and a second start reads the cache', async () => {
  const [line = ''] = recipe('docs/forking.md#forking-a-remote-chain', 'sh', remote.url)
  const flags = line.trim().replace('"$RPC_URL"', remote.url).split(' ').slice(3)
  for (const start of [1, 2]) {
    const node = await startDevNode(flags, { DEV_NODE_FORK_CACHE: folder })
    expect(await request(node.url, 'eth_blockNumber')).toBe('0x1312d00')
    const { hash } = await request<{ hash: string }>(node.url, 'eth_getBlockByNumber', ['0x1312d00', false])
    expect(await request(remote.url, 'eth_getBlockByNumber', ['0x1312d00', false])).toMatchObject({ hash })
    expect({ start, code: await node.stop() }).toEqual({ start, code: 0 })
  }
})

test('a reset to a fork, and a world that forks another block', async () => {
  const [code = ''] = recipe('docs/forking.md#a-fork-for-a-suite-or-for-each-worker', 'js', remote.url)
  const node = await startDevNode(['--network', 'ethereum', '--no-fork-cache'])
  const provider = `const provider = { send: async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const { error } = await (await fetch('${node.url}', { method: 'POST', headers, body })).json()
    if (error !== undefined) throw new Error(error.message)
  } }`
  writeFileSync(join(folder, 'forks.mjs'), `${provider}\n${code}`)
  const { exitCode, output } = await runShell('node forks.mjs', folder, { RPC_URL: remote.url })
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: '' })
  expect(await request(node.url, 'eth_blockNumber')).toBe('0x1312d00')
  expect(await request(`${node.url}/w/worker-7`, 'eth_blockNumber')).toBe('0x1312cff')
  expect(await node.stop()).toBe(0)
})
