/** Tools that deploy contracts, used as their users do: Hardhat Ignition, hardhat-deploy and cast create2. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadContracts } from '../support/contracts.ts'
import { describeFoundry, networks, openFoundry } from '../support/foundry.ts'
import { request, startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { runShell } from '../support/recipes.ts'

/** Each plugin alone: both have a task called deploy. */
const CONFIGURATION = `
require('@nomicfoundation/hardhat-ethers')
require(process.env.PLUGIN)
module.exports = {
  solidity: '0.8.28',
  ignition: { blockPollingInterval: 20, strategyConfig: { create2: { salt: '0x${'05'.padStart(64, '0')}' } } },
  namedAccounts: { deployer: 0 },
  networks: { devnode: { url: process.env.NODE_URL, saveDeployments: false } },
}
`

const MODULE = `
const { buildModule } = require('@nomicfoundation/hardhat-ignition/modules')
module.exports = buildModule('All', (m) => {
  const first = m.contract('Storage', require('../../storage.json'), [7n])
  const set = m.call(first, 'store', [42n])
  const value = m.staticCall(first, 'value', [], 0, { after: [set] })
  return { first, second: m.contract('Storage', require('../../storage.json'), [value], { id: 'Second' }) }
})
`

const SCRIPT = `
module.exports = async ({ deployments, getNamedAccounts }) => {
  const { deployer: from } = await getNamedAccounts()
  const contract = require('../storage.json')
  await deployments.deploy('Storage', { contract, from, args: [7] })
  await deployments.execute('Storage', { from }, 'store', 42)
  await deployments.deploy('Proxied', { contract, from, args: [7], proxy: { proxyContract: 'EIP173Proxy' } })
  const { address } = await deployments.deploy('Same', { contract, from, args: [7], deterministicDeployment: true })
  console.log('value ' + (await deployments.read('Storage', 'value')), 'at ' + address)
}
`

/** Runs a test against a node that was started with more arguments. */
async function withNode(args: readonly string[], use: (node: RunningNode) => Promise<void>): Promise<void> {
  const node = await startDevNode(args)
  try {
    await use(node)
  } finally {
    await node.stop()
  }
}

describe('with Hardhat 2', () => {
  let project: Project

  beforeAll(async () => {
    const { Storage } = await loadContracts()
    project = await createProject()
    await project.write('hardhat.config.cjs', CONFIGURATION)
    await project.write('ignition/modules/all.cjs', MODULE)
    await project.write('deploy/all.cjs', SCRIPT)
    const artifact = { contractName: 'Storage', sourceName: 'Storage.sol', linkReferences: {}, ...Storage }
    await project.write('storage.json', JSON.stringify(artifact))
  })

  afterAll(() => project.remove())

  /** What a command of Hardhat prints. */
  async function hardhat(command: string, plugin: string, node: RunningNode): Promise<string> {
    const env = {
      PLUGIN: plugin,
      NODE_URL: withDialect(node.url, 'hardhat'),
      HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'true',
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    }
    const { exitCode, output } = await runShell(
      `npx hardhat ${command} --network devnode`,
      project.folder,
      env,
    )
    if (exitCode !== 0) throw new Error(output)
    return output
  }

  const deployModule = (node: RunningNode, options = '') =>
    hardhat(
      `ignition deploy ignition/modules/all.cjs ${options}`,
      '@nomicfoundation/hardhat-ignition-ethers',
      node,
    )

  test('Ignition deploys a module on Ethereum', () =>
    withNode(['--network', 'ethereum'], async (node) => {
      const printed = await deployModule(node)
      expect(await valueIn(node, addressOf('Second', printed))).toBe(42n)
    }))

  test('Ignition deploys by its strategy create2 on network 33 where the chain id is 31337', () =>
    withNode(['--chain-id', '31337'], async (node) => {
      const printed = await deployModule(node, '--strategy create2 --deployment-id create2')
      expect(await valueIn(node, addressOf('Second', printed))).toBe(42n)
    }))

  test.each(networks)(
    'hardhat-deploy runs scripts on $network, also where the deployment proxy is missing',
    ({ network }) =>
      withNode(['--network', network, '--no-predeploys'], async (node) => {
        const printed = await hardhat('deploy --no-compile', 'hardhat-deploy', node)
        expect(printed).toContain('value 42')
        expect(await valueIn(node, /at (0x[0-9a-fA-F]{40})/.exec(printed)?.[1])).toBe(7n)
      }),
  )
})

describeFoundry('cast create2', () => {
  test.each(networks)('names the address on $network with predeploys', async ({ network, key, legacy }) => {
    const { Storage } = await loadContracts()
    await withNode(['--network', network, '--predeploys'], async (node) => {
      const foundry = await openFoundry({ ETH_RPC_URL: withDialect(node.url, 'ethereum') })
      const code = `${Storage.bytecode}${'7'.padStart(64, '0')}`
      const salt = '5'.padStart(64, '0')
      const address = await foundry.print('cast', 'create2', '--salt', salt, '--init-code', code)
      const proxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
      await foundry.print('cast', 'send', proxy, `0x${salt}${code.slice(2)}`, '--private-key', key, ...legacy)
      expect(await valueIn(node, address)).toBe(7n)
      await foundry.remove()
    })
  })
})

const addressOf = (id: string, printed: string) => new RegExp(`All#${id} - (0x\\w{40})`).exec(printed)?.[1]

/** The result of value() of the contract at an address. */
async function valueIn(node: RunningNode, to: string | undefined): Promise<bigint> {
  return BigInt(await request<string>(node.url, 'eth_call', [{ to, data: '0x3fa4f245' }, 'latest']))
}
