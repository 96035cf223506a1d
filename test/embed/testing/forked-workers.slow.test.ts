/** Workers of Jest and of Mocha whose chains continue different blocks of one remote: the packed package in projects of users. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withFaultProxy } from '../../support/fault-proxy.ts'
import type { FaultProxy } from '../../support/fault-proxy.ts'
import { startDevNode } from '../../support/packed-command.ts'
import { createProject } from '../../support/project.ts'
import type { Project } from '../../support/project.ts'
import { runShell } from '../../support/recipes.ts'
import { withServer, ask, rpc } from '../../support/server.ts'

const RICH = '0x00000000000000000000000000000000000000aa'
/** Blocks that the files begin with: a file for each, and one for the block of the node. */
const BLOCKS = [2, 3, 4, 7]

/** What a file checks: its chain continues its block, and has no changes of others. RICH has n wei at block n. */
const STEPS = (chain: string, block: number): string => `
  const [from] = await ${chain}.rpc('eth_accounts')
  for (let round = 0; round < 2; round++) {
    const id = await ${chain}.snapshot()
    assert.equal(await ${chain}.rpc('eth_blockNumber'), '0x${block}')
    assert.equal(await ${chain}.rpc('eth_getBalance', ['${RICH}', 'latest']), '0x${block}')
    assert.equal(await ${chain}.rpc('eth_getBalance', ['${RICH}', '0x1']), '0x1')
    for (let n = 0; n < 5; n++) await ${chain}.rpc('eth_sendTransaction', [{ from, to: '${RICH}', value: '0x10' }])
    assert.equal(await ${chain}.rpc('eth_getBalance', ['${RICH}', 'latest']), '0x5${block}')
    await ${chain}.revert(id)
  }`

const JEST_FILE = (block: number): string => `
const assert = require('node:assert/strict')
test('continues block ${block}', async () => {
  assert.equal(await chain.rpc('eth_blockNumber'), '0x7')
  if (${block} !== 7) await chain.rpc('hardhat_reset', [{ forking: { blockNumber: ${block} } }])
  ${STEPS('chain', block)}
})`

/** A world of its own for each file, in which fixtures begin with the forked block. */
const MOCHA_FILE = (block: number): string => `
import assert from 'node:assert/strict'
import { TestChain, connect } from 'dev-node/testing'
const id = 'block-${block}-' + process.pid
const chain = connect({ world: id, fixtures: 'fixtures' })
suite('block ${block}', () => {
  suiteSetup(async () => {
    await new TestChain({ url: process.env.DEV_NODE_URL }).rpc('dev_createWorld', [{ id, fork: { blockNumber: ${block} } }])
    await chain.beginWorld()
  })
  test('continues it', async () => {${STEPS('chain', block)}})
  test('has fixtures', async () => {
    for (let round = 0; round < 2; round++) {
      const paid = await chain.fixture('paid', async ({ rpc }) => {
        await rpc('hardhat_setBalance', ['${RICH}', '0x64'])
        await rpc('evm_mine')
        return rpc('eth_blockNumber')
      })
      assert.equal(paid, '0x${block + 1}')
      assert.equal(await chain.rpc('eth_getBalance', ['${RICH}', 'latest']), '0x64')
      await chain.rpc('evm_mine')
    }
  })
})`

let project: Project
let folder: string

beforeAll(async () => {
  project = await createProject()
  folder = mkdtempSync(join(tmpdir(), 'dev-node-forks-'))
  for (const block of BLOCKS) {
    await project.write(`jest/block-${block}.test.cjs`, JEST_FILE(block))
    await project.write(`mocha/block-${block}.spec.js`, MOCHA_FILE(block))
  }
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await project.remove()
})

/** Runs a test with a remote of ten blocks, each of which pays RICH 1 wei. */
const withRemote = (run: (proxy: FaultProxy) => Promise<void>): Promise<void> =>
  withServer({ network: 'ethereum', genesisTimestamp: 1_700_000_000, frozenTime: true }, async (server) => {
    const send = async (method: string, params: readonly unknown[] = []) =>
      JSON.parse((await ask(server, { body: rpc(method, params) })).text).result
    const [from] = await send('eth_accounts')
    for (let number = 1; number <= 10; number++)
      await send('eth_sendTransaction', [{ from, to: RICH, value: '0x1' }])
    await withFaultProxy(() => 'pass', run, { targetPort: server.port })
  })

/** Methods that read the state of a block, by how often they were sent since a message. */
const stateReads = ({ received }: FaultProxy, since: number): number =>
  received
    .slice(since)
    .flatMap(({ requests }) => requests)
    .filter(
      ({ method }) =>
        !/^(eth_chainId|eth_blockNumber|web3_clientVersion|dev_leadsTo|eth_getBlockBy.*)$/.test(method),
    ).length

/** Runs a command of a shell as a user does: without the variables of this run of Jest. */
const shell = (line: string, env: NodeJS.ProcessEnv = {}) =>
  runShell(line, project.folder, { JEST_WORKER_ID: undefined, NODE_OPTIONS: undefined, ...env })

test('each worker of Jest resets its chain to a block of its own, and all share one cache', () =>
  withRemote(async (proxy) => {
    const devNode = { forkUrl: proxy.httpUrl, forkBlockNumber: 7, forkCache: folder, quiet: true }
    const config = {
      testEnvironment: 'dev-node/jest',
      globalSetup: 'dev-node/jest/setup',
      globalTeardown: 'dev-node/jest/teardown',
      testMatch: ['**/jest/*.test.cjs'],
      transform: {},
      testTimeout: 60_000,
      testEnvironmentOptions: { devNode },
    }
    await project.write('jest.config.json', JSON.stringify(config))
    const jest = 'node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --ci'
    for (const workers of [3, 1]) {
      const before = proxy.received.length
      const { exitCode, output } = await shell(`${jest} --maxWorkers=${workers}`)
      expect({ workers, exitCode, output }).toMatchObject({
        exitCode: 0,
        output: expect.stringContaining('4 passed, 4 total'),
      })
      // The second run finds everything in the cache of the first.
      expect({ workers, hasAsked: stateReads(proxy, before) > 0 }).toEqual({
        workers,
        hasAsked: workers === 3,
      })
    }
    // One chain, and a part for each block.
    expect(readdirSync(folder)).toContain('31337')
  }))

test('each worker of Mocha makes a world of its own, with fixtures', () =>
  withRemote(async (proxy) => {
    const node = await startDevNode([
      '--fork-url',
      proxy.httpUrl,
      '--fork-block-number',
      '7',
      '--no-fork-cache',
    ])
    try {
      // Mocha allows a test two seconds, too few on a busy machine.
      const mocha = 'npx mocha --parallel --jobs 3 --ui tdd --timeout 60000 "mocha/*.spec.js"'
      const { exitCode, output } = await shell(mocha, { DEV_NODE_URL: node.url })
      expect({ exitCode, output }).toMatchObject({
        exitCode: 0,
        output: expect.stringContaining('8 passing'),
      })
    } finally {
      await node.stop()
    }
  }))
