/** The guide of forks: its commands, with a node on this machine as the remote. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
})

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

test('several remotes, of which the second answers when the first has ended', async () => {
  const [line = ''] = recipe('docs/forking.md#several-remotes', 'sh', remote.url)
  const first = await startDevNode([
    '--fork-url',
    remote.url,
    '--fork-block-number',
    '20000100',
    '--no-fork-cache',
  ])
  const given = line.trim().replace('"$RPC_URL"', first.url).replace('"$OTHER_RPC_URL"', remote.url)
  const node = await startDevNode(given.split(' ').slice(3), { DEV_NODE_NO_FORK_CACHE: 'true' })
  expect(await request(node.url, 'eth_blockNumber')).toBe('0x1312d00')
  expect(await first.stop()).toBe(0)
  const [account] = await request<readonly string[]>(remote.url, 'eth_accounts')
  expect(await request(node.url, 'eth_getTransactionCount', [account, 'latest'])).toBe('0x0')
  const { hash } = await request<{ hash: string }>(node.url, 'eth_getBlockByNumber', ['0x1312cf0', false])
  expect(await request(remote.url, 'eth_getBlockByNumber', ['0x1312cf0', false])).toMatchObject({ hash })
  expect(await node.stop()).toBe(0)
})

test('a fork with places of sources asks none of them before it has to explain something', async () => {
  const [line = ''] = recipe('docs/forking.md#sources-of-the-remotes-contracts', 'sh', remote.url)
  mkdirSync(join(folder, 'contracts-of-others'), { recursive: true })
  const flags = line.trim().replace('"$RPC_URL"', remote.url).split(' ').slice(4)
  const environment = { ETHERSCAN_API_KEY: 'k3y', DEV_NODE_NO_FORK_CACHE: 'true' }
  const node = await startDevNode(flags, environment, folder)
  expect(await request(node.url, 'eth_chainId')).toBe('0x7a69')
  expect(await node.stop()).toBe(0)
})
