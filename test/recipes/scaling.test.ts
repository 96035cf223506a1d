/** The guide to scaling out: many nodes behind nginx, with the configuration of the documents. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { JsonRpcProvider, WebSocketProvider } from 'ethers'
import { WebSocket } from 'ws'
import { TestChain } from '../../lib/embed/testing/test-chain.ts'
import { freePort } from '../support/free-port.ts'
import { nginxPath, startNginx } from './nginx.ts'
import type { Nginx } from './nginx.ts'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

const WORKERS = ['1', '2', '3', '4', '5', '6', '7', '8'].map((number) => `worker-${number}`)

/** Transactions of a worker after its snapshot. */
const PAYMENTS = 5

const NODES = 4

if (nginxPath === undefined) console.warn('the tests of many nodes are skipped: nginx is not installed')
const whereInstalled = nginxPath === undefined ? describe.skip : describe

whereInstalled('four nodes behind nginx', () => {
  const nodes: RunningNode[] = []
  let url: string
  let nginx: Nginx | undefined

  beforeAll(async () => {
    while (nodes.length < NODES) nodes.push(await startDevNode(['--verbose']))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const shipped = await readFile('docs/examples/nginx.conf', 'utf8')
    const configuration = shipped
      .replaceAll(
        /127\.0\.0\.1:444(\d)/g,
        (_, number) => `127.0.0.1:${nodes[Number(number) - 1]!.ready.port}`,
      )
      .replace('127.0.0.1:8545', `127.0.0.1:${port}`)
    nginx = await startNginx(configuration, `${url}/health`)
  })

  afterAll(async () => {
    await nginx?.close()
    await Promise.all(nodes.map((node) => node.stop()))
  })

  /** The chains of the workers behind nginx. */
  const chains = new Map(WORKERS.map((world) => [world, () => new TestChain({ url, world })]))
  const allWorkers = <Result>(act: (chain: TestChain) => Promise<Result>) =>
    Promise.all([...chains.values()].map((chain) => act(chain())))

  /** Ids of the worlds of a node. */
  const worldsOf = async ({ url: own }: RunningNode) =>
    (await request<{ id: string }[]>(own, 'dev_worlds')).map(({ id }) => id)

  test('serve eight workers with snapshots and sockets, each on one node', async () => {
    const heads = await allWorkers(async (chain) => {
      await chain.beginWorld()
      const id = await chain.snapshot('begun')
      const blocks = await paidBlocks(chain)
      await chain.revert(id)
      return [blocks, await chain.rpc('eth_blockNumber')]
    })
    expect(heads).toEqual(WORKERS.map(() => [[1, 2, 3, 4, 5], '0x0']))
    const worlds = await Promise.all(nodes.map(worldsOf))
    expect(worlds.flat().toSorted()).toEqual(WORKERS)
    expect(worlds.filter((ids) => ids.length > 0).length).toBeGreaterThan(2)
  })

  test('have one default chain, and one world of an id, also behind a key', async () => {
    for (const path of ['', '/', '/key', '/?dialect=hardhat']) await request(`${url}${path}`, 'evm_mine')
    expect(await request(url, 'eth_blockNumber')).toBe('0x4')
    for (const path of ['/w/twice', '/key/w/twice', '/w/twice/?dialect=hardhat'])
      await request(`${url}${path}`, 'evm_mine')
    expect(await request(`${url}/w/twice`, 'eth_blockNumber')).toBe('0x3')
  })

  test('lose only the worlds of a node that ends, and clients hear that', async () => {
    await allWorkers((chain) => chain.rpc('evm_mine'))
    const index = (await Promise.all(nodes.map(worldsOf))).findIndex((ids) => ids.length > 0)
    const lost = (await worldsOf(nodes[index]!)).filter((id) => WORKERS.includes(id))
    const socket = new WebSocket(`${url.replace('http', 'ws')}/w/${lost[0]!}`)
    await once(socket, 'open')
    const closed = once(socket, 'close')
    process.kill(nodes[index]!.ready.pid, 'SIGKILL')
    await closed

    const answers = await Promise.all(WORKERS.map(async (world) => [world, await headOf(url, world)]))
    const message = 'no node answers for this world: its node has ended, and the world with it'
    const expected = WORKERS.map((world) => [world, lost.includes(world) ? [502, message] : [200, '0x1']])
    expect(answers).toEqual(expected)
    expect(answers).toContainEqual([expect.any(String), [200, '0x1']])

    const chain = chains.get(lost[0]!)!()
    await expect(chain.rpc('eth_blockNumber')).rejects.toThrow(`eth_blockNumber: ${message}`)
    const provider = new JsonRpcProvider(chain.url, 33, { staticNetwork: true })
    await expect(provider.getBlockNumber()).rejects.toMatchObject({
      code: 'SERVER_ERROR',
      message: expect.stringContaining(message),
    })
    provider.destroy()
    const refused = new WebSocket(chain.url.replace('http', 'ws'))
    await expect(once(refused, 'open')).rejects.toThrow('Unexpected server response: 502')

    nodes[index] = await startDevNode(['--port', String(nodes[index]!.ready.port)])
    await expect(chain.revert('begun')).rejects.toThrow('there is no snapshot begun to revert to')
    expect(await headOf(url, lost[0]!)).toEqual([200, '0x0'])
  })
})

