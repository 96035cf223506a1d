/** The guide to Truffle, whose config is read, and to OpenZeppelin's test helpers in Mocha: all requests have to reach the node. */
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { TEST_HELPERS } from '../support/packages.ts'
import { createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { countByWorld, receivedRequests, recipe, runShell } from '../support/recipes.ts'

const mochaTest = (from: string, to: string) => `
const { BN, balance, send, snapshot, time } = require('@openzeppelin/test-helpers')
const assert = require('node:assert/strict')

it('uses the helpers', async () => {
  const before = await snapshot()
  const received = await balance.tracker('${to}')
  const startedAt = await time.latest()
  await send.ether('${from}', '${to}', 1)
  assert.equal(String(await received.delta()), '1')
  await time.increase(1000)
  assert(new BN(1000).lte((await time.latest()).sub(startedAt)))
  await before.restore()
  assert.equal(String(await received.delta()), '-1')
})
`

let node: RunningNode
let project: Project

beforeAll(async () => {
  node = await startDevNode(['--verbose'])
  project = await createProjectWith(TEST_HELPERS)
  const [helpers] = recipe('docs/hardhat.md#truffle-style-suites-in-mocha', 'js', node.url)
  await project.write('package.json', '{ "name": "project", "private": true }')
  const [from, to] = node.ready.accounts
  for (const name of ['one', 'two'])
    await project.write(`mocha/${name}.js`, `${helpers}\n${mochaTest(from!, to!)}`)
}, 600_000)

afterAll(async () => {
  await node.stop()
  await project.remove()
})

test('the network of Truffle is the default chain', async () => {
  const [configuration] = recipe('docs/hardhat.md#truffle', 'js', node.url)
  const module = { exports: { networks: { development: { url: '' } } } }
  runInNewContext(configuration!, { module })
  expect(await request(module.exports.networks.development.url, 'eth_accounts')).toEqual(node.ready.accounts)
})

test('each worker of Mocha uses a chain of its own', async () => {
  const { exitCode, output } = await runShell(
    'npx mocha --timeout 60000 --parallel --jobs 2 mocha/one.js mocha/two.js',
    project.folder,
  )
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('2 passing') })
  expect(countByWorld(receivedRequests(node), 'eth_sendTransaction')).toEqual({ 'mocha-0': 1, 'mocha-1': 1 })
}, 180_000)
