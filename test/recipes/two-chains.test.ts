/** The guide to two chains: its bridge between an Ethereum chain and one of network 33, whose withdrawals wait a day. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'
import { compiled } from '../support/solc.ts'

let project: Project
let node: RunningNode

beforeAll(async () => {
  project = await createProject()
  node = await startDevNode(['--network', 'ethereum'])
})

afterAll(async () => {
  await node.stop()
  await project.remove()
})

/** Runs code as a module of the project. */
async function run(...code: readonly string[]) {
  await project.write('program.js', code.join('\n'))
  return runShell('node program.js', project.folder)
}

/** ABI and bytecode of the contracts of the guide by name, for both chains. */
function artifacts(): object {
  const [content = ''] = recipe('docs/two-chains.md#a-bridge', 'solidity', node.url)
  const output = compiled({
    language: 'Solidity',
    sources: { 'TokenBridge.sol': { content } },
    settings: {
      evmVersion: 'shanghai',
      outputSelection: { '*': { '*': ['abi', 'metadata', 'evm.bytecode.object'] } },
    },
  })
  const contracts: [string, any][] = Object.entries(output.contracts['TokenBridge.sol'])
  return Object.fromEntries(
    contracts.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
  )
}

test('coins cross the bridge and come back after a day', async () => {
  const { exitCode, output } = await run(
    ...recipe('docs/two-chains.md#a-second-chain', 'js', node.url),
    `const artifacts = ${JSON.stringify(artifacts())}`,
    ...recipe('docs/two-chains.md#a-bridge', 'js', node.url),
    "console.log((await home.send('dev_worlds', [])).map(({ network, chainId }) => [network, chainId]).join())",
    `console.log(await home.send('eth_chainId', []), await side.send('eth_chainId', []))`,
  )
  expect({ exitCode, output }).toEqual({
    exitCode: 0,
    output: 'minted 5.0\ntoo early 3.0\nnetwork-33,0x21\n0x7a69 0x21\n',
  })
})

test('a node in process has both chains', async () => {
  const { exitCode, output } = await run(...recipe('docs/two-chains.md#in-process', 'js', node.url))
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "[ '0x7a69', '0x21' ]\n" })
})