/** HTTP status of a request for the block number of a world, and its result or the message of its error. */
async function headOf(url: string, world: string): Promise<readonly [status: number, answer: string]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/w/${world}`, { method: 'POST', headers, body })
  expect(response.headers.get('content-type')).toBe('application/json')
  const { result, error } = (await response.json()) as { result?: string; error?: { message: string } }
  return [response.status, result ?? error!.message]
}

/** Sends payments by ethers; resolves to the numbers of the blocks that a WebSocket of the same URL announced. */
async function paidBlocks(chain: TestChain): Promise<readonly number[]> {
  const sockets = new WebSocketProvider(chain.url.replace('http', 'ws'))
  const heard: number[] = []
  const all = new Promise<void>((done) => {
    void sockets.on('block', (number: number) => {
      if (heard.push(number) === PAYMENTS) done()
    })
  })
  // The subscription is answered before.
  await sockets.getBlockNumber()
  const provider = new JsonRpcProvider(chain.url, undefined, { cacheTimeout: -1 })
  const signer = await provider.getSigner(0)
  for (let sent = 0; sent < PAYMENTS; sent++) {
    await (await signer.sendTransaction({ to: signer.address, value: 1n })).wait()
  }
  await all
  await sockets.destroy()
  provider.destroy()
  return heard
}

describe('runners', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject()
  })

  afterAll(() => project.remove())

  const shell = (line: string) =>
    runShell(line, project.folder, { JEST_WORKER_ID: undefined, NODE_OPTIONS: '--experimental-vm-modules' })

  const [fixtures, ...shards] = recipe('docs/scaling.md#sharded-runs', 'sh', 'http://127.0.0.1:4444')
    .join('')
    .trim()
    .split('\n')

  test('Jest spreads workers over nodes, and shards share fixtures', async () => {
    await project.write(
      'jest.config.js',
      recipe('docs/scaling.md#one-node-per-core', 'js', 'http://127.0.0.1:4444')[0]!,
    )
    for (const name of ['one', 'two', 'three', 'four'])
      await project.write(`${name}.test.js`, TEST_WITH_FIXTURE)
    for (const shard of shards) {
      const { exitCode, output } = await shell(
        `${fixtures}\n${shard} --maxWorkers=2 --testTimeout=60000 .test.js`,
      )
      expect({ exitCode, output }).toEqual({
        exitCode: 0,
        output: expect.stringContaining('2 passed, 2 total'),
      })
    }
    expect(await readFile(join(project.folder, 'built'), 'utf8')).toBe('built\n')
    const nodes = (await readFile(join(project.folder, 'nodes'), 'utf8')).trim().split('\n')
    expect(nodes).toHaveLength(4)
    expect(new Set(nodes).size).toBeGreaterThan(2)
  })

  test('Mocha spreads workers over nodes', async () => {
    await project.write(
      'nodes.mjs',
      recipe('docs/scaling.md#one-node-per-core', 'js', 'http://127.0.0.1:4444')[1]!,
    )
    for (const name of ['one', 'two', 'three', 'four']) await project.write(`mocha/${name}.js`, TEST_OF_MOCHA)
    const { exitCode, output } = await shell(
      'rm nodes; npx mocha --require ./nodes.mjs --timeout 60000 --parallel --jobs 2 mocha',
    )
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('4 passing') })
    expect(new Set((await readFile(join(project.folder, 'nodes'), 'utf8')).trim().split('\n')).size).toBe(2)
  })
})

const TEST_WITH_FIXTURE = `
import { appendFileSync } from 'node:fs'

test('takes the fixture', async () => {
  appendFileSync('nodes', new URL(chain.url).port + '\\n')
  await chain.fixture('mined', async ({ rpc }) => {
    appendFileSync('built', 'built\\n')
    await rpc('evm_mine')
  })
  expect(await chain.rpc('eth_blockNumber')).toBe('0x1')
})
`

const TEST_OF_MOCHA = `
import { appendFileSync } from 'node:fs'
import { connect } from 'dev-node/testing'

it('has a chain', async () => {
  const chain = connect()
  await chain.beginWorld()
  appendFileSync('nodes', new URL(chain.url).port + '\\n')
  await new Promise((done) => setTimeout(done, 300))
})
`
