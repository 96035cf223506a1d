/**
 * An ordinary Hardhat project. The beginning of its config is a recipe of docs/hardhat.md, which the test that runs it hands over
 * as text; its contracts are some of fixtures/contracts, its compiler the solc of npm.
 */
require('@nomicfoundation/hardhat-chai-matchers')
require('@nomicfoundation/hardhat-ethers')
const { createRequire } = require('node:module')
const { resolve } = require('node:path')
const {
  TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD,
  TASK_COMPILE_SOLIDITY_GET_SOURCE_PATHS,
} = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const solc = require('solc/package.json')
const { evmVersion } = require('../../../fixtures/contracts/compiler.json')

/** The contracts that the tests deploy. */
const CONTRACTS = ['Council', 'GameToken', 'Reverter', 'Storage', 'Vault', 'VoteToken']

/** The cheapest step of the optimizer that brings Council below the limit of code; all steps take three times as long. */
const optimizer = { enabled: false, details: { deduplicate: true } }

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  version: solc.version,
  longVersion: `${solc.version}-npm`,
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
}))

subtask(TASK_COMPILE_SOLIDITY_GET_SOURCE_PATHS, async () =>
  CONTRACTS.map((name) => resolve(__dirname, `../../../fixtures/contracts/${name}.sol`)),
)

/** Resolves the package under test as its installed command does. */
const installed = createRequire(process.env.DEV_NODE_COMMAND ?? __filename)

/** What the code of a configuration file exports. */
function exported(code) {
  const file = { exports: {} }
  const load = (name) => (name.startsWith('dev-node/') ? require(installed.resolve(name)) : require(name))
  new Function('module', 'process', 'require', code)(file, process, load)
  return file.exports
}

const { networks, devNode } = exported(process.env.HARDHAT_RECIPE ?? '')

module.exports = {
  solidity: { version: solc.version, settings: { evmVersion, optimizer } },
  networks,
  devNode,
  paths: {
    // Sources must lie below the root, and the packages they import in its node_modules.
    root: '../../..',
    sources: 'fixtures/contracts',
    tests: 'test/clients/hardhat/test',
    artifacts: 'test/clients/hardhat/artifacts',
    cache: 'test/clients/hardhat/cache',
  },
  mocha: { timeout: 60_000, jobs: 2 },
}
