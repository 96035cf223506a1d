/** The guide to Truffle, and to suites in its style: all of their requests have to reach the node. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { TRUFFLE } from '../support/packages.ts'
import { createProjectWith } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { countByWorld, receivedRequests, recipe, runShell } from '../support/recipes.ts'

const COUNTER = `
pragma solidity ^0.8.0;
contract Counter {
    uint256 public number;
    event NumberSet(address indexed caller, uint256 number);
    function set(uint256 value) external {
        require(value < 1000, "too large");
        number = value;
        emit NumberSet(msg.sender, value);
    }
}
`

const MIGRATION = `
const Counter = artifacts.require('Counter')
module.exports = (deployer) => deployer.deploy(Counter)
`

const TRUFFLE_TEST = `
const { BN, expectEvent, expectRevert, time } = require('@openzeppelin/test-helpers')
const Counter = artifacts.require('Counter')

contract('Counter', ([owner]) => {
  it('sets a number', async () => {
    const counter = await Counter.deployed()
    expectEvent(await counter.set(7, { from: owner }), 'NumberSet', { caller: owner, number: new BN(7) })
    await expectRevert(counter.set(1000), 'too large')
    await time.increase(1000)
  })
})
`

const mochaTest = (from: string, to: string) => `
const { send } = require('@openzeppelin/test-helpers')

it('sends a transaction', () => send.ether('${from}', '${to}', 1))
`

let node: RunningNode
let project: Project

beforeAll(async () => {
  node = await startDevNode(['--verbose'])
  project = await createProjectWith(TRUFFLE)
  const [configuration] = recipe('docs/hardhat.md#truffle', 'js', node.url)
  const [helpers] = recipe('docs/hardhat.md#truffle-style-suites-in-mocha', 'js', node.url)
  await project.write('package.json', '{ "name": "project", "private": true }')
  // The compiler of the project: Truffle would download one.
  const compiler = "{ version: require.resolve('solc'), settings: { evmVersion: 'cancun' } }"
  await project.write(
    'truffle-config.js',
    `${configuration}\nmodule.exports.compilers = { solc: ${compiler} }`,
  )
  await project.write('contracts/Counter.sol', COUNTER)
  await project.write('migrations/1_counter.js', MIGRATION)
  await project.write('test/counter.js', TRUFFLE_TEST)
  const [from, to] = node.ready.accounts
  for (const name of ['one', 'two'])
    await project.write(`mocha/${name}.js`, `${helpers}\n${mochaTest(from!, to!)}`)
}, 600_000)

afterAll(async () => {
  await node.stop()
  await project.remove()
})

/** Runs a command; returns its output where it fails, and how many transactions each chain was sent. */
async function run(command: string) {
  const printedBefore = node.stdout().length
  const { exitCode, output } = await runShell(command, project.folder)
  const sent = countByWorld(receivedRequests(node, printedBefore), 'eth_sendTransaction')
  return { failure: exitCode === 0 ? '' : output, sent }
}

test('Truffle uses the default chain', async () => {
  const { failure, sent } = await run(recipe('docs/hardhat.md#truffle', 'sh', node.url)[0]!)
  expect(failure).toBe('')
  // One to deploy, one that sets a number; a transaction whose estimate reverts is not sent.
  expect(sent).toEqual({ '': 2 })
}, 180_000)

test('each worker of Mocha uses a chain of its own', async () => {
  const outcome = await run('npx mocha --parallel --jobs 2 mocha/one.js mocha/two.js')
  expect(outcome).toEqual({ failure: '', sent: { 'mocha-0': 1, 'mocha-1': 1 } })
}, 180_000)
